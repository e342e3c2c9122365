import type { Message } from '../../bridge/shapes.ts';
import { sameDay } from '../shared/time.ts';

/** One message and how it stands among its neighbours. */
export interface TimelineRow {
  message: Message;
  /** First message of its calendar day: a day caption goes above it. */
  startsDay: boolean;
  /** The first message not read yet: a divider goes above it. */
  startsUnread: boolean;
  /** First and last of a group: same sender or bot, same trust and membership, same day, close in time. */
  startsGroup: boolean;
  endsGroup: boolean;
}

/** Messages of one sender further apart than this, in milliseconds, do not read as one utterance. */
const groupGap = 5 * 60_000;

/** Arranges the messages of a timeline, oldest first, into rows. */
export function arrange(messages: readonly Message[], firstUnreadId: string | null): TimelineRow[] {
  // Who has written since has read what was before.
  const lastOwn = messages.findLastIndex(({ event, trust }) => event === null && trust === 'self');
  const firstUnread = messages.findIndex(({ id }) => id === firstUnreadId);
  const unreadAt = firstUnread > lastOwn ? firstUnread : -1;
  const continues = messages.map((message, index) => {
    const previous = messages[index - 1];
    return previous !== undefined && index !== unreadAt && belongTogether(previous, message);
  });
  return messages.map((message, index) => {
    const previous = messages[index - 1];
    return {
      message,
      startsDay: previous === undefined || !sameDay(previous.storedAt, message.storedAt),
      startsUnread: index === unreadAt,
      startsGroup: !continues[index],
      endsGroup: !continues[index + 1],
    };
  });
}

function belongTogether(one: Message, next: Message): boolean {
  return (
    one.event === null &&
    next.event === null &&
    one.sender === next.sender &&
    one.trust === next.trust &&
    one.bot?.key === next.bot?.key &&
    noteKey(one) === noteKey(next) &&
    sameDay(one.storedAt, next.storedAt) &&
    next.storedAt - one.storedAt < groupGap
  );
}

/** What the caption above a group of messages says of the chain of their group. */
function noteKey({ roster }: Message): string {
  return JSON.stringify(roster);
}
