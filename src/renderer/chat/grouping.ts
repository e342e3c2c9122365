import type { Message } from '../../bridge/shapes.ts';
import { sameDay } from '../shared/time.ts';

/** One message and how it stands among its neighbours. */
export interface TimelineRow {
  message: Message;
  /** The time by which it stands under a day, in milliseconds since 1970. */
  at: number;
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
  const times = timesOf(messages);
  const startsDay = (index: number) => {
    const [before, at] = [times[index - 1], times[index]];
    return before === undefined || at === undefined || !sameDay(before, at);
  };
  const unreadAt = firstUnread > lastOwn ? firstUnread : -1;
  const continues = messages.map((message, index) => {
    const previous = messages[index - 1];
    return previous !== undefined && index !== unreadAt && belongTogether(previous, message);
  });
  return messages.map((message, index) => {
    return {
      message,
      at: times[index] ?? message.at,
      startsDay: startsDay(index),
      startsUnread: index === unreadAt,
      startsGroup: !continues[index],
      endsGroup: !continues[index + 1],
    };
  });
}

/** What happened is noticed with the messages that come after it, which may be of an earlier day: it stands under theirs. */
function timesOf(messages: readonly Message[]): number[] {
  const times = messages.map(({ at }) => at);
  for (let index = messages.length - 2; index >= 0; index--) {
    const [at, next] = [times[index], times[index + 1]];
    if (messages[index]?.event && at !== undefined && next !== undefined) times[index] = Math.min(at, next);
  }
  return times;
}

function belongTogether(one: Message, next: Message): boolean {
  return (
    one.event === null &&
    next.event === null &&
    one.sender === next.sender &&
    one.trust === next.trust &&
    one.bot?.key === next.bot?.key &&
    noteKey(one) === noteKey(next) &&
    sameDay(one.at, next.at) &&
    next.at - one.at < groupGap
  );
}

/** What the caption above a group of messages says of the chain of their group. */
function noteKey({ roster }: Message): string {
  return JSON.stringify(roster);
}
