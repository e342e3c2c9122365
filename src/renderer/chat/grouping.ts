import type { Message } from '../../bridge/shapes/message.ts';
import { sameDay } from '../shared/time.ts';

/** A message and its place among its neighbours. */
export interface TimelineRow {
  message: Message;
  /** The time that decides its day, in milliseconds since 1970. */
  at: number;
  /** First message of its calendar day: a day caption is above it. */
  startsDay: boolean;
  /** The first unread message: a divider is above it. */
  startsUnread: boolean;
  /** First and last of a group: same sender or bot, same trust and membership, same day, close in time. */
  startsGroup: boolean;
  endsGroup: boolean;
}

/** The longest pause within a group of one sender, in milliseconds. */
const groupGap = 5 * 60_000;

/** Arranges the messages of a timeline, oldest first, into rows. */
export function arrange(messages: readonly Message[], firstUnreadId: string | null): TimelineRow[] {
  // A person who has written since has read the earlier ones.
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
  return messages.map((message, index) =>
    knownRow({
      message,
      at: times[index] ?? message.at,
      startsDay: startsDay(index),
      startsUnread: index === unreadAt,
      startsGroup: !continues[index],
      endsGroup: !continues[index + 1],
    }),
  );
}

const rows = new WeakMap<Message, TimelineRow>();

/** The earlier object of an equal row, so that it is not rendered again. */
function knownRow(row: TimelineRow): TimelineRow {
  const known = rows.get(row.message);
  if (known && shallowEqual(known, row)) return known;
  rows.set(row.message, row);
  return row;
}

function shallowEqual(one: TimelineRow, other: TimelineRow): boolean {
  return (Object.keys(one) as (keyof TimelineRow)[]).every((name) => one[name] === other[name]);
}

/** An event is noticed with later messages, which may be from an earlier day: it is shown on their day. */
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

/** The notes about a group's chain in the caption above a group of messages. */
function noteKey({ roster }: Message): string {
  return JSON.stringify(roster);
}
