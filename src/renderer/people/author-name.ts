import type { Person } from '../../bridge/shapes/person.ts';
import { authorNameIn } from '../../words/author-name.ts';
import { words } from '../words.tsx';

/** The author of a message. @param bot its name, empty if unknown; null without a bot */
export const authorName = (author: Person, bot: string | null) => authorNameIn(words, author, bot);
