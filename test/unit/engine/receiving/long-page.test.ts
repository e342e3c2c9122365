/** Pages of the inbox with more envelopes than are stored together. */
import { randomBytes } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { encodeBase64Url, encodeTime } from '../../../../src/protocol/encoding.ts';
import type { InboxEnvelope } from '../../../../src/protocol/schemas/inbox.ts';
import { openAccount } from '../../../support/cached-account.ts';
import { groupOf, WRITTEN } from '../../../support/full-chat.ts';
import { readerOf } from '../../../support/inbox-reader.ts';

const [own = '', ann = ''] = groupOf(2).people.map(({ address }) => address);

/** Envelopes that cannot be opened: they are refused, and recorded. */
const envelopes = (count: number): InboxEnvelope[] =>
  Array.from({ length: count }, (_, n) => ({
    ...{ id: `envelope-${n}`, from: ann, toAddress: own, via: 'session' as const },
    ciphertext: encodeBase64Url(randomBytes(64)),
    ephemeralPublicKey: encodeBase64Url(randomBytes(32)),
    nonce: encodeBase64Url(randomBytes(12)),
    receivedAt: encodeTime(WRITTEN),
  }));

/**
 * Events of the cache while a page is received: commits by their mode, moves of the log, a sync, and turns of the event loop.
 * @param logged bytes in the log before
 */
async function eventsOf(count: number, logged = 0): Promise<{ done: number; events: string[] }> {
  await using account = openAccount(own, () => WRITTEN);
  const { context, db } = account;
  db.exec('CREATE TABLE written (bytes BLOB)');
  if (logged > 0) db.prepare('INSERT INTO written VALUES (zeroblob(?))').run(logged);
  const events: string[] = [];
  const { moveLog } = context;
  vi.spyOn(context, 'moveLog').mockImplementation(() => {
    const isMoved = moveLog();
    if (isMoved) events.push('log moved');
    return isMoved;
  });
  const { quarantine } = context;
  const add = quarantine.add.bind(quarantine);
  vi.spyOn(quarantine, 'add').mockImplementation((refused, now) => {
    events.push(
      `${refused.length} ${db.pragma('synchronous', { simple: true }) === 2 ? 'synced' : 'not synced'}`,
    );
    add(refused, now);
  });
  const { sync } = context;
  vi.spyOn(context, 'sync').mockImplementation(() => {
    events.push('sync');
    sync();
  });
  const reader = readerOf(account, own);
  let isReceiving = true;
  const turn = () => {
    if (!isReceiving) return;
    if (events.length > 0 && events.at(-1) !== 'turn') events.push('turn');
    setImmediate(turn);
  };
  setImmediate(turn);
  const { done } = await reader.receive(envelopes(count));
  isReceiving = false;
  return { done: done.length, events };
}

test('a long page is stored in slices, with other work in between, and synced before its end', async () => {
  expect(await eventsOf(144)).toEqual({
    done: 144,
    events: ['64 not synced', 'turn', '64 not synced', 'turn', '16 not synced', 'sync'],
  });
});

test('a short page is stored in one commit that is synced', async () => {
  expect(await eventsOf(64)).toEqual({ done: 64, events: ['64 synced'] });
});

test('a long log is moved in a turn of its own before a page is stored', async () => {
  expect(await eventsOf(64, 1024 * 1024)).toEqual({ done: 64, events: ['log moved', 'turn', '64 synced'] });
});
