import { describe, expect, test } from 'vitest';
import type { Message } from '../../../../src/bridge/shapes/message.ts';
import {
  type Attention,
  type FetchPage,
  fetchFollowing,
  fetchNewest,
  movedTo,
  openTimeline,
  pageLength,
  type Timeline,
  withDivider,
  withFollowing,
  withKnownMessages,
  withMessage,
  withNewer,
  withNewest,
  withOlder,
  withoutMessage,
} from '../../../../src/renderer/chat/timeline.ts';
import { own, received } from './messages.ts';

/** Pages over an array as the contract's `messages.list` describes them. */
function pagesOf(messages: Message[]): FetchPage {
  return async ({ before, after }, limit) => {
    const indexOf = (id: string) => messages.findIndex((message) => message.id === id);
    const start =
      after === undefined
        ? Math.max(0, (before ? indexOf(before) : messages.length) - limit)
        : indexOf(after) + 1;
    const end = after === undefined ? (before ? indexOf(before) : messages.length) : start + limit;
    return { messages: messages.slice(start, end), hasOlder: start > 0, hasNewer: end < messages.length };
  };
}

/** A timeline that was opened at its first unread message. */
const openAt = (fetchPage: FetchPage, firstUnreadId: string | null) =>
  openTimeline(fetchPage, async () => firstUnreadId);
const conversation = (length: number) => Array.from({ length }, (_, n) => received(n));
const ids = (timeline: { messages: Message[] }) => timeline.messages.map((message) => message.id);
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => `m${from + n}`);

describe('openTimeline', () => {
  test('opens at the newest page if everything is read', async () => {
    const timeline = await openAt(pagesOf(conversation(500)), null);
    expect(ids(timeline)).toEqual(range(500 - pageLength, 500));
    expect(timeline).toMatchObject({ hasOlder: true, hasNewer: false, firstUnreadId: null });
  });

  test('opens around the first unread message if that is far back', async () => {
    const timeline = await openAt(pagesOf(conversation(500)), 'm200');
    expect(ids(timeline)).toEqual(range(201 - pageLength, 201 + pageLength));
    expect(timeline).toMatchObject({ hasOlder: true, hasNewer: true, firstUnreadId: 'm200' });
  });

  test('has the divider above messages that arrive while it opens', async () => {
    const messages = conversation(500);
    let firstUnreadId: string | null = null;
    const arrive = (id: number) => {
      messages.push(received(id));
      firstUnreadId ??= `m${id}`;
    };
    const pages = pagesOf(messages);
    const fetchPage: FetchPage = async (cursor, limit) => {
      arrive(messages.length);
      const page = await pages(cursor, limit);
      arrive(messages.length);
      return page;
    };
    const timeline = await openTimeline(fetchPage, async () => firstUnreadId);
    expect(timeline.firstUnreadId).toBe('m500');
    expect(ids(timeline)).toContain('m500');
  });

  test('includes the very first message if it is unread', async () => {
    const timeline = await openAt(pagesOf(conversation(500)), 'm0');
    expect(ids(timeline)[0]).toBe('m0');
    expect(timeline).toMatchObject({ hasOlder: false, hasNewer: true });
  });
});

