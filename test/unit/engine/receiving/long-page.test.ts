/** Pages of the inbox with more envelopes than are stored together. */
import { randomBytes } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import type { RelayApi } from '../../../../src/client/api.ts';
import type { Registration } from '../../../../src/client/identity/registration.ts';
import { AppGroups } from '../../../../src/engine/app-groups.ts';
import { Directory } from '../../../../src/engine/directory.ts';
import { openAccount as openRelayAccount } from '../../../../src/engine/identity/account.ts';
import { InboxReader } from '../../../../src/engine/receiving/inbox-reader.ts';
import { createGaps } from '../../../../src/engine/sending/gaps.ts';
import { createGreetings } from '../../../../src/engine/sending/greetings.ts';
import { createReceipts } from '../../../../src/engine/sending/receipts.ts';
import { encodeBase64Url, encodeTime } from '../../../../src/protocol/encoding.ts';
import type { InboxEnvelope } from '../../../../src/protocol/schemas/inbox.ts';
import { type CachedAccount, openAccount } from '../../../support/cached-account.ts';
import { groupOf, WRITTEN } from '../../../support/full-chat.ts';

const [own = '', ann = ''] = groupOf(2).people.map(({ address }) => address);

function readerOf({ context }: CachedAccount): InboxReader {
  const relay = {} as RelayApi;
  const directory = new Directory(context, relay, own);
  const groups = new AppGroups({
    ...{ context, relay, directory, own, talk: () => null },
    signer: () => {
      throw new Error('nothing is signed');
    },
    renewSigner: async () => undefined,
    onJoined: () => undefined,
    onChanged: () => undefined,
  });
  const identity = { address: own, walletKey: null, deviceSeed: randomBytes(32) };
  const account = { ...openRelayAccount(identity, 'http://127.0.0.1:9'), relay };
  const parts = { context, account, directory, groups };
  const registration = {} as Registration;
  return new InboxReader(
    ...([parts, createGreetings(parts), registration, createGaps(parts), createReceipts(parts)] as const),
    () => undefined,
  );
}

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
  const reader = readerOf(account);
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
