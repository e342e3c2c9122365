/** Decides whether a new message may notify, and builds the text. */

import { plainText } from '../../base/markdown/words.ts';
import type { EventPayload } from '../../bridge/contract.ts';
import type { Settings } from '../../bridge/settings.ts';
import type { AddedDevice } from '../../bridge/shapes/device.ts';
import { distinctNameIn } from '../../words/distinct-name.ts';
import type { Words } from '../../words/format.ts';
import { summaryTextIn } from '../../words/summaries.ts';
import { isQuiet } from './quiet-hours.ts';

export type Arrived = EventPayload<'message.arrived'>;

export type Reacted = EventPayload<'reaction.arrived'>;

/** Text of a notification. */
export interface Phrases {
  title: string;
  body: string;
}

/**
 * Reports whether a message may notify now. The engine reports no blocked ones, muted ones only if they mention the
 * person, and none while locked.
 */
export function mayNotify({ muted, mentionsMe }: Arrived, settings: Settings, now: Date): boolean {
  if (muted && !(mentionsMe && settings.mentionsPassMute)) return false;
  return mayNotifyNow(settings, now);
}

/** Reports whether the settings allow any notification now. */
export function mayNotifyNow(settings: Settings, now: Date): boolean {
  if (settings.notifications === 'off') return false;
  if ((settings.notificationsPausedUntil ?? 0) > now.getTime()) return false;
  return !isQuiet(settings.quietHours, now);
}

/** The text for new messages of one conversation, at a level of privacy. */
export function wordsFor(
  words: Words,
  arrived: readonly [Arrived, ...Arrived[]],
  level: Settings['notifications'],
): Phrases {
  const t = words.text;
  const newest = arrived.at(-1) ?? arrived[0];
  const count = t('desktop.newMessages', { count: arrived.length });
  if (level === 'hidden' || level === 'off') return { title: t('desktop.app'), body: count };
  const { request, summary } = newest;
  const { title } = titleOf(words, newest);
  // Text of a stranger is not shown.
  if (request) return { title, body: t('desktop.request') };
  const isShown = level === 'full' && arrived.length === 1;
  return { title, body: isShown ? plainText(summaryTextIn(words, summary)) : count };
}

/** The text for a reaction to a message of the person, at a level of privacy. */
export function wordsForReaction(words: Words, reacted: Reacted, level: Settings['notifications']): Phrases {
  const t = words.text;
  if (level === 'hidden' || level === 'off')
    return { title: t('desktop.app'), body: t('desktop.newReactions', { count: 1 }) };
  const { title, author } = titleOf(words, reacted);
  if (level === 'name') return { title, body: t('desktop.newReactions', { count: 1 }) };
  const text = plainText(summaryTextIn(words, reacted.summary));
  return { title, body: t('desktop.reacted', { author, emoji: reacted.emoji, text }) };
}

/** The text for reactions in several conversations at once. */
export function wordsForManyReactions(words: Words, count: number): Phrases {
  return { title: words.text('desktop.app'), body: words.text('desktop.newReactions', { count }) };
}

function titleOf(
  words: Words,
  { from, bot, group, hasNamesake }: Pick<Arrived, 'from' | 'bot' | 'group' | 'hasNamesake'>,
): { title: string; author: string } {
  const t = words.text;
  const person = distinctNameIn(words, from, hasNamesake);
  const botNamed = bot === '' ? t('chat.botOf', { author: person }) : t('chat.botNamed', { name: bot ?? '' });
  const author = bot === null ? person : botNamed;
  return { title: group === null ? author : t('desktop.authorInGroup', { author, group }), author };
}

/** The text for devices added to the account elsewhere, newest first. */
export function wordsForDevices(
  words: Words,
  added: readonly [AddedDevice, ...AddedDevice[]],
  level: Settings['notifications'],
): Phrases {
  const [{ name, type, at }] = added;
  const title = words.text('desktop.deviceAdded', { count: added.length });
  if (level === 'hidden' || added.length > 1)
    return { title, body: words.text('desktop.deviceAddedQuestion') };
  const typeName = words.text(type === 'app' ? 'settings.deviceOther' : 'settings.deviceApi');
  return {
    title,
    body: words.text('desktop.deviceAddedNamed', { name: name ?? typeName, at: new Date(at) }),
  };
}

/** The text for new messages of several conversations at once. */
export function wordsForMany(words: Words, messages: number, chats: number): Phrases {
  return {
    title: words.text('desktop.app'),
    body: words.text('desktop.newMessagesInChats', { messages, chats }),
  };
}
