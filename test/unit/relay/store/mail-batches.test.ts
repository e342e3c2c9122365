import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { MailBatches } from '../../../../src/relay/store/postgres/mail-batches.ts';
import {
  type AcceptOutcome,
  type EnvelopesToAccept,
  StoreUnavailable,
} from '../../../../src/relay/store/records.ts';

const [ann, bob, cleo, dan] = ['a', 'b', 'c', 'd'].map((digit) => `0x${digit.repeat(40)}`) as [
  string,
  string,
  string,
  string,
];

/** A request with one envelope for each of these addresses. */
function mailTo(...addresses: string[]): EnvelopesToAccept {
  const nothing = new Uint8Array();
  return {
    from: ann,
    account: 0,
    via: 'session',
    network: null,
    now: 0,
    limits: { queueEnvelopes: 10, queueBytes: 1_000, shares: { sender: 1, network: 1 } },
    envelopes: addresses.map((to) => ({
      id: to,
      to,
      recipientDeviceKey: null,
      asRequest: false,
      isRemembered: true,
      ephemeralPublicKey: nothing,
      nonce: nothing,
      ciphertext: nothing,
    })),
  };
}

/** Batches whose commits end when the test ends them. */
function batches({ maxBytes = 1_000, maxCommits = 2 } = {}) {
  const commits: { recipients: string[]; end(): void; fail(error: Error): void }[] = [];
  const mail = new MailBatches({
    maxBytes,
    maxCommits,
    accept: (requests) => {
      const { promise, resolve, reject } = Promise.withResolvers<AcceptOutcome[][]>();
      commits.push({
        recipients: requests.flatMap(({ envelopes }) => envelopes.map(({ to }) => to)),
        end: () =>
          resolve(
            requests.map(({ envelopes }) => envelopes.map(() => ({ status: 'duplicate', acceptedAt: 1 }))),
          ),
        fail: reject,
      });
      return promise;
    },
  });
  return {
    mail,
    commits,
    /** Adds a request of ten bytes. @returns its outcomes */
    add: (...addresses: string[]) => mail.add(mailTo(...addresses), 10),
    recipients: () => commits.map((commit) => commit.recipients),
    async end(index: number) {
      commits[index]?.end();
      // The next commit begins one turn after that.
      await nextTurn();
      await nextTurn();
    },
  };
}

test('requests of one turn of the event loop share a commit, and each gets its own outcomes', async () => {
  const { add, end, recipients } = batches();
  const outcomes = Promise.all([add(bob), add(cleo, dan)]);
  await nextTurn();
  expect(recipients()).toEqual([[bob, cleo, dan]]);
  await end(0);
  expect((await outcomes).map((each) => each.length)).toEqual([1, 2]);
});

test('fewer envelopes than a commit has under way wait for its end', async () => {
  const { add, end, recipients } = batches();
  void add(ann, bob);
  await nextTurn();
  void add(cleo);
  await nextTurn();
  expect(recipients()).toEqual([[ann, bob]]);
  await end(0);
  expect(recipients()).toEqual([[ann, bob], [cleo]]);
});

test('as many envelopes begin a second commit, and no third one', async () => {
  const { add, end, recipients } = batches();
  void add(ann);
  await nextTurn();
  void add(bob);
  await nextTurn();
  void add(cleo, dan);
  await nextTurn();
  expect(recipients()).toEqual([[ann], [bob]]);
  await end(1);
  expect(recipients()).toEqual([[ann], [bob], [cleo, dan]]);
});

test('with one commit at a time there is no second one', async () => {
  const { add, recipients } = batches({ maxCommits: 1 });
  void add(ann);
  await nextTurn();
  void add(bob);
  await nextTurn();
  expect(recipients()).toEqual([[ann]]);
});

test('simultaneous commits have no recipient in common, in any spelling', async () => {
  const { add, end, recipients } = batches();
  void add(ann);
  await nextTurn();
  void add(ann.toUpperCase().replace('X', 'x'));
  void add(bob);
  await nextTurn();
  expect(recipients()).toEqual([[ann], [bob]]);
  await end(1);
  expect(recipients()).toHaveLength(2);
  await end(0);
  expect(recipients()).toHaveLength(3);
});

test('a request for several recipients waits for all of them, and requests to them after it stay after it', async () => {
  const { add, end, recipients } = batches();
  void add(ann);
  await nextTurn();
  void add(ann, bob);
  void add(bob);
  void add(cleo);
  await nextTurn();
  expect(recipients()).toEqual([[ann], [cleo]]);
  await end(0);
  expect(recipients()).toEqual([[ann], [cleo], [ann, bob, bob]]);
});

test('a failed commit is repeated for each request alone, and only the bad one fails', async () => {
  const { add, commits, end, recipients } = batches();
  const [good, bad] = [add(ann), add(bob)];
  const failure = expect(bad).rejects.toThrow('bad row');
  await nextTurn();
  commits[0]?.fail(new Error('bad row'));
  await nextTurn();
  await end(1);
  expect(recipients()).toEqual([[ann, bob], [ann], [bob]]);
  await expect(good).resolves.toHaveLength(1);
  commits[2]?.fail(new Error('bad row'));
  await failure;
  // Its recipients are free again.
  void add(bob);
  await nextTurn();
  expect(recipients()).toHaveLength(4);
});

test('a database that is not available fails the whole batch', async () => {
  const { add, commits, recipients } = batches();
  const failures = Promise.allSettled([add(ann), add(bob)]);
  await nextTurn();
  commits[0]?.fail(new StoreUnavailable('no server'));
  expect((await failures).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(recipients()).toHaveLength(1);
});

test('a commit has about 512 envelopes, and the rest follows', async () => {
  const { mail, add, end, recipients } = batches({ maxBytes: 100_000, maxCommits: 1 });
  const addresses = Array.from({ length: 600 }, (_, index) => `0x${`${index}`.padStart(40, '0')}`);
  for (const address of addresses) void add(address);
  await nextTurn();
  expect(recipients().map(({ length }) => length)).toEqual([512]);
  expect(mail.bytes).toBe(88 * 10);
  await end(0);
  expect(recipients().flat()).toEqual(addresses);
});

test('large requests that wait for one recipient are not all considered again for each new one', async () => {
  const { add, end, recipients } = batches({ maxBytes: 100_000 });
  let count = 0;
  const large = () => Array.from({ length: 500 }, () => `0x${String(++count).padStart(40, '0')}`);
  void add(ann, ...large());
  await nextTurn();
  for (let each = 0; each < 100; each++) void add(ann, ...large());
  await nextTurn();
  using considered = vi.spyOn(Set.prototype, 'isDisjointFrom');
  void add(bob);
  await nextTurn();
  expect(considered.mock.calls.length).toBeLessThanOrEqual(5);
  expect(recipients()).toHaveLength(1);
  await end(0);
  expect(recipients()).toHaveLength(2);
});

test('more than the most waiting bytes is refused', async () => {
  const { add, mail } = batches({ maxBytes: 25 });
  void add(ann);
  void add(bob);
  await expect(add(cleo)).rejects.toThrow(StoreUnavailable);
  expect(mail.bytes).toBe(20);
});
