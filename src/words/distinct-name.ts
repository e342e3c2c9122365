import { areSameNames, type Named, personName, personSubtitle } from '../base/person-name.ts';
import type { Words } from './format.ts';

/**
 * The name of a person, with the handle or short address if another person in the same list has that name, or if it is a word
 * of the app for the person themselves.
 */
export function distinctNameIn(words: Words, person: Named, hasNamesake: boolean): string {
  const name = personName(person);
  const handle = distinctHandleIn(words, person, hasNamesake);
  return handle === null ? name : words.text('people.nameWithHandle', { name, handle });
}

/** The handle or short address that {@link distinctNameIn} adds; null if the name is clear without it. */
export function distinctHandleIn(words: Words, person: Named, hasNamesake: boolean): string | null {
  const name = personName(person);
  const handle = personSubtitle(person);
  return (hasNamesake || isOwnWord(words, name)) && name !== handle ? handle : null;
}

function isOwnWord({ text }: Words, name: string): boolean {
  return [text('message.you'), text('groups.you'), text('chats.noteToSelf')].some((word) =>
    areSameNames(word, name),
  );
}
