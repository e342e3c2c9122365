import type { Person } from '../../bridge/shapes/person.ts';
import { distinctNameIn } from '../../words/distinct-name.ts';
import { words } from '../words.tsx';

/** The name of a person in a chat: with the handle if another member of the group has the same name. */
export const shownName = (person: Person) => distinctNameIn(words, person, person.hasNamesake === true);
