import { expect, test } from 'vitest';
import { findDroppedAct } from '../../../../src/protocol/roster/dropped-acts.ts';
import { type FoldedEntry, foldRoster } from '../../../../src/protocol/roster/fold.ts';
import {
  arrivalOf,
  departuresOf,
  endedBotsOf,
  pastEntryOf,
} from '../../../../src/protocol/roster/history.ts';
import {
  type FoldedChain,
  type GroupMessage,
  judgeGroupMessage,
} from '../../../../src/protocol/roster/messages.ts';
import { emptyRoster } from '../../../../src/protocol/roster/state.ts';
import {
  type Action,
  BEGINNING,
  contextOf,
  DAY,
  MINUTE,
  RosterChain,
  rosterFixture,
} from '../../../support/rosters.ts';

const [ann, ben, cleo, dan] = [
  rosterFixture('ann', 0x60),
  rosterFixture('ben', 0x64),
  rosterFixture('cleo', 0x68),
  rosterFixture('dan', 0x6c),
] as const;
const people = [ann, ben, cleo, dan];
const JOIN: Action = { kind: 'join' };

/** 1 founded, 2 open, 3 ben, 4 cleo, 5 cleo removed, 6 dan, 7 dan left. */
const chain = new RosterChain(people, ann)
  .add(ann, { kind: 'change', join: 'open' })
  .add(ben, JOIN)
  .add(cleo, JOIN)
  .add(ann, { kind: 'change', remove: [cleo.address] })
  .add(dan, JOIN)
  .add(dan, { kind: 'leave' });

function foldedOf({ groupId, entries, state }: RosterChain): readonly FoldedEntry[] {
  return foldRoster(emptyRoster(groupId), entries, contextOf(people, state.issued + DAY)).entries;
}

function foldedChain(): FoldedChain {
  const folded = foldedOf(chain);
  return {
    state: chain.state,
    hashAt: (epoch) => chain.hashAt(epoch),
    wasMember: (address, epoch) =>
      folded.slice(0, epoch).reduce((is, entry) => {
        if (arrivalOf(entry) === address) return true;
        return is && !departuresOf(entry).some((departure) => departure.address === address);
      }, false),
    departuresAfter: (epoch) => folded.slice(epoch).flatMap(departuresOf),
    botsEndedAfter: (epoch) => folded.slice(epoch).map(pastEntryOf).flatMap(endedBotsOf),
  };
}

const removal = chain.state.issued - 2 * MINUTE;
const message = (epoch: number, change: Partial<GroupMessage> = {}): GroupMessage => ({
  sender: ben.address,
  authorship: { by: 'member' },
  roster: { epoch, hash: epoch <= chain.state.epoch ? chain.hashAt(epoch) : chain.hashAt(1) },
  sentAt: removal,
  receivedAt: removal,
  isRequested: false,
  ...change,
});
const judge = (epoch: number, change?: Partial<GroupMessage>) =>
  judgeGroupMessage(foldedChain(), message(epoch, change));
const shown = (unaware: string[] = []) => ({ verdict: 'shown', unaware, bot: null });

test('a message is shown if its sender was a member at the entry that it names', () => {
  expect(judge(7)).toEqual(shown());
  expect(judge(3)).toEqual(shown());
  expect(judge(2)).toEqual({ verdict: 'not_a_member' });
  expect(judge(4, { sender: cleo.address })).toEqual(shown());
  expect(judge(5, { sender: cleo.address })).toEqual({ verdict: 'not_a_member' });
});

test('asks about a message that names an unknown entry', () => {
  expect(judge(8)).toEqual({ verdict: 'ask', bot: null });
  expect(judge(4, { roster: { epoch: 4, hash: chain.hashAt(3) } })).toEqual({ verdict: 'ask', bot: null });
});

test('accepts messages of departed members for ten minutes by the time of arrival', () => {
  const late = (minutes: number) => ({ sender: cleo.address, receivedAt: removal + minutes * MINUTE });
  expect(judge(4, { ...late(10), receivedAt: removal + 10 * MINUTE - 1 })).toEqual(shown());
  expect(judge(4, late(10))).toEqual({ verdict: 'not_a_member' });
  // Its claimed time makes no difference.
  expect(judge(4, { ...late(10), sentAt: removal - DAY })).toEqual({ verdict: 'not_a_member' });
  const left = chain.state.issued;
  expect(judge(6, { sender: dan.address, receivedAt: left + 10 * MINUTE })).toEqual({
    verdict: 'not_a_member',
  });
});