describe('a timeline', () => {
  const all = conversation(500);
  const fetchPage = pagesOf(all);
  const open = () => openAt(fetchPage, null);

  test('grows at both ends without gaps or doubles', async () => {
    let timeline = await openAt(fetchPage, 'm200');
    timeline = withOlder(timeline, await fetchPage({ before: timeline.messages[0]?.id ?? '' }, pageLength));
    timeline = withNewer(
      timeline,
      await fetchPage({ after: timeline.messages.at(-1)?.id ?? '' }, pageLength),
    );
    timeline = withNewer(timeline, await fetchPage({ after: 'm300' }, pageLength));
    expect(ids(timeline)).toEqual(range(201 - 2 * pageLength, 381));
  });

  test('merges new messages, new states and removals from the newest page', async () => {
    const timeline = withMessage(await open(), own(500, { state: 'queued' }));
    const now = [...all.filter((message) => message.id !== 'm490'), own(500), received(501)];
    const updated = withNewest(timeline, await pagesOf(now)({}, 20));
    expect(ids(updated).slice(-4)).toEqual(['m498', 'm499', 'm500', 'm501']);
    expect(ids(updated)).not.toContain('m490');
    expect(updated.messages.at(-2)?.state).toBe('sent');
    expect(updated.messages).toHaveLength(timeline.messages.length);
  });

  test('only records newer messages if it does not reach the newest page', async () => {
    const timeline = await openAt(fetchPage, 'm100');
    const updated = withNewest(timeline, await fetchPage({}, 20));
    expect(ids(updated)).toEqual(ids(timeline));
    expect(updated.hasNewer).toBe(true);
  });

  test('is empty after everything was removed', async () => {
    const updated = withNewest(await open(), { messages: [], hasOlder: false, hasNewer: false });
    expect(updated).toMatchObject({ messages: [], hasOlder: false, hasNewer: false });
  });

  test('adds a repeatedly reported message once', async () => {
    const once = withMessage(await open(), own(500, { state: 'queued' }));
    const twice = withMessage(once, own(500));
    expect(ids(twice).filter((id) => id === 'm500')).toHaveLength(1);
    expect(twice.messages.at(-1)?.state).toBe('sent');
  });

  test('does not append behind a gap', async () => {
    const timeline = await openAt(fetchPage, 'm100');
    expect(ids(withMessage(timeline, own(500)))).toEqual(ids(timeline));
  });

  test('forgets a discarded message', async () => {
    expect(ids(withoutMessage(await open(), 'm499')).at(-1)).toBe('m498');
  });

  test('counts a move to the newest page as another epoch', async () => {
    const moved = movedTo(await openAt(fetchPage, 'm100'), await fetchPage({}, pageLength));
    expect(ids(moved).at(-1)).toBe('m499');
    expect(moved).toMatchObject({ epoch: 1, hasNewer: false });
  });
});

describe('fetchNewest', () => {
  test('reaches back to a message that is still waiting', async () => {
    const all = conversation(900).with(300, own(300, { state: 'queued' }));
    const timeline: Timeline = {
      messages: all,
      hasOlder: false,
      hasNewer: false,
      firstUnreadId: null,
      epoch: 0,
      target: null,
    };
    const page = await fetchNewest(pagesOf(all), timeline);
    expect(ids(page)).toContain('m300');
    expect(ids(page)).toEqual(range(900 - page.messages.length, 900));
  });

  test('fetches one page if no state can change', async () => {
    const all = conversation(900);
    const timeline: Timeline = {
      messages: all,
      hasOlder: false,
      hasNewer: false,
      firstUnreadId: null,
      epoch: 0,
      target: null,
    };
    expect((await fetchNewest(pagesOf(all), timeline)).messages).toHaveLength(200);
  });
});

describe('fetchFollowing', () => {
  const pageAfter = async (arrived: number) => {
    const timeline = await openAt(pagesOf(conversation(500)), null);
    const now = pagesOf(conversation(500 + arrived));
    const newest = await fetchNewest(now, timeline);
    const limits: number[] = [];
    const counted: FetchPage = (cursor, limit) => {
      limits.push(limit);
      return now(cursor, limit);
    };
    const following = await fetchFollowing(counted, timeline, newest);
    return {
      ...{ following, limits },
      grown: withNewest(following ? withFollowing(timeline, following) : timeline, newest),
    };
  };

  test.each([
    { arrived: 350, calls: 2 },
    { arrived: 400, calls: 2 },
    { arrived: 1_000, calls: 5 },
  ])(
    'reaches the newest messages if $arrived arrived at once, in $calls calls',
    async ({ arrived, calls }) => {
      const { grown, limits } = await pageAfter(arrived);
      expect(ids(grown)).toEqual(range(420, 500 + arrived));
      expect(grown.hasNewer).toBe(false);
      expect(limits).toHaveLength(calls);
    },
  );

  test('fetches one message if just as many arrived as the newest page has', async () => {
    const { grown, limits } = await pageAfter(200);
    expect(ids(grown)).toEqual(range(420, 700));
    expect(grown.hasNewer).toBe(false);
    expect(limits).toEqual([1]);
  });

  test('is bounded, and the rest is fetched by scrolling', async () => {
    const { grown, limits } = await pageAfter(5_000);
    expect(ids(grown)).toEqual(range(420, 1_500));
    expect(grown.hasNewer).toBe(true);
    expect(limits).toHaveLength(6);
  });

  test('fetches nothing where the newest page continues the timeline', async () => {
    const { following, grown } = await pageAfter(150);
    expect(following).toBeNull();
    expect(ids(grown)).toEqual(range(420, 650));
    expect(grown.hasNewer).toBe(false);
  });
});

