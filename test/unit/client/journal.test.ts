import { appendFileSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RefusedData } from '../../../src/base/refused-sentences.ts';
import { Journal } from '../../../src/client/identity/journal/journal.ts';
import { MAX_PINS, MAX_STRANGERS } from '../../../src/client/identity/journal/pins.ts';
import { ReceivedMessages } from '../../../src/client/identity/journal/received.ts';
import { textBody } from '../../../src/client/sealing.ts';
import { NOTHING_NOTED, type RememberedGroup } from '../../../src/messaging/groups/chain-memory.ts';
import { NOTHING_KNOWN } from '../../../src/messaging/trust/address-trust.ts';
import { encodeBase64Url, encodeTime } from '../../../src/protocol/encoding.ts';
import { foldRoster } from '../../../src/protocol/roster/fold.ts';
import { endedBotsOf, pastEntryOf } from '../../../src/protocol/roster/history.ts';
import { emptyRoster } from '../../../src/protocol/roster/state.ts';
import type { GroupEnvelope } from '../../../src/protocol/schemas/groups.ts';
import { temporaryFolder } from '../../support/engine.ts';
import { contextOf, RosterChain, rosterFixture } from '../../support/rosters.ts';

const DAY = 24 * 3_600_000;
const NOW = Date.parse('2026-11-20T20:00:00.000Z');
const ALICE = `0x${'a'.repeat(40)}`;
const BEN = `0x${'b'.repeat(40)}`;

const message = (id: string, at = NOW, sender = ALICE) => ({ sender, id, isSigned: true, sentAt: at, at });
/** Sends a message. @param n part of its id */
function send(journal: Journal, n: string): void {
  const id = Buffer.from(n.padStart(16)).toString('base64url');
  journal.outgoing(textBody(id, BEN, { peer: ALICE }, 'hello', NOW), ALICE, true).end(true);
}
const knows = (journal: Journal, id: string) => journal.isDuplicate(message(id));

test('restores entries after a restart from a file readable only by its owner', () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'journal');
  const journal = new Journal(path, NOW);
  expect([knows(journal, 'one'), journal.sent(ALICE)]).toEqual([false, 0]);
  journal.recordReceived(message('one'));
  for (const id of ['a', 'b']) send(journal, id);
  const again = new Journal(path, NOW);
  expect([knows(again, 'one'), knows(again, 'two'), again.sent(ALICE)]).toEqual([true, false, 2]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('a truncated line does not affect the lines around it', () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'journal');
  new Journal(path, NOW).recordReceived(message('before'));
  appendFileSync(path, '\n{"taken":{"sender":"0xaa');
  new Journal(path, NOW).recordReceived(message('after'));
  const journal = new Journal(path, NOW);
  expect(['before', 'after'].map((id) => knows(journal, id))).toEqual([true, true]);
});

test('forgets messages that cannot arrive again and rewrites a long journal', () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'journal');
  const old = Array.from({ length: 2_000 }, (_, n) =>
    JSON.stringify({ message: message(String(n), NOW - 136 * DAY) }),
  );
  appendFileSync(path, old.join('\n'));
  const journal = new Journal(path, NOW);
  journal.recordReceived(message('new'));
  expect([knows(journal, '5'), knows(journal, 'new')]).toEqual([false, true]);
  expect(readFileSync(path, 'utf8').trim().split('\n')).toHaveLength(1);
});

/** A chain of Ann's group as added to a journal, entry by entry. */
function follow(journal: Journal, chain: RosterChain): void {
  let state = emptyRoster(chain.groupId);
  for (const entry of chain.entries) {
    const folded = foldRoster(state, [entry], contextOf(chain.people, NOW + 400 * DAY));
    state = folded.state;
    journal.chains.advance(
      state,
      folded.entries.map((each) => ({ entry, past: pastEntryOf(each), sets: each.sets })),
    );
  }
}

