/**
 * Erasure of messages: the clock, the start, and the remains. The parts that judge and store are the engine's own.
 */
import { randomBytes } from 'node:crypto';
import { copyFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { EventName } from '../../../src/bridge/contract.ts';
import { type Cache, openCache } from '../../../src/engine/cache/database.ts';
import { type Context, createContext } from '../../../src/engine/context.ts';
import { removeMessages } from '../../../src/engine/erasing.ts';
import { Expiry } from '../../../src/engine/expiry.ts';
import type { ReceiveOutcome } from '../../../src/engine/receiving/outcome.ts';
import { SealingPool } from '../../../src/engine/sealing/pool.ts';
import { contents } from '../../../src/messaging/contents/all-kinds.ts';
import type { SenderProof } from '../../../src/messaging/contents/rights.ts';
import { encodeBase64Url, encodeTime } from '../../../src/protocol/encoding.ts';
import type { DirectBody } from '../../../src/protocol/payload.ts';
import { pagesOf } from '../../support/cache-pages.ts';
import { receive, receivedDirect } from '../../support/cached-account.ts';
import { digestOf } from '../../support/cached-device.ts';
import { temporaryFolder } from '../../support/engine.ts';

const [ME, ANN] = [`0x${'aa'.repeat(20)}`, `0x${'bb'.repeat(20)}`];
const BEGIN = Date.UTC(2026, 5, 1);
const [SECOND, MINUTE, DAY] = [1_000, 60_000, 24 * 3_600_000];
const SECRET = 'what nobody is to read again';

const pool = new SealingPool(new URL('file:///'));
const key = randomBytes(32);
let folder: ReturnType<typeof temporaryFolder>;
let db: Cache;
let now: number;
let context: Context;
let expiry: Expiry;
let emitted: EventName[];

function open(): void {
  db = openCache(folder.path, key);
  emitted = [];
  const emit = (name: EventName) => void emitted.push(name);
  context = createContext(db, pool, emit, { now: () => now, random: () => 0, contents });
  expiry = new Expiry(context);
  expiry.start();
}
function close(): void {
  expiry.close();
  db.close();
}
beforeEach(() => {
  folder = temporaryFolder();
  now = BEGIN;
  open();
});
afterEach(() => {
  close();
  folder[Symbol.dispose]();
});

/** A message of a device to the chat between the person and Ann. */
function bodyOf(sender: string, fields: { kind: string; [field: string]: unknown }): DirectBody {
  const id = encodeBase64Url(randomBytes(16));
  return { id, sender, peer: sender === ME ? ANN : ME, sentAt: encodeTime(now), seq: 1, ...fields };
}
const text = (sender: string, expires: number, words = SECRET) =>
  bodyOf(sender, { kind: 'text', text: words, expires });

function arrive(body: DirectBody, receivedAt = now, proof: SenderProof = 'signed'): ReceiveOutcome {
  const deviceId = encodeBase64Url(randomBytes(16));
  return receive(context, ME, receivedDirect(body, { deviceId, receivedAt, proof }));
}
const idOf = ({ stored }: ReceiveOutcome) => stored?.messageId ?? 0;
const conversation = () => context.conversations.list()[0];
const lifetime = (id: number) => context.messages.get(id)?.lifetime;

/** Reports whether a message still exists at a time. */
function isThereAt(id: number, at: number): boolean {
  now = at;
  expiry.eraseDue();
  return context.messages.get(id) !== null;
}
function read(id: number): void {
  context.lifetimes.shown(conversation()?.id ?? 0, id, now, now);
}

test('erases messages of own devices after their lifetime, and those of others after they were shown', () => {
  const own = idOf(arrive(text(ME, 60)));
  const received = idOf(arrive(text(ANN, 60)));
  expect(isThereAt(own, BEGIN + MINUTE - 1)).toBe(true);
  expect(isThereAt(own, BEGIN + MINUTE)).toBe(false);
  now = BEGIN + DAY;
  expect(context.messages.get(received)).not.toBeNull();
  read(received);
  expect(isThereAt(received, BEGIN + DAY + MINUTE - 1)).toBe(true);
  expect(isThereAt(received, BEGIN + DAY + MINUTE)).toBe(false);
  expect(emitted).toContain('messages.expired');
  expect(conversation()?.last).toBeNull();
});

test('erases an unread message 30 days and its lifetime after it arrived', () => {
  const id = idOf(arrive(text(ANN, 3_600)));
  expect(conversation()?.unread).toBe(1);
  expect(isThereAt(id, BEGIN + 30 * DAY + 3_600 * SECOND - 1)).toBe(true);
  expect(isThereAt(id, BEGIN + 30 * DAY + 3_600 * SECOND)).toBe(false);
  expect(conversation()?.unread).toBe(0);
});

test('a fast clock of sender or relay does not extend a lifetime', () => {
  const own = { ...text(ME, 60), sentAt: encodeTime(BEGIN + DAY) };
  expect(lifetime(idOf(arrive(own)))?.endsAt).toBe(BEGIN + MINUTE);
  expect(lifetime(idOf(arrive(text(ANN, 60), BEGIN + DAY)))?.endsAt).toBe(BEGIN + 30 * DAY + MINUTE);
});

test('setting the clock back does not extend a lifetime, even while the app is closed', () => {
  const [own, received] = [idOf(arrive(text(ME, 60))), idOf(arrive(text(ANN, 60)))];
  now = BEGIN - 300 * DAY;
  expiry.eraseDue();
  expect(lifetime(own)?.endsAt).toBe(now + MINUTE);
  expect(lifetime(received)?.endsAt).toBe(now + 30 * DAY + MINUTE);
  read(received);
  close();
  now = BEGIN - 400 * DAY;
  open();
  expect(isThereAt(received, now + MINUTE - 1)).toBe(true);
  expect(isThereAt(received, now + 1)).toBe(false);
});

test('drops a message that arrives after its lifetime, with its pending controls', () => {
  arrive(text(ME, 31_536_000, 'hello'));
  const late = text(ME, 30);
  const target = { sender: ME, id: late.id, digest: digestOf(late) };
  const edit = bodyOf(ME, { kind: 'edit', target, text: `${SECRET}, edited` });
  expect(arrive({ ...edit, sentAt: encodeTime(BEGIN + 1) }).isNew).toBe(true);
  now = BEGIN + MINUTE;
  expect(arrive(late)).toMatchObject({ isNew: true, stored: null, hasErased: true });
  expect(arrive(late).isNew, 'it is known').toBe(false);
  expect(pagesOf(folder.path, key)).not.toContain(SECRET);
});

test('V9: leaves nothing on the disk of an expired message and its references', () => {
  const kept = idOf(arrive(text(ANN, 31_536_000, 'stays')));
  const body = text(ME, 60);
  const id = idOf(arrive(body));
  const target = { sender: ME, id: body.id, digest: context.messages.get(id)?.digest };
  arrive({ ...bodyOf(ME, { kind: 'edit', target, text: `${SECRET} edited` }), sentAt: encodeTime(now + 1) });
  arrive(bodyOf(ANN, { kind: 'reaction', target, emoji: ['🔥'] }));
  arrive(bodyOf(ANN, { kind: 'pin', target, pinned: true }));
  const chat = conversation()?.id ?? 0;
  context.sentControls.insert(chat, bodyOf(ME, { kind: 'edit', target, text: `${SECRET} sent` }), now);
  context.outbox.add(id, chat, null, now);
  db.pragma('wal_checkpoint(TRUNCATE)');
  expect(pagesOf(folder.path, key)).toContain(`${SECRET} sent`);
  expect(isThereAt(id, BEGIN + MINUTE)).toBe(false);
  const pages = pagesOf(folder.path, key);
  for (const words of [SECRET, '🔥']) expect(pages).not.toContain(Buffer.from(words).toString('latin1'));
  for (const table of ['reactions', 'pins', 'edits', 'sent_controls', 'outbox'])
    expect(db.prepare(`SELECT count(*) AS count FROM ${table}`).get(), table).toEqual({ count: 0 });
  expect(context.messages.get(kept)).not.toBeNull();
});

test('V9: erases expired messages at start, before anything is read', () => {
  db.transaction(() => {
    for (let n = 0; n < 600; n++) arrive(text(ME, 60, `${SECRET} ${n}`));
  })();
  close();
  now = BEGIN + MINUTE;
  open();
  expect(db.prepare('SELECT count(*) AS count FROM messages').get()).toEqual({ count: 0 });
  expect(pagesOf(folder.path, key)).not.toContain(SECRET);
});

test('erases an unknown disappearing content no later than a known one', () => {
  arrive(text(ANN, 31_536_000, 'hello'));
  context.conversations.setState(conversation()?.id ?? 0, 'accepted');
  arrive(bodyOf(ANN, { kind: 'song', words: SECRET, expires: 60 }));
  arrive(bodyOf(ANN, { kind: 'song', words: 'stays' }));
  const kept = () => db.prepare('SELECT count(*) AS count FROM unknown_contents').get();
  expect(kept()).toEqual({ count: 2 });
  close();
  now = BEGIN + 30 * DAY + MINUTE;
  open();
  expect(kept()).toEqual({ count: 1 });
});

test('V9: the next start clears the write-ahead log of erased messages after a kill', () => {
  const body = text(ANN, 60);
  const id = idOf(arrive(body));
  const ended = { id, conversationId: conversation()?.id ?? 0, sender: ANN, uid: body.id };
  context.transaction(() => removeMessages(context, [ended]));
  using other = temporaryFolder();
  for (const file of readdirSync(folder.path)) copyFileSync(join(folder.path, file), join(other.path, file));
  const log = join(other.path, 'cache.db-wal');
  expect(statSync(log).size).toBeGreaterThan(0);
  const copy = openCache(other.path, key);
  const next = new Expiry(createContext(copy, pool, () => undefined, { now: () => now, random: () => 0 }));
  next.start();
  expect(statSync(log).size).toBe(0);
  next.close();
  copy.close();
});

test('applies a timer set for a deleted chat when the chat starts again', () => {
  arrive(text(ANN, 60, 'hello'));
  context.conversations.setState(conversation()?.id ?? 0, 'accepted');
  context.conversations.remove(conversation()?.id ?? 0);
  const timer = bodyOf(ANN, { kind: 'timer', seconds: 300 });
  expect(arrive(timer).changed).toBeNull();
  expect(conversation()).toBeUndefined();
  arrive(bodyOf(ANN, { kind: 'text', text: 'hello again' }));
  expect(conversation()?.partner).toMatchObject({ timer: 300 });
  const unsigned = { ...bodyOf(ANN, { kind: 'timer', seconds: 0 }), sentAt: encodeTime(now + 1) };
  arrive(unsigned, now, 'api');
  expect(conversation()?.partner, 'nobody signed it').toMatchObject({ timer: 300 });
});

test('one timer erases the next ended message without a call', async () => {
  now = Date.now();
  const id = idOf(arrive({ ...text(ME, 30), sentAt: encodeTime(now) }));
  context.lifetimes.reportEnd(now + 30_000);
  now += 29_990;
  context.lifetimes.reportEnd(now + 10);
  now += 10;
  await expect.poll(() => context.messages.get(id)).toBeNull();
});

test('keeps the greatest timer in any order and shows a flood of changes as one line', () => {
  arrive(text(ANN, 60, 'hello'));
  const timer = (seconds: number, at: number) =>
    arrive({ ...bodyOf(ANN, { kind: 'timer', seconds }), sentAt: encodeTime(at) });
  timer(300, BEGIN + 5);
  timer(60, BEGIN + 2);
  expect(context.contacts.timer(ANN)?.seconds).toBe(300);
  for (let n = 0; n < 200; n++) timer(30 + n, BEGIN + 10 + n);
  const lines = context.timelines.before(conversation()?.id ?? 0, null, 200);
  expect(lines.map(({ event }) => event && [event.type, event.seconds])).toEqual([null, ['timer', 229]]);
});