describe('a message that the person sends while many arrive', () => {
  /** A refresh of a timeline. @param stored what is appended to it before its end */
  const refreshed = async (timeline: Timeline, fetchPage: FetchPage, stored: readonly Message[] = []) => {
    const newest = await fetchNewest(fetchPage, timeline);
    const following = await fetchFollowing(fetchPage, timeline, newest);
    const current = stored.reduce(withMessage, timeline);
    return withNewest(following ? withFollowing(current, following) : current, newest, timeline);
  };
  const arrived = conversation(800);
  const all = [...arrived, own(800)];

  test('hides none of them if it is shown before them', async () => {
    const before = withMessage(await openAt(pagesOf(conversation(500)), null), own(800));
    const after = await refreshed(before, pagesOf(all));
    expect(ids(after)).toEqual(range(420, 801));
    expect(after.hasNewer).toBe(false);
  });

  test('follows them, and is shown once, if it is sent during their refresh', async () => {
    const before = await openAt(pagesOf(conversation(500)), null);
    const during = await refreshed(before, pagesOf(arrived), [own(800)]);
    expect(ids(during)).toEqual(range(420, 801));
    expect(ids(await refreshed(during, pagesOf(all)))).toEqual(range(420, 801));
  });

  test('does not hide them if they cannot be fetched', async () => {
    const before = withMessage(await openAt(pagesOf(conversation(500)), null), own(800));
    const after = withNewest(before, await pagesOf(all)({}, 200));
    expect(ids(after)).toEqual(range(420, 500));
    expect(after.hasNewer).toBe(true);
  });
});

describe('withKnownMessages', () => {
  test('keeps the objects of unchanged messages, also after older ones were added', async () => {
    const before = await openAt(pagesOf(conversation(500)), null);
    const now = conversation(501).with(490, received(490, { pinned: true }));
    const page = await pagesOf(structuredClone(now))({ before: 'm500' }, 200);
    const after = withKnownMessages(before, { ...before, ...page });
    expect(after).toEqual({ ...before, ...page });
    const isSame = before.messages.map((message) => after.messages.includes(message));
    expect(isSame.filter((same) => !same)).toHaveLength(1);
    expect(isSame[70]).toBe(false);
  });
});

describe('withDivider', () => {
  const opened = received(499).at + 30_000;
  const here: Attention = { openedAt: opened, isAway: false, hasReadAll: false };
  const grown = async (more: Message[], attention = here, unread: string | null = null) => {
    const before = await openAt(pagesOf(conversation(500)), unread);
    const now = pagesOf([...conversation(500), ...more]);
    return withDivider(withNewest(before, await now({}, 200)), before, attention).firstUnreadId;
  };

  test('marks the first message that was written before the opening and arrived after it', async () => {
    const waited = [received(500, { at: opened - 2 }), received(501, { at: opened - 1 })];
    expect(await grown(waited)).toBe('m500');
    expect(await grown([own(500), ...waited.slice(1)])).toBe('m501');
  });

  test('marks no messages written while the chat is visible', async () => {
    expect(await grown([received(500), received(501)])).toBeNull();
  });

  test('keeps an existing divider', async () => {
    const before = await openAt(pagesOf(conversation(500)), 'm490');
    const now = pagesOf([...conversation(500), received(500, { at: opened - 1 })]);
    const grownOn = withNewest(before, await now({}, 200));
    expect(withDivider(grownOn, before, here).firstUnreadId).toBe('m490');
  });

  test('marks the first message that arrives in a window without focus', async () => {
    const away = { ...here, isAway: true };
    expect(await grown([own(500), received(501), received(502)], away)).toBe('m501');
    expect(await grown([received(500)], away, 'm490')).toBe('m490');
    expect(await grown([received(500)], { ...away, hasReadAll: true }, 'm490')).toBe('m500');
    expect(await grown([], { ...away, hasReadAll: true }, 'm490')).toBe('m490');
  });
});