const KEYS = ['A', 'B', 'C'].map((letter) => `${letter.repeat(42)}A`);
const [first = '', second = '', stranger = ''] = KEYS;
const bot = (key: string, name = key.slice(0, 1)) => ({ key, name });
const byBot = (key: string) => ({ by: 'bot', isOf: (other: string) => other === key }) as const;

/** 1 founded, 2 open with two bots, 3 ben, 4 the first bot ends, 5 over to ben, 6 ben’s own bot of the second key. */
const withBots = new RosterChain(people, ann, 'Bots')
  .add(ann, { kind: 'change', join: 'open', bots: [bot(first), bot(second)], unsignedBots: true })
  .add(ben, JOIN)
  .add(ann, { kind: 'change', bots: [bot(second)] })
  .add(ann, { kind: 'change', creator: ben.address })
  .add(ben, { kind: 'change', bots: [bot(second, 'mine')] });

/** The state of the chain after an entry. */
function botChainAt(epoch: number): FoldedChain {
  const { groupId, entries } = withBots;
  const folded = foldRoster(
    emptyRoster(groupId),
    entries.slice(0, epoch),
    contextOf(people, withBots.state.issued + DAY),
  );
  const after = (epoch: number) => folded.entries.slice(epoch).map(pastEntryOf);
  return {
    state: folded.state,
    hashAt: (each) => withBots.hashAt(each),
    wasMember: () => true,
    departuresAfter: (each) => after(each).flatMap(departuresOf),
    botsEndedAfter: (each) => after(each).flatMap(endedBotsOf),
  };
}

const issuedAt = (epoch: number) => BEGINNING + (epoch - 1) * MINUTE;
/** Verdict on a post that refers to an entry, by the chain after another entry. */
function judgePost(known: number, named: number, change: Partial<GroupMessage>) {
  const hash = withBots.hashAt(Math.min(named, known));
  const at = issuedAt(known);
  const roster = { epoch: named, hash };
  const { verdict, bot: signer = null } = {
    bot: null,
    ...judgeGroupMessage(botChainAt(known), {
      ...message(1),
      sender: ann.address,
      roster,
      sentAt: at,
      receivedAt: at,
      ...change,
    }),
  };
  return signer ? `${verdict} ${signer.name}` : verdict;
}

test('accepts a bot by its key in the chain, from the responsible creator', () => {
  expect(judgePost(3, 3, { authorship: byBot(first) })).toBe('shown A');
  expect(judgePost(3, 3, { authorship: byBot(second) })).toBe('shown B');
  expect(judgePost(3, 3, { authorship: byBot(stranger) })).toBe('unknown_bot');
  expect(judgePost(3, 3, { authorship: byBot(first), sender: ben.address })).toBe('not_by_the_creator');
  expect(judgePost(3, 1, { authorship: byBot(first) }), 'it stands now').toBe('shown A');
});

test('accepts an ended bot for ten minutes by the time of arrival, not by its own time', () => {
  const arrived = (minutes: number) => ({ receivedAt: issuedAt(4) + minutes * MINUTE });
  expect(judgePost(4, 3, { authorship: byBot(first), ...arrived(9) })).toBe('shown A');
  expect(judgePost(4, 3, { authorship: byBot(first), ...arrived(10) })).toBe('unknown_bot');
  expect(judgePost(4, 3, { authorship: byBot(first), ...arrived(10), sentAt: 0 })).toBe('unknown_bot');
  expect(judgePost(4, 4, { authorship: byBot(first), ...arrived(0) }), 'it knew').toBe('unknown_bot');
});

test('a bot ends with its creator’s rights, and another creator’s bot with the same key differs', () => {
  expect(judgePost(5, 3, { authorship: byBot(second) })).toBe('shown B');
  expect(judgePost(5, 5, { authorship: byBot(second) })).toBe('unknown_bot');
  const toBen = { authorship: byBot(second), sender: ben.address };
  expect(judgePost(6, 6, toBen)).toBe('shown mine');
  expect(judgePost(6, 3, { authorship: byBot(second) }), 'ann’s, under way').toBe('shown B');
  expect(judgePost(6, 3, { authorship: byBot(second), receivedAt: issuedAt(5) + 10 * MINUTE })).toBe(
    'not_by_the_creator',
  );
});

