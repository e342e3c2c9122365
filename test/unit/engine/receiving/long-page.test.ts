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

/** Events of the cache while a page is received: commits by their mode, a sync, and turns of the event loop. */
async function eventsOf(count: number): Promise<{ done: number; events: string[] }> {
  await using account = openAccount(own, () => WRITTEN);
  const { context, db } = account;
  const events: string[] = [];
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
