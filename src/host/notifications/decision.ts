/**
 * Whether an arriving message may ask for attention, and with which words.
 */
import type { EventPayload } from '../../bridge/contract.ts';
import type { Settings } from '../../bridge/shapes.ts';
import type { Words } from '../../words/format.ts';
import { gistText } from '../../words/gists.ts';
import { isQuiet } from './quiet-hours.ts';

export type Arrived = EventPayload<'message.arrived'>;

/** What a notification says. */
export interface Phrases {
  title: string;
  body: string;
}

/**
 * Whether a message may be told now. The engine tells of none that is blocked, of what is muted only where it mentions the
 * person, and of none while it is locked.
 * @param isAttended whether its conversation is in front of the person
 */
export function mayNotify(
  { muted, mentionsMe }: Arrived,
  settings: Settings,
  isAttended: boolean,
  now: Date,
): boolean {
  if (muted && !(mentionsMe && settings.mentionsPassMute)) return false;
  if (settings.notifications === 'off' || isAttended) return false;
  if ((settings.notificationsPausedUntil ?? 0) > now.getTime()) return false;
  return !isQuiet(settings.quietHours, now);
}

/** The words for what arrived in one conversation, at a level of privacy. */
export function wordsFor(
  words: Words,
  arrived: readonly [Arrived, ...Arrived[]],
  level: Settings['notifications'],
): Phrases {
  const t = words.text;
  const newest = arrived.at(-1) ?? arrived[0];
  const count = t('desktop.newMessages', { count: arrived.length });
  if (level === 'hidden' || level === 'off') return { title: t('desktop.app'), body: count };
  const { from, bot, group, request, gist } = newest;
  const person =
    from.nickname ?? from.displayName ?? (from.handle === null ? from.address : `@${from.handle}`);
  const botNamed = bot === '' ? t('chat.botOf', { author: person }) : t('chat.botNamed', { name: bot ?? '' });
  const author = bot === null ? person : botNamed;
  const title = group === null ? author : t('desktop.authorInGroup', { author, group });
  // What a stranger writes is not put in front of anybody.
  if (request) return { title, body: t('desktop.request') };
  return { title, body: level === 'full' && arrived.length === 1 ? gistText(words, gist) : count };
}

/** The words for what arrived in several conversations at once. */
export function wordsForMany(words: Words, messages: number, chats: number): Phrases {
  return {
    title: words.text('desktop.app'),
    body: words.text('desktop.newMessagesInChats', { messages, chats }),
  };
}