test('restores the state of a group’s chain after a restart and a compaction', () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'journal');
  const [ann, ben, cat] = [
    rosterFixture('ann', 0x10),
    rosterFixture('ben', 0x20),
    rosterFixture('cat', 0x30),
  ];
  const chain = new RosterChain([ann, ben, cat], ann).add(ann, { kind: 'change', join: 'open' });
  chain
    .add(ben, { kind: 'join' })
    .add(cat, { kind: 'join' })
    .add(ann, { kind: 'change', remove: [ben.address] });
  const journal = new Journal(path, NOW);
  expect(journal.chains.find(chain.groupId)).toBeNull();
  follow(journal, chain);
  const notes = { ...NOTHING_NOTED, stop: { why: 'newer' as const } };
  journal.chains.note(journal.chains.find(chain.groupId) as RememberedGroup, notes);
  expect(new Journal(path, NOW).chains.find(chain.groupId)).toMatchObject({ state: chain.state, notes });
  for (let n = 0; n < 500; n++) send(journal, String(n));
  const { chains } = new Journal(path, NOW);
  expect(chains.find(chain.groupId)).toMatchObject({ state: chain.state, notes });
  expect(chains.whole(chain.groupId)).toEqual(chain.entries);
  expect([...chains.newestFirst(chain.groupId)].map(({ hash }) => hash)).toEqual(
    [5, 4, 3, 2, 1].map((epoch) => chain.hashAt(epoch)),
  );
  expect(statSync(path).size, 'it was rewritten').toBeLessThan(100_000);
});

test('restores the ended bots of each entry after a restart and a compaction', () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'journal');
  const ann = rosterFixture('ann', 0x10);
  const bot = { key: encodeBase64Url(new Uint8Array(32).fill(7)), name: 'builds' };
  const chain = new RosterChain([ann], ann)
    .add(ann, { kind: 'change', bots: [bot] })
    .add(ann, { kind: 'change', bots: [] });
  const journal = new Journal(path, NOW);
  follow(journal, chain);
  const ended = ({ chains }: Journal) => chains.after(chain.groupId, 1).flatMap(endedBotsOf);
  const expected = [{ bot, by: ann.address, at: chain.state.issued }];
  expect(ended(journal)).toEqual(expected);
  expect(ended(new Journal(path, NOW))).toEqual(expected);
  for (let n = 0; n < 500; n++) send(journal, String(n));
  expect(ended(new Journal(path, NOW))).toEqual(expected);
});

test('restores planned and sent list announcements after a restart and a compaction', () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'journal');
  const journal = new Journal(path, NOW);
  const plan = (address: string, dueAt: number | null, sentAt: number | null) => ({
    address,
    after: 1,
    dueAt,
    sentAt,
  });
  journal.hellos.save([plan(ALICE, NOW, null), plan(BEN, NOW + 1, null)], 2);
  journal.hellos.save([plan(ALICE, null, NOW)]);
  const again = new Journal(path, NOW);
  for (let n = 0; n < 500; n++) send(again, String(n));
  for (const { hellos } of [again, new Journal(path, NOW)]) {
    expect([hellos.plannedList(), hellos.nextDueAt()]).toEqual([2, NOW + 1]);
    expect(hellos.due(NOW + 1, 10)).toEqual([plan(BEN, NOW + 1, null)]);
    expect(hellos.find(ALICE)).toEqual(plan(ALICE, null, NOW));
  }
});

test('stores only facts about the last hundred refused envelopes', () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'journal');
  const journal = new Journal(path, NOW);
  const envelope = { id: 'an-id', from: ALICE, ciphertext: 'x'.repeat(88_000) };
  const why: RefusedData = { code: 'payload', parameters: { fault: 'fields' } };
  for (let count = 0; count < 1_500; count++) journal.markRefused(envelope, why, NOW);
  expect(journal.refused).toHaveLength(100);
  expect(statSync(path).size).toBeLessThan(1024 * 1024);
  expect(readFileSync(path, 'utf8')).not.toContain('xxx');
  const { refused } = new Journal(path, NOW);
  expect(refused).toHaveLength(100);
  expect(refused.at(-1)).toEqual({ refused: { id: 'an-id', from: ALICE }, why, at: NOW });
});

