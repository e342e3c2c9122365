/** Links of messages: found when a message is stored, and changed with its text. */
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { removeMessages } from '../../../src/engine/erasing.ts';
import { linkProcedures } from '../../../src/engine/procedures/links.ts';
import { encodeBase64Url, encodeTime } from '../../../src/protocol/encoding.ts';
import type { DirectBody } from '../../../src/protocol/payload.ts';
import { type CachedAccount, openAccount, receive, receivedDirect } from '../../support/cached-account.ts';
import { digestOf } from '../../support/cached-device.ts';

const [ME, ANN] = [`0x${'aa'.repeat(20)}`, `0x${'bb'.repeat(20)}`];

let account: CachedAccount;
let now: number;
let chat: number;
beforeEach(() => {
  now = Date.UTC(2026, 5, 1);
  account = openAccount(ME, () => now);
  const { contacts, conversations } = account.context;
  chat = conversations.ensure(contacts.ensure(ANN, now).id, 'accepted', now).id;
});
afterEach(() => account[Symbol.asyncDispose]());

function bodyOf(fields: { kind: string; [field: string]: unknown }): DirectBody {
  now += 1_000;
  const id = encodeBase64Url(randomBytes(16));
  return { id, sender: ANN, peer: ME, sentAt: encodeTime(now), seq: 1, ...fields };
}
function arrive(body: DirectBody): number {
  const deviceId = encodeBase64Url(randomBytes(16));
  return (
    receive(account.context, ME, receivedDirect(body, { deviceId, receivedAt: now })).stored?.messageId ?? 0
  );
}
const text = (words: string) => bodyOf({ kind: 'text', text: words });
const targetOf = (body: DirectBody) => ({ sender: ANN, id: body.id, digest: digestOf(body) });

type Page = { links: { messageId: string; place: number; href: string }[]; hasOlder: boolean };
function list(limit = 10, before?: Page['links'][number]): Page {
  const parts = { context: account.context, relays: { embedded: null, fixed: null }, online: null };
  const goOnline = () => {
    throw new Error('a list needs no relay');
  };
  const place = before && { messageId: before.messageId, place: before.place };
  const input = { conversationId: String(chat), limit, ...(place && { before: place }) };
  return linkProcedures({ ...parts, goOnline })['links.list'](input) as Page;
}
const hrefs = () => list().links.map(({ href }) => href);

test('lists the links of texts and captions, newest first, without code and addresses that are not opened', () => {
  arrive(text('See https://a.example/one and https://b.example, then `https://code.example`'));
  arrive(text('javascript:alert(1) http://plain.example https://a@b.example'));
  arrive(text('> *https://quoted.example/x*'));
  const file = { key: 'A'.repeat(43), digest: 'A'.repeat(43), size: 1, mediaType: 'text/plain', name: 'x' };
  arrive(bodyOf({ kind: 'attachment', files: [file], caption: 'From mailto:ann@c.example' }));
  expect(hrefs()).toEqual([
    'mailto:ann@c.example',
    'https://quoted.example/x',
    'https://b.example/',
    'https://a.example/one',
  ]);
});

test('a page continues within a message, and each link of a message is listed once', () => {
  arrive(text('https://a.example/1 https://a.example/2 https://a.example/1 https://a.example/3'));
  arrive(text('https://b.example/'));
  const first = list(2);
  expect(first.links.map(({ href }) => href)).toEqual(['https://b.example/', 'https://a.example/3']);
  expect(first.hasOlder).toBe(true);
  const second = list(2, first.links[1]);
  expect(second.links.map(({ href }) => href)).toEqual(['https://a.example/2', 'https://a.example/1']);
  expect(second.hasOlder).toBe(false);
});

test('stores at most 50 links of one message', () => {
  arrive(text(Array.from({ length: 80 }, (_, index) => `https://a.example/${index}`).join(' ')));
  expect(list(100).links).toHaveLength(50);
});

test('an edit replaces the links of its message', () => {
  const body = text('https://a.example/before');
  arrive(body);
  arrive(bodyOf({ kind: 'edit', target: targetOf(body), text: 'https://a.example/after' }));
  expect(hrefs()).toEqual(['https://a.example/after']);
  arrive(bodyOf({ kind: 'edit', target: targetOf(body), text: 'none' }));
  expect(hrefs()).toEqual([]);
});

test('a deleted or erased message has no links', () => {
  const body = text('https://a.example/deleted');
  arrive(body);
  const removed = text('https://a.example/removed');
  const id = arrive(removed);
  arrive(bodyOf({ kind: 'delete', targets: [targetOf(body)] }));
  expect(hrefs()).toEqual(['https://a.example/removed']);
  const ended = { id, conversationId: chat, sender: ANN, uid: removed.id };
  account.context.transaction(() => removeMessages(account.context, [ended]));
  expect(hrefs()).toEqual([]);
  expect(account.db.prepare('SELECT count(*) AS count FROM message_links').get()).toEqual({ count: 0 });
});

test('a message request lists no links', () => {
  arrive(text('https://a.example/'));
  account.context.conversations.setState(chat, 'request');
  expect(list()).toEqual({ links: [], messages: [], hasOlder: false });
});

test('a page is read by an index in its order', () => {
  const { db, context } = account;
  const { prepare } = db;
  const statements: string[] = [];
  db.prepare = ((sql: string) => {
    statements.push(sql);
    return prepare.call(db, sql);
  }) as typeof db.prepare;
  context.links.list(chat, { messageId: 5, place: 0 }, 10);
  db.prepare = prepare;
  const steps = statements.flatMap((sql) =>
    db.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all(chat, 5, 0, 10),
  );
  expect(steps.map(({ detail }) => detail)).toEqual([
    expect.stringMatching(/^SEARCH message_links USING INDEX message_links_by_chat .*message_id/),
  ]);
});
