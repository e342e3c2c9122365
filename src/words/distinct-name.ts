import { areSameNames, type Named, personName, personSubtitle } from '../base/person-name.ts';
import type { Words } from './format.ts';

/**
 * The name of a person, with the handle or short address if another person in the same list has that name, or if it is a word
 * of the app for the person themselves.
 */
export function distinctNameIn(words: Words, person: Named, hasNamesake: boolean): string {
  const name = personName(person);
  const handle = personSubtitle(person);
  const isUnclear = hasNamesake || isOwnWord(words, name);
  return isUnclear && name !== handle ? words.text('people.nameWithHandle', { name, handle }) : name;
}

function isOwnWord({ text }: Words, name: string): boolean {
  return [text('message.you'), text('groups.you'), text('chats.noteToSelf')].some((word) =>
    areSameNames(word, name),
  );
}
