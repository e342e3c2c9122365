import type { Person } from '../../bridge/shapes/person.ts';
import { personName } from '../shared/person.ts';
import { t } from '../words.tsx';

/**
 * The author of a message, in lists and read aloud. A bot is marked as one: its name is its owner's choice, and empty
 * if unknown.
 */
export function authorName(author: Person, bot: string | null): string {
  if (bot === null) return personName(author);
  return bot === '' ? t('chat.botOf', { author: personName(author) }) : t('chat.botNamed', { name: bot });
}