test('accepts unsigned posts of a token by the chain’s current setting, not by the entry that they name', () => {
  const authorship = { by: 'token' } as const;
  expect(judgePost(3, 3, { authorship })).toBe('shown');
  expect(judgePost(3, 1, { authorship })).toBe('shown');
  expect(judgePost(3, 3, { authorship, sender: ben.address })).toBe('not_by_the_creator');
  expect(judgePost(5, 3, { authorship, sender: ben.address })).toBe('unsigned_bots');
  expect(judgePost(5, 3, { authorship })).toBe('not_by_the_creator');
});

test('asks about unknown entries only for bots of the group', () => {
  expect(judgePost(3, 9, { authorship: byBot(first) })).toBe('ask A');
  expect(judgePost(3, 9, { authorship: byBot(stranger) })).toBe('unknown_bot');
  expect(judgePost(4, 9, { authorship: byBot(first) }), 'ended').toBe('unknown_bot');
  expect(judgePost(5, 9, { authorship: { by: 'token' } })).toBe('not_by_the_creator');
});

test('marks a message written without knowledge of a removal after ten minutes', () => {
  expect(judge(4, { sentAt: removal + 10 * MINUTE - 1 })).toEqual(shown());
  expect(judge(4, { sentAt: removal + 10 * MINUTE })).toEqual(shown([cleo.address]));
  expect(judge(4, { sentAt: removal + 10 * MINUTE, isRequested: true })).toEqual(shown());
  expect(judge(5, { sentAt: removal + DAY })).toEqual(shown());
  expect(judge(6, { sentAt: removal + DAY })).toEqual(shown());
});

test('a change by a valid device confirms acts of a removed device', () => {
  const open = new RosterChain(people, ann)
    .add(ann, { kind: 'change', join: 'open' }, { device: 1 })
    .add(ben, JOIN);
  const stolen = ann.devices[1].entry.deviceId;
  const find = (each: RosterChain, dropped = [stolen]) =>
    findDroppedAct(each.state, foldedOf(each).toReversed(), (_address, id) => dropped.includes(id));
  const act = { epoch: 2, address: ann.address, deviceId: stolen };
  expect(find(open, [])).toBeNull();
  expect(find(open)).toEqual(act);
  expect(find(open.copy().add(cleo, JOIN))).toEqual(act);
  const confirmed = open.copy().add(ann, { kind: 'change' });
  expect(find(confirmed)).toBeNull();

  const ticket = confirmed.ticket(ann, dan, { device: 1 });
  const admitted = confirmed.copy().add(dan, { kind: 'join', ticket });
  expect(find(admitted)).toEqual({ ...act, epoch: 5 });
  const admins = admitted.copy().add(ann, { kind: 'change', admins: [ben.address] });
  expect(find(admins)).toBeNull();

  // Members without rights confirm nothing.
  const byBen = open
    .copy()
    .add(ann, { kind: 'change', admins: [ben.address] }, { device: 1 })
    .add(ben, { kind: 'change' })
    .add(ben, { kind: 'leave' });
  expect(find(byBen)).toEqual({ ...act, epoch: 4 });
});

test('a former member cannot stop a group by removing the device of their changes', () => {
  const stolen = ann.devices[1].entry.deviceId;
  const find = (each: RosterChain) =>
    findDroppedAct(each.state, foldedOf(each).toReversed(), (_address, id) => id === stolen);
  const act = { address: ann.address, deviceId: stolen };
  const begun = new RosterChain(people, ann).add(ann, { kind: 'change', join: 'open' }, { device: 1 });
  const left = begun.copy().add(ben, JOIN).add(ann, { kind: 'leave' });
  expect(find(left)).toBeNull();

  // Rights that they granted remain, and stop sending until they are revoked or confirmed.
  const given = begun
    .copy()
    .add(ben, JOIN)
    .add(ann, { kind: 'change', admins: [ben.address] }, { device: 1 })
    .add(ann, { kind: 'leave' });
  expect(find(given)).toEqual({ ...act, epoch: 4 });
  expect(find(given.copy().add(ben, { kind: 'leave' }))).toBeNull();

  // A member whom they admitted stops sending, too, as long as that member stays.
  const admitted = new RosterChain(people, ann);
  const ticket = admitted.ticket(ann, dan, { device: 1 });
  admitted.add(dan, { kind: 'join', ticket }).add(ann, { kind: 'leave' });
  expect(find(admitted)).toEqual({ ...act, epoch: 2 });
  expect(find(admitted.copy().add(dan, { kind: 'leave' }))).toBeNull();
});
