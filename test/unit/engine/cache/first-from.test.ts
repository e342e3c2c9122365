/** The first message from a time on, for 'Go to date'. */
import { expect, test } from 'vitest';
import { openSearchCache, START } from '../../../support/search-cache.ts';

const DAY = 24 * 60 * 60 * 1000;

test('the first message of a day is the first to arrive from its beginning on, without late ones', () => {
  using cache = openSearchCache();
  const chat = cache.chatWith(1);
  const other = cache.chatWith(2);
  const at = (day: number, conversationId = chat) =>
    cache.add(conversationId, `Day ${day}`, { storedAt: START + day * DAY });
  const [first, , third] = [at(0), at(1), at(3)];
  at(2, other);
  const last = at(5);
  const { timelines } = cache.context;
  expect(timelines.firstFrom(chat, 0)).toBe(first);
  expect(timelines.firstFrom(chat, START + 2 * DAY)).toBe(third);
  expect(timelines.firstFrom(chat, START + 5 * DAY)).toBe(last);
  expect(timelines.firstFrom(chat, START + 5 * DAY + 1)).toBeNull();
});

test('the search for a day uses the index of arrival', () => {
  using cache = openSearchCache();
  const plan = cache.db
    .prepare<[], { detail: string }>(
      `EXPLAIN QUERY PLAN SELECT id FROM messages INDEXED BY messages_by_arrival
        WHERE conversation_id = 1 AND event IS NULL AND late = 0 AND stored_at >= 2 ORDER BY stored_at, place LIMIT 1`,
    )
    .all()
    .map(({ detail }) => detail);
  expect(plan).toEqual([
    expect.stringMatching(
      /SEARCH messages USING .*messages_by_arrival \(conversation_id=\? AND stored_at>\?\)/,
    ),
  ]);
});
