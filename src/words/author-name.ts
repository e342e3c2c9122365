import { personName } from '../base/person-name.ts';
import type { Person } from '../bridge/shapes/person.ts';
import type { Words } from './format.ts';

/**
 * The author of a message, in lists and read aloud. A bot is marked as one: its name is its owner's choice, and empty
 * if unknown.
 */
export function authorNameIn(words: Words, author: Person, bot: string | null): string {
  if (bot === null) return personName(author);
  return bot === ''
    ? words.text('chat.botOf', { author: personName(author) })
    : words.text('chat.botNamed', { name: bot });
}
