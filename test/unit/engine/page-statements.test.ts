/** Statements of a timeline page: the same number for 200 messages as for 20, one for each kind of data. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { messageProcedures } from '../../../src/engine/procedures/messages.ts';
import type { Ref } from '../../../src/messaging/contents/fields.ts';
import { type CachedDevice, openDevice, receiveBody } from '../../support/cached-device.ts';
import { FullChat, groupOf, refTo, WRITTEN } from '../../support/full-chat.ts';
import { HOUR } from '../../support/rosters.ts';
import { plansOf } from '../../support/statement-plans.ts';

const MESSAGES = 450;
const PAGE = 200;
const group = groupOf(6);
let device: CachedDevice;
let ids: string[];

beforeAll(() => {
  const owner = group.people[0]?.address ?? '';
  device = openDevice(owner, group.chain, () => WRITTEN + HOUR);
  const chat = new FullChat(group);
  let answered: Ref | undefined;
  device.context.transaction(() => {
    for (let seq = 1; seq <= MESSAGES; seq++) {
      const body = chat.message(seq % 2, seq, `number ${seq}`, answered);
      const ref = refTo(body);
      const receipt = { delivered: seq, read: seq - 1 };
      const all = [
        body,
        ...[1, 2, 3, 4, 5].flatMap((by) => [chat.reaction(by, ref), chat.receipt(by, receipt)]),
      ];
      for (const each of all) receiveBody(device, each, WRITTEN);
      answered = seq % 3 === 0 ? ref : undefined;
    }
  });
  ids = device.context.timelines.before(device.conversationId, null, MESSAGES).map(({ id }) => String(id));
});
afterAll(() => device.close());

function open(place: { before?: string; after?: string; around?: string }, limit: number) {
  const { context, conversationId } = device;
  const online = () => {
    throw new Error('a page needs no relay');
  };
  const parts = { context, relays: { embedded: null, fixed: null }, online: null, goOnline: online };
  const list = messageProcedures(parts)['messages.list'];
  const found: Awaited<ReturnType<typeof list>>[] = [];
  const run = plansOf(device.db, () => {
    found.push(list({ conversationId: String(conversationId), ...place, limit }) as (typeof found)[0]);
  });
  const [page] = found;
  if (!page) throw new Error('no page');
  return { page, statements: run.map(({ sql }) => sql) };
}

const placesOf = (at: string) => [{}, { before: at }, { after: at }, { around: at }];

test('a page of any length uses one statement each for messages, quotes, reactions and receipts', () => {
  // The names of a group are compared once, for all pages.
  open({}, 1);
  for (const place of placesOf(ids[225] ?? '')) {
    const { page, statements } = open(place, PAGE);
    expect(page.messages).toHaveLength(PAGE);
    // It has all of these.
    expect(page.messages.every(({ reactions }) => reactions.length === 3)).toBe(true);
    expect(page.messages.filter(({ replyTo }) => replyTo?.is === 'here').length).toBeGreaterThan(50);
    expect(page.messages.some(({ delivery }) => delivery === 'read')).toBe(true);
    // The statement of the conversation itself also returns its last message.
    const ofPage = statements.filter((sql) => !sql.includes('FROM conversations'));
    expect(statements.length - ofPage.length).toBe(1);
    const reading = (table: string) =>
      ofPage.filter((sql) => new RegExp(`\\b(?:FROM|JOIN) ${table}\\b`).test(sql));
    const quotes = reading('messages').filter((sql) => sql.includes('json_each'));
    expect([reading('messages').length, quotes.length], JSON.stringify(place)).toEqual([2, 1]);
    expect([reading('reactions').length, reading('receipts').length]).toEqual([1, 1]);
    expect(reading('contacts')).toHaveLength(1);
    expect(open(place, 20).statements, 'the same for few').toEqual(statements);
  }
});

test('each statement on messages finds them by an index, in their order', () => {
  for (const place of placesOf(ids[225] ?? '')) {
    for (const sql of open(place, PAGE).statements.filter((each) => each.includes('FROM messages'))) {
      const named = { conversationId: 1, id: 1, limit: 1, before: 1, after: 1 };
      const plan = device.db.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`);
      // The statement of the conversation itself has only its id.
      const values = sql.includes('FROM conversations') ? [1] : ['[]', 1];
      const steps = (sql.includes('@') ? plan.all(named) : plan.all(...values)).map(({ detail }) => detail);
      expect(steps.filter((step) => /^SCAN (?:messages|m)\b/.test(step))).toEqual([]);
      if (!sql.includes('UNION')) expect(steps.join()).not.toContain('TEMP B-TREE');
      else expect(steps.filter((step) => step.includes('messages_by_place')).length).toBe(2);
    }
  }
});

test('a page around a message has as many on both sides as there are', () => {
  const numbers = (at: number, limit: number) => {
    const { page } = open({ around: ids[at] ?? '' }, limit);
    const places = page.messages.map(({ id }) => ids.indexOf(id));
    return [places[0], places.at(-1), page.hasOlder, page.hasNewer];
  };
  expect(numbers(225, 5)).toEqual([223, 227, true, true]);
  expect(numbers(225, 4)).toEqual([224, 227, true, true]);
  expect(numbers(0, 5)).toEqual([0, 2, false, true]);
  expect(numbers(2, 5)).toEqual([0, 4, false, true]);
  expect(numbers(MESSAGES - 1, 5)).toEqual([MESSAGES - 3, MESSAGES - 1, true, false]);
  expect(() => open({ around: '999999' }, 5)).toThrow();
});
