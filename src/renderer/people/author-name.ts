import type { Person } from '../../bridge/shapes.ts';
import { personName } from '../shared/person.ts';
import { t } from '../words.tsx';

/** Who wrote a message, in lists and read aloud. A bot is told as one: its name is its owner's choice, and empty where it is not known. */
export function authorName(author: Person, bot: string | null): string {
  if (bot === null) return personName(author);
  return bot === '' ? t('chat.botOf', { author: personName(author) }) : t('chat.botNamed', { name: bot });
}