test('knows a message of 60 days ago after the journal was rewritten', () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'journal');
  const first = new Journal(path, NOW);
  first.recordReceived(message('old'));
  const sixtyDaysOn = NOW + 60 * DAY;
  for (let sent = 1; sent <= 500; sent++) send(first, String(sent));
  expect(statSync(path).size, 'it was rewritten').toBeLessThan(100_000);
  const journal = new Journal(path, sixtyDaysOn);
  journal.recordReceived(message('later', sixtyDaysOn));
  expect([knows(journal, 'old'), knows(new Journal(path, sixtyDaysOn), 'old')]).toEqual([true, true]);
});

test('a flooding sender displaces only their own older messages', () => {
  const messages = new ReceivedMessages(100);
  for (let n = 0; n < 10; n++) messages.add(message(`ben ${n}`, NOW + n, BEN));
  for (let n = 0; n < 1_000; n++) messages.add(message(`alice ${n}`, NOW + n));
  expect(messages.size).toBeLessThanOrEqual(102);
  const known = Array.from({ length: 10 }, (_, n) => messages.has(message(`ben ${n}`, NOW, BEN)));
  expect(known).toEqual(Array(10).fill(true));
  expect(messages.mayBeForgotten(BEN, NOW)).toBe(false);
  // A message that is no longer remembered is refused because of its time, so it cannot be replayed.
  for (let n = 0; n < 1_000; n++) {
    const isRefused = messages.has(message(`alice ${n}`)) || messages.mayBeForgotten(ALICE, NOW + n);
    expect(isRefused, String(n)).toBe(true);
  }
  expect(messages.mayBeForgotten(ALICE, NOW + 1_000)).toBe(false);
});

test('strangers whose messages are dated ahead do not make a program refuse what others send', () => {
  const messages = new ReceivedMessages(10);
  const AHEAD = NOW + DAY;
  // More senders than limits are stored: the oldest limits are merged into one for all senders.
  for (let stranger = 0; stranger < 11_000; stranger++) {
    const sender = `0x${stranger.toString(16).padStart(40, '0')}`;
    for (let n = 0; n < 6; n++) messages.add({ ...message(`${stranger} ${n}`, AHEAD, sender), at: NOW });
  }
  expect(messages.mayBeForgotten(BEN, NOW)).toBe(true);
  expect(messages.mayBeForgotten(BEN, NOW + 1)).toBe(false);
});

test('restores sealed unsent messages after a crash with number and time, but not finished ones', () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'journal');
  const id = Buffer.alloc(16).toString('base64url');
  const bodyAt = (text: string, now: number) => textBody(id, BEN, { peer: ALICE }, text, now);
  const sending = new Journal(path, NOW).outgoing(bodyAt('secret words', NOW), ALICE, true);
  // A message that is never sealed gets no number, so there is no gap.
  expect(sending.body).toMatchObject({ seq: 0, text: 'secret words' });
  sending.saveBody({ ...sending.body, sentAt: encodeTime(NOW + 5) }, '');
  expect(sending.body).toMatchObject({ seq: 1, text: 'secret words' });
  sending.addCopies([copy('A'), copy('B'), copy('C')]);
  sending.acceptCopies([copy('A').recipientDeviceKey]);
  sending.removeCopies([copy('C').recipientDeviceKey]);
  expect(readFileSync(path, 'utf8'), 'the words are in no file').not.toContain('secret words');

  const again = new Journal(path, NOW);
  const after = again.outgoing(bodyAt('secret words', NOW + DAY), ALICE, true);
  expect(after.body).toMatchObject({ seq: 1, sentAt: encodeTime(NOW + 5), text: 'secret words' });
  expect(after.copies()).toEqual([
    { envelope: copy('A'), accepted: true },
    { envelope: copy('B'), accepted: false },
  ]);
  after.end(true);
  const next = new Journal(path, NOW).outgoing(bodyAt('other words', NOW + DAY), ALICE, true);
  next.saveBody(next.body, '');
  expect([next.copies(), next.body.seq]).toEqual([[], 2]);
});

