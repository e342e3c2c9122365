import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Cache, openCache } from '../../../../src/engine/cache/database.ts';
import { Messages } from '../../../../src/engine/cache/messages.ts';
import { Timelines } from '../../../../src/engine/cache/timelines.ts';
import { findLatePlace } from '../../../../src/engine/receiving/late-place.ts';
import type { MessageBody } from '../../../../src/messaging/sending/outgoing.ts';
import { encodeTime } from '../../../../src/protocol/encoding.ts';
import { temporaryFolder } from '../../../support/engine.ts';
import { countedRows } from '../../../support/visited-rows.ts';

const BEGINNING = Date.parse('2026-11-20T20:00:00.000Z');
const MINUTE = 60_000;
const CHAT = 1;

let folder: ReturnType<typeof temporaryFolder>;
let cache: Cache;
let messages: Messages;
let timelines: Timelines;
beforeEach(() => {
  folder = temporaryFolder();
  cache = openCache(folder.path, randomBytes(32));
  cache.exec("INSERT INTO contacts (id, address, first_seen_at) VALUES (1, '0xann', 0)");
  cache.exec("INSERT INTO conversations (id, contact_id, state, updated_at) VALUES (1, 1, 'accepted', 0)");
  messages = new Messages(cache);
  timelines = new Timelines(cache);
});
afterEach(() => {
  cache.close();
  folder[Symbol.dispose]();
});

/** Stores a person's message of a minute, received at another. @param came the same minute by default */
function add(
  sender: string,
  minute: number,
  { came = minute, isLate = false, text = `${sender} ${minute}` } = {},
): number {
  const sentAt = BEGINNING + minute * MINUTE;
  const at = isLate ? findLatePlace(sentAt, timelines.surroundings(CHAT, sender, sentAt)) : null;
  return messages.insert({
    conversationId: CHAT,
    sender,
    uid: randomBytes(16),
    body: { sentAt: encodeTime(sentAt), text } as unknown as MessageBody,
    sentAt,
    storedAt: BEGINNING + came * MINUTE,
    state: sender === 'me' ? 'sent' : 'received',
    trust: sender === 'me' ? 'self' : 'verified',
    at,
  });
}

const late = (sender: string, minute: number, came: number) => add(sender, minute, { came, isLate: true });
const shown = () =>
  timelines.before(CHAT, null, 100).map(({ body }) => (body as unknown as { text: string }).text);

test('places a late message between its sender’s messages before and after it', () => {
  add('ann', 1);
  add('me', 2);
  add('me', 4);
  add('ann', 6);
  add('me', 7);
  late('ann', 3, 60);
  expect(shown()).toEqual(['ann 1', 'me 2', 'ann 3', 'me 4', 'ann 6', 'me 7']);
  // Further late messages, in any order, each at its place.
  late('ann', 5, 61);
  late('ann', 2.5, 62);
  expect(shown()).toEqual(['ann 1', 'me 2', 'ann 2.5', 'ann 3', 'me 4', 'ann 5', 'ann 6', 'me 7']);
});

test('no sender can place a message beyond their own neighbours', () => {
  add('ann', 1);
  add('me', 2);
  add('ann', 3);
  add('me', 4);
  add('ann', 50, { came: 5 });
  add('me', 6);
  // A clock that is ahead, or a sender who claims so.
  late('ann', 40, 7);
  expect(shown()).toEqual(['ann 1', 'me 2', 'ann 3', 'me 4', 'ann 40', 'ann 50', 'me 6']);
  // It is placed after all earlier messages of its sender.
  late('ann', 70, 8);
  expect(shown().at(-1)).toBe('ann 70');
});

test('places a message earlier than all of its sender’s before them', () => {
  add('me', 1);
  add('ann', 3);
  late('ann', 2, 4);
  expect(shown()).toEqual(['me 1', 'ann 2', 'ann 3']);
  add('me', 5);
  late('ann', 0, 6);
  expect(shown()).toEqual(['ann 0', 'me 1', 'ann 2', 'ann 3', 'me 5']);
});

test('places a much earlier message far back', () => {
  cache.transaction(() => {
    for (let minute = 1; minute < 2_100; minute++) add('ann', minute);
  })();
  late('ann', 1.5, 3_000);
  expect(timelines.before(CHAT, 3, 2).map(({ body }) => (body as unknown as { text: string }).text)).toEqual([
    'ann 1.5',
    'ann 2',
  ]);
});

test('finding the place reads as many rows in a long timeline as in a short one', () => {
  const visits = countedRows(cache);
  const rowsFor = (count: number) => {
    cache.transaction(() => {
      for (let index = 0; index < count; index++) {
        minute++;
        add(minute % 2 === 0 ? 'ann' : 'ben', minute, { text: 'x'.repeat(4_000) });
      }
    })();
    const [statements, rows] = visits.during(() => late('ann', 10.5, minute + 1));
    return { statements, rows };
  };
  let minute = 0;
  const few = rowsFor(40);
  expect(rowsFor(400)).toEqual(few);
  expect(few.rows).toBeGreaterThan(0);
  expect(few.rows).toBeLessThan(8);
});

test('finds the first unread number of a device by an index', () => {
  for (let minute = 1; minute < 50; minute++) add('ann', minute);
  const detail = cache
    .prepare<[], { detail: string }>(
      `EXPLAIN QUERY PLAN SELECT min(received_seq) AS seq FROM messages
        WHERE conversation_id = 1 AND id > 1 AND device_id = 'x' AND state = 'received'`,
    )
    .all()
    .map((row) => row.detail);
  expect(detail.join()).toContain('COVERING INDEX messages_received');
});

test('orders pages, last and unread messages by the timeline', () => {
  add('ann', 1);
  const second = add('ann', 2);
  const fourth = add('ann', 4);
  const third = late('ann', 3, 5);
  const idsOf = (list: { id: number }[]) => list.map(({ id }) => id);
  expect(idsOf(timelines.before(CHAT, fourth, 2))).toEqual([second, third]);
  expect(idsOf(timelines.after(CHAT, second, 2))).toEqual([third, fourth]);
  expect(idsOf(timelines.before(CHAT, third, 1))).toEqual([second]);
  expect(timelines.lastId(CHAT)).toBe(fourth);

  // All except the late one had been read: only it is unread, and it is read together with the later ones.
  expect(timelines.firstReceivedAfter(CHAT, fourth)).toBe(third);
  expect(timelines.readUpTo(CHAT, second, fourth)).toBe(fourth);
  expect(timelines.readUpTo(CHAT, fourth, fourth)).toBe(third);
  // No message was read yet: messages after the late one stay unread.
  expect(timelines.firstReceivedAfter(CHAT, second)).toBe(third);
  expect(timelines.readUpTo(CHAT, third, second)).toBe(second);
  expect(timelines.readUpTo(CHAT, fourth, second)).toBe(third);
});
