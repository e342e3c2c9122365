/**
 * Mail of a database whose tables are distributed: a commit for each shard, and one answer.
 */
import { expect, test } from 'vitest';
import { MailToShards } from '../../../../src/relay/store/postgres/mail-to-shards.ts';
import type { AcceptOutcome, EnvelopesToAccept } from '../../../../src/relay/store/records.ts';
import { BUCKETS } from '../../../../src/relay/store/sql/queue-keys.ts';

/** Accounts by address; the buckets of these are 1, 2 and 1. */
const ACCOUNTS = new Map([
  ['0xa', 1],
  ['0xb', 2],
  ['0xc', 1 + BUCKETS],
]);
/** Each bucket has its own shard. */
const SHARDS = Array.from({ length: BUCKETS }, (_, bucket) => `shard ${bucket}`);
const SENT = {
  from: '0xsender',
  account: 9,
  via: 'session',
  network: null,
  now: 0,
  limits: { queueEnvelopes: 1, queueBytes: 1, shares: { sender: 1, network: 1 } },
} as const;

const NOTHING = new Uint8Array();

function request(...to: string[]): EnvelopesToAccept {
  const envelopes = to.map((address, index) => ({
    id: `${address} ${index}`,
    to: address,
    recipientDeviceKey: null,
    asRequest: false,
    isRemembered: true,
    ephemeralPublicKey: NOTHING,
    nonce: NOTHING,
    ciphertext: NOTHING,
  }));
  return { ...SENT, envelopes };
}

const findAccounts = async (addresses: readonly string[]) =>
  new Map(
    addresses.flatMap((address) => {
      const id = ACCOUNTS.get(address);
      return id === undefined ? [] : [[address, { id, isDeleted: false }] as const];
    }),
  );

const acceptedAs = ({ id }: { id: string }): AcceptOutcome => ({
  status: 'accepted',
  acceptedAt: 0,
  queues: [Number(id.split(' ')[1])],
});

test('commits each shard once, with outcomes in the order of the envelopes', async () => {
  const commits: string[][] = [];
  const mail = new MailToShards(
    async (requests) => {
      commits.push(requests.flatMap(({ envelopes }) => envelopes.map(({ to }) => to)));
      return requests.map(({ envelopes }) => envelopes.map(acceptedAs));
    },
    findAccounts,
    SHARDS,
    1e9,
  );
  const outcomes = await mail.add(request('0xA', '0xb', '0xc', '0xnobody', '0xb'), 1);
  expect(outcomes).toEqual(
    [0, 1, 2, 3, 4].map((index) => ({ status: 'accepted', acceptedAt: 0, queues: [index] })),
  );
  expect(commits.toSorted()).toEqual([['0xA', '0xc'], ['0xb', '0xb'], ['0xnobody']]);
  expect(mail.bytes).toBe(0);
});

test('a failed commit fails its request after all have ended, and no others', async () => {
  const late = Promise.withResolvers<void>();
  const ended: string[] = [];
  const mail = new MailToShards(
    async (requests) => {
      const [to = ''] = requests.flatMap(({ envelopes }) => envelopes.map((one) => one.to));
      if (to === '0xb') throw new Error('a shard is gone');
      await late.promise;
      ended.push(to);
      return requests.map(({ envelopes }) => envelopes.map(acceptedAs));
    },
    findAccounts,
    SHARDS,
    1e9,
  );
  const both = mail.add(request('0xa', '0xb'), 1).catch((error: Error) => {
    ended.push(error.message);
  });
  await new Promise((resolve) => setImmediate(resolve));
  late.resolve();
  await both;
  expect(ended).toEqual(['0xa', 'a shard is gone']);
  expect(await mail.add(request('0xa'), 1)).toHaveLength(1);
});

test('limits concurrent and waiting commits', async () => {
  let running = 0;
  let most = 0;
  const mail = new MailToShards(
    async (requests) => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
      return requests.map(({ envelopes }) => envelopes.map(acceptedAs));
    },
    async (addresses) =>
      new Map(addresses.map((address) => [address, { id: Number(address), isDeleted: false }])),
    SHARDS,
    100,
  );
  const all = Array.from({ length: 50 }, (_, index) => mail.add(request(String(index)), 2));
  await expect(mail.add(request('1'), 1)).rejects.toThrow('too much is waiting');
  expect((await Promise.all(all)).flat()).toHaveLength(50);
  expect(most).toBe(8);
});