test('keeps a bounded number of abandoned messages, and all that are being sent', () => {
  const journal = new Journal(null, NOW);
  const idOf = (n: number) => Buffer.from(String(n).padStart(16)).toString('base64url');
  const begin = (n: number) => {
    const sending = journal.outgoing(textBody(idOf(n), BEN, { peer: ALICE }, 'x', NOW), ALICE, true);
    sending.addCopies([copy('A')]);
    return sending;
  };
  const all = Array.from({ length: 150 }, (_, n) => begin(n));
  expect(all.every((sending) => sending.copies().length === 1)).toBe(true);
  for (const sending of all) sending.end(false);
  expect(all.filter((sending) => sending.copies().length === 1)).toHaveLength(100);
  expect(all[149]?.copies()).toHaveLength(1);
});

function copy(key: string): GroupEnvelope {
  const bytes = `${key.repeat(42)}A`;
  return {
    toAddress: ALICE,
    recipientDeviceKey: bytes,
    ciphertext: 'A'.repeat(400),
    ephemeralPublicKey: bytes,
    nonce: 'A'.repeat(16),
  };
}

const address = (index: number) => `0x${index.toString(16).padStart(40, '0')}`;
const pin = (journal: Journal, index: number) => journal.save(address(index), NOTHING_KNOWN);
const wrote = (journal: Journal, index: number) => {
  const id = Buffer.from(String(index).padStart(16)).toString('base64url');
  journal.outgoing(textBody(id, BEN, { peer: address(index) }, 'x', NOW), address(index), false).end(true);
};
const pinned = (journal: Journal, from: number, to: number) =>
  Array.from({ length: to - from }, (_, n) => journal.load(address(from + n))).filter(
    (trust) => trust !== null,
  ).length;

test('any number of strangers stores bounded data and drops no pin of contacts', () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'journal');
  const journal = new Journal(path, NOW);
  for (const index of [1, 2]) {
    pin(journal, index);
    wrote(journal, index);
  }
  const fellow = rosterFixture('fellow', 0x10);
  follow(journal, new RosterChain([fellow], fellow));
  journal.save(fellow.address, NOTHING_KNOWN);
  for (let index = 100; index < 5_100; index++) pin(journal, index);
  const again = new Journal(path, NOW);
  for (const each of [journal, again]) {
    expect(pinned(each, 1, 3)).toBe(2);
    expect(each.load(fellow.address)).not.toBeNull();
    expect(pinned(each, 100, 5_100)).toBeLessThanOrEqual(MAX_STRANGERS + 100);
    // The last used address is still known.
    expect(pinned(each, 5_000, 5_100)).toBe(100);
  }
  expect(readFileSync(path, 'utf8').trim().split('\n').length).toBeLessThan(3_000);
});

test('drops the least recent recipients beyond the limit', () => {
  const journal = new Journal(null, NOW);
  pin(journal, 1);
  wrote(journal, 1);
  for (let index = 100; index < 100 + MAX_PINS + 2 * MAX_STRANGERS; index++) {
    pin(journal, index);
    wrote(journal, index);
    // Written to repeatedly, but never read again.
    if (index % 1_000 === 0) wrote(journal, 1);
  }
  const last = 100 + MAX_PINS + 2 * MAX_STRANGERS;
  expect(pinned(journal, 1, 2)).toBe(1);
  expect(pinned(journal, last - MAX_PINS + 100, last)).toBe(MAX_PINS - 100);
  expect(pinned(journal, 100, last)).toBeLessThanOrEqual(MAX_PINS + MAX_STRANGERS + 100);
  expect(pinned(journal, 100, 200)).toBe(0);
});
