import type { Person } from '../bridge/shapes/person.ts';
import { distinctNameIn } from './distinct-name.ts';
import type { Words } from './format.ts';

/**
 * The author of a message, in lists and read aloud. A bot is marked as one: its name is its owner's choice, and empty
 * if unknown.
 */
export function authorNameIn(words: Words, author: Person, bot: string | null): string {
  const name = distinctNameIn(words, author, author.hasNamesake === true);
  if (bot === null) return name;
  return bot === '' ? words.text('chat.botOf', { author: name }) : words.text('chat.botNamed', { name: bot });
}
