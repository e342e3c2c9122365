/**
 * The part of a conversation in memory: a run of neighbouring messages, oldest first.
 *
 * It grows at both ends by pages, and is refreshed from the newest page after a change in the engine. All functions
 * are pure.
 */
import { replaceEqualDeep } from '@tanstack/react-query';
import type { Output } from '../../bridge/contract.ts';
import type { Message } from '../../bridge/shapes/message.ts';

export interface Timeline {
  messages: Message[];
  hasOlder: boolean;
  hasNewer: boolean;
  /** The first unread message at the time of opening. */
  firstUnreadId: string | null;
  /** Counts jumps to other places, but not growth at an end. */
  epoch: number;
  /** The current scroll target; a new object for each request. */
  target: Target | null;
}

/** A message to show, and to focus unless the focus is needed elsewhere. */
export interface Target {
  id: string;
  keepsFocus: boolean;
}

type Page = Output<'messages.list'>;
type Cursor = { before?: string; after?: string; around?: string };
export type FetchPage = (cursor: Cursor, limit: number) => Promise<Page>;

export const pageLength = 80;
export const longestPage = 200;
/** Pages fetched at once between the end of the timeline and the newest messages. */
const MAX_FOLLOWING = 5;

/**
 * Opens at the newest page, or around the first unread message if that is further back.
 * @param fetchFirstUnread called after the newest page, which may have messages that arrived just before
 */
export async function openTimeline(
  fetchPage: FetchPage,
  fetchFirstUnread: () => Promise<string | null>,
): Promise<Timeline> {
  const newest = await fetchPage({}, pageLength);
  const firstUnreadId = await fetchFirstUnread();
  const opened = { ...newest, firstUnreadId, epoch: 0, target: null };
  if (firstUnreadId === null || newest.messages.some((message) => message.id === firstUnreadId))
    return opened;
  const unread = await fetchPage({ after: firstUnreadId }, pageLength);
  const anchor = unread.messages[0];
  if (!anchor) return opened;
  const read = await fetchPage({ before: anchor.id }, pageLength);
  return withNewer({ ...opened, ...read }, unread);
}

/**
 * Replaces the part by another page.
 * @param target message to show; by default the end
 */
export function movedTo(timeline: Timeline, page: Page, target: Target | null = null): Timeline {
  return {
    ...timeline,
    ...page,
    epoch: timeline.epoch + 1,
    target,
  };
}

/** Replaces messages by their versions in a page; removes deleted ones in between. */
export function withFresh(timeline: Timeline, page: Page): Timeline {
  const fresh = new Map(page.messages.map((message) => [message.id, message]));
  const isFresh = ({ id }: Message) => fresh.has(id);
  const first = timeline.messages.findIndex(isFresh);
  const last = timeline.messages.findLastIndex(isFresh);
  const messages = timeline.messages.flatMap((message, index) => {
    if (index < first || index > last) return [message];
    return fresh.get(message.id) ?? [];
  });
  return { ...timeline, messages };
}

/** Adds an older page at the start. */
export function withOlder(timeline: Timeline, page: Page): Timeline {
  const known = idsOf(timeline.messages);
  const older = page.messages.filter((message) => !known.has(message.id));
  return { ...timeline, messages: [...older, ...timeline.messages], hasOlder: page.hasOlder };
}

/** Adds a newer page at the end. */
export function withNewer(timeline: Timeline, page: Page): Timeline {
  const known = idsOf(timeline.messages);
  const newer = page.messages.filter((message) => !known.has(message.id));
  return { ...timeline, messages: [...timeline.messages, ...newer], hasNewer: page.hasNewer };
}

/**
 * Adds messages fetched by {@link fetchFollowing} at their place: an own message may have been added at the end since. It is removed
 * if they do not reach it.
 */
export function withFollowing(timeline: Timeline, { lastId, messages, hasNewer }: Following): Timeline {
  const place = timeline.messages.findIndex(({ id }) => id === lastId) + 1;
  if (place === 0) return timeline;
  const fetched = idsOf(messages);
  const rest = hasNewer ? [] : timeline.messages.slice(place).filter(({ id }) => !fetched.has(id));
  return { ...timeline, messages: [...timeline.messages.slice(0, place), ...messages, ...rest], hasNewer };
}

/**
 * Applies the newest messages of the conversation: updates states, removes deleted ones, appends new ones. If the
 * part does not reach them, it only records that there are newer ones.
 * @param before the timeline when they were requested: messages that were added to its end since stay
 */
export function withNewest(timeline: Timeline, newest: Page, before = timeline): Timeline {
  const { messages } = timeline;
  const fresh = new Map(newest.messages.map((message) => [message.id, message]));
  const known = idsOf(before.messages);
  const start = messages.findIndex(({ id }) => id === newest.messages[0]?.id);
  const end = messages.findLastIndex(({ id }) => known.has(id)) + 1;
  const added = messages.slice(Math.max(start, end)).filter(({ id }) => !fresh.has(id));
  if (newest.messages.length === 0) return { ...timeline, ...newest, messages: added };
  if (timeline.hasNewer && messages.length > 0) {
    const renewed = messages.map((message) => fresh.get(message.id) ?? message);
    const reachesEnd = renewed.at(-1)?.id === newest.messages.at(-1)?.id;
    return { ...timeline, messages: renewed, hasNewer: !reachesEnd };
  }
  if (start !== -1)
    return { ...timeline, messages: [...messages.slice(0, start), ...newest.messages, ...added] };
  const [oldest] = messages;
  if (!oldest || fresh.has(oldest.id) || !newest.hasOlder)
    return { ...timeline, ...newest, messages: [...newest.messages, ...added] };
  // Own messages at the end are behind the ones that are missing.
  const gap = messages.findIndex(({ id }) => fresh.has(id));
  const shown = messages.slice(0, gap === -1 ? end || messages.length : gap);
  return { ...timeline, messages: shown, hasNewer: true };
}

