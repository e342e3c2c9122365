import type { Person } from '../../bridge/shapes.ts';
import { personName } from '../shared/person.ts';
import { t } from '../words.tsx';

/** Who wrote a message, in lists and read aloud. A bot is told as one: its name is its owner's choice. */
export function authorName(author: Person, bot: string | null): string {
  return bot === null ? personName(author) : t('chat.botNamed', { name: bot });
}
