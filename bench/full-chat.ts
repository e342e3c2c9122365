/**
 * Cost of reactions and receipts for a device beside messages: a chat of 105,000 messages, and one of 5,000 messages with 50,000
 * reactions and 50,000 receipts on them. Measured: storing them in pages of the inbox, opening a page of 200, and the bytes on
 * the disk. Opening sealed copies costs the same for both, and is left out (sealing.ts).
 *
 *   node bench/full-chat.ts [messages in the second chat]
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { CACHE_FILE } from '../src/engine/cache/database.ts';
import { messageProcedures } from '../src/engine/procedures/messages.ts';
import type { MessageBody } from '../src/messaging/sending/outgoing.ts';
import { type CachedDevice, openDevice, receiveBody } from '../test/support/cached-device.ts';
import { FullChat, groupOf, refTo, WRITTEN } from '../test/support/full-chat.ts';
import { median } from './support/process.ts';
import { isSmoke, Report, ratios, sizeOf } from './support/report.ts';

const messages = sizeOf(0, 5_000, 50);
const ROUNDS = isSmoke ? 1 : 3;
const OPENINGS = isSmoke ? 3 : 31;
/** The largest group in which receipts are sent. */
const PEOPLE = 20;
/** Of each on each message. */
const REACTIONS = 10;
const RECEIPTS = 10;
/** A page of the inbox: one transaction. */
const INBOX_PAGE = 200;
const PAGE = 200;

const group = groupOf(PEOPLE);
const owner = group.people[0]?.address ?? '';
const textOf = (seq: number) => `${seq}: ${'a few words of a usual length '.repeat(3)}`;

function* onlyMessages(): Generator<MessageBody> {
  const chat = new FullChat(group);
  for (let seq = 1; seq <= messages * (1 + REACTIONS + RECEIPTS); seq++)
    yield chat.message(seq, seq, textOf(seq));
}

function* withReactions(): Generator<MessageBody> {
  const chat = new FullChat(group);
  for (let seq = 1; seq <= messages; seq++) {
    const body = chat.message(0, seq, textOf(seq));
    const ref = refTo(body);
    yield body;
    for (let nth = 0; nth < Math.max(REACTIONS, RECEIPTS); nth++) {
      const by = 1 + ((seq + nth) % (PEOPLE - 1));
      if (nth < REACTIONS) yield chat.reaction(by, ref);
      if (nth < RECEIPTS) yield chat.receipt(by, { delivered: seq, read: seq - (nth % 2) });
    }
  }
}

interface Measured {
  device: CachedDevice;
  received: number;
  milliseconds: number;
  bytes: number;
}

/** Only storing is measured, without making the bodies. */
function receiveAll(bodies: Iterable<MessageBody>): Measured {
  const device = openDevice(owner, group.chain, () => WRITTEN + 3_600_000);
  let milliseconds = 0;
  let received = 0;
  let page: MessageBody[] = [];
  const receive = () => {
    const begin = performance.now();
    device.context.transaction(() => {
      for (const body of page) receiveBody(device, body, WRITTEN);
    });
    milliseconds += performance.now() - begin;
    received += page.length;
    page = [];
  };
  for (const body of bodies) if (page.push(body) === INBOX_PAGE) receive();
  if (page.length > 0) receive();
  device.db.pragma('wal_checkpoint(TRUNCATE)');
  return { device, received, milliseconds, bytes: statSync(join(device.folder, CACHE_FILE)).size };
}

/** @returns milliseconds */
function openPage({ context, conversationId }: CachedDevice, around: string | null): number {
  const goOnline = () => {
    throw new Error('a page needs no relay');
  };
  const parts = { context, relays: { embedded: null, fixed: null }, online: null, goOnline };
  const place = around === null ? {} : { around };
  const begin = performance.now();
  messageProcedures(parts)['messages.list']({
    conversationId: String(conversationId),
    ...place,
    limit: PAGE,
  });
  return performance.now() - begin;
}

const figures = new Map<string, number[]>();
const note = (name: string, value: number) => figures.set(name, [...(figures.get(name) ?? []), value]);
for (let round = 0; round < ROUNDS; round++) {
  const [plain, reacted] = [receiveAll(onlyMessages()), receiveAll(withReactions())];
  for (const [name, { device, received, milliseconds, bytes }] of Object.entries({ plain, reacted })) {
    note(`${name} taken`, milliseconds / received);
    note(`${name} bytes`, bytes / received);
    const ids = device.context.timelines.before(device.conversationId, null, messages).map(({ id }) => id);
    note(`${name} middle`, ids[Math.floor(ids.length / 2)] ?? 0);
  }
  for (let opening = 0; opening < OPENINGS; opening++) {
    for (const [name, { device }] of Object.entries({ plain, reacted })) {
      note(`${name} newest`, openPage(device, null));
      note(`${name} around`, openPage(device, String(figures.get(`${name} middle`)?.at(-1))));
    }
  }
  for (const { device } of [plain, reacted]) device.close();
}

const of = (name: string) => figures.get(name) ?? [];
const all = messages * (1 + REACTIONS + RECEIPTS);
const report = new Report(
  `A chat of ${messages} messages with ${all - messages} reactions and receipts, beside one of ${all} messages`,
);
const ratiosOf = (name: string) => ratios(of(`reacted ${name}`), of(`plain ${name}`));
report.ratio('time to store, for each', ratiosOf('taken'), { atMost: 1 });
report.ratio('bytes on the disk, for each', ratiosOf('bytes'), { atMost: 1 });
const added = (name: string) =>
  (median(of(`reacted ${name}`)) - median(of(`plain ${name}`))) / REACTIONS / median(of(`plain ${name}`));
report.ratio(`each reaction on the newest ${PAGE}, of a message there`, [added('newest')], { atMost: 1 });
report.ratio(`each reaction on ${PAGE} in the middle, of a message there`, [added('around')], { atMost: 1 });
report.figure('a message, stored', 'ms', of('plain taken'));
report.figure(`opening the newest ${PAGE} with reactions`, 'ms', of('reacted newest'));
report.figure(`opening ${PAGE} in the middle with reactions`, 'ms', of('reacted around'));
report.finish();