/** Inputs for deciding which arriving messages are new to the person. */
export interface Attention {
  /** Time of opening, in milliseconds since 1970. */
  openedAt: number;
  /** True while the window has no focus. */
  isAway: boolean;
  /** True if everything was read when the window lost the focus, and nothing has arrived since. */
  hasReadAll: boolean;
}

/**
 * Places the divider of unread messages, where none is set, above the first message that arrived while the window had no
 * focus, or that was written before the timeline was opened: it waited at the server, as after unlocking. In a window
 * without focus it replaces the divider above messages that were read.
 * @param before the timeline before these messages arrived
 */
export function withDivider(timeline: Timeline, before: Timeline, attention: Attention): Timeline {
  const { openedAt, isAway, hasReadAll } = attention;
  if (timeline.firstUnreadId !== null && !(isAway && hasReadAll)) return timeline;
  const known = idsOf(before.messages);
  const from = timeline.messages.findLastIndex(({ id }) => known.has(id)) + 1;
  const first = timeline.messages
    .slice(from)
    .find(({ at, event, state }) => state === 'received' && event === null && (isAway || at < openedAt));
  return first ? { ...timeline, firstUnreadId: first.id } : timeline;
}

/** Replaces one message, or appends it if it is new and the end is shown. */
export function withMessage(timeline: Timeline, message: Message): Timeline {
  const index = timeline.messages.findIndex((known) => known.id === message.id);
  if (index !== -1) return { ...timeline, messages: timeline.messages.with(index, message) };
  return timeline.hasNewer ? timeline : { ...timeline, messages: [...timeline.messages, message] };
}

/** Removes one message. */
export function withoutMessage(timeline: Timeline, id: string): Timeline {
  return { ...timeline, messages: timeline.messages.filter((message) => message.id !== id) };
}

/**
 * Fetches the newest messages, back to the oldest shown one whose state can still change, so that a long-waiting
 * message is seen leaving.
 */
export async function fetchNewest(fetchPage: FetchPage, timeline: Timeline): Promise<Page> {
  let page = await fetchPage({}, longestPage);
  const unsettled = timeline.messages.find(
    (message) => message.state === 'queued' || message.state === 'failed',
  );
  while (unsettled && page.hasOlder && (page.messages[0]?.storedAt ?? 0) > unsettled.storedAt) {
    const oldest = page.messages[0];
    if (!oldest) break;
    const older = await fetchPage({ before: oldest.id }, longestPage);
    page = { ...page, messages: [...older.messages, ...page.messages], hasOlder: older.hasOlder };
  }
  return page;
}

/** Messages that follow one of a timeline. */
interface Following {
  /** The message before them. */
  lastId: string;
  messages: Message[];
  /** False if they reach the newest ones. */
  hasNewer: boolean;
}

/**
 * Fetches the messages between the end of the timeline and the newest ones where they do not touch, as when more than a page
 * arrived at once. An own message that was just sent is at the end, behind the missing ones. Ends before the newest ones if more
 * than {@link MAX_FOLLOWING} pages are between.
 * @returns with the newest ones if it reaches them; null where they continue the timeline, or it ended before them already
 */
export async function fetchFollowing(
  fetchPage: FetchPage,
  timeline: Timeline,
  newest: Page,
): Promise<Following | null> {
  const [first] = newest.messages;
  if (!first || timeline.hasNewer || !newest.hasOlder) return null;
  if (timeline.messages.some(({ id }) => id === first.id)) return null;
  const fresh = idsOf(newest.messages);
  const known = timeline.messages.findIndex(({ id }) => fresh.has(id));
  const last = known === -1 ? timeline.messages.at(-1) : timeline.messages[known - 1];
  if (!last) return null;
  // Shows that the newest ones are reached, without a page that repeats them.
  const [previous] = (await fetchPage({ before: first.id }, 1)).messages;
  const messages: Message[] = [];
  let isReached = last.id === previous?.id;
  for (let pages = 0; !isReached && pages < MAX_FOLLOWING; pages++) {
    const page = await fetchPage({ after: messages.at(-1)?.id ?? last.id }, longestPage);
    messages.push(...page.messages);
    isReached = !page.hasNewer || page.messages.some(({ id }) => id === first.id || id === previous?.id);
  }
  if (!isReached) return { lastId: last.id, messages, hasNewer: true };
  const fetched = idsOf(messages);
  const rest = newest.messages.slice(newest.messages.findLastIndex(({ id }) => fetched.has(id)) + 1);
  return { lastId: last.id, messages: [...messages, ...rest], hasNewer: false };
}

/**
 * Keeps the objects of messages that have not changed, at any place: their rows are not rendered again.
 * @param before the timeline that was shown, if any
 */
export function withKnownMessages(before: Timeline | undefined, timeline: Timeline): Timeline {
  if (!before || before.messages === timeline.messages) return timeline;
  const known = new Map(before.messages.map((message) => [message.id, message]));
  const messages = timeline.messages.map((message) => replaceEqualDeep(known.get(message.id), message));
  return { ...timeline, messages };
}

function idsOf(messages: readonly Message[]): Set<string> {
  return new Set(messages.map((message) => message.id));
}
