/**
 * The known answers about rosters, folded again from the file alone.
 */
import { expect, test } from 'vitest';
import { sha256, verifyEd25519 } from '../../../../src/protocol/crypto.ts';
import { type DeviceList, findDeviceListFault } from '../../../../src/protocol/device-list.ts';
import {
  decodeBase64Url,
  decodeTime,
  encodeBase64Url,
  encodeUtf8,
} from '../../../../src/protocol/encoding.ts';
import { entryHash, groupIdOf, openEntry } from '../../../../src/protocol/roster/entry.ts';
import { judgeEvidence } from '../../../../src/protocol/roster/evidence.ts';
import { foldRoster } from '../../../../src/protocol/roster/fold.ts';
import { type LinkProof, RosterEntry, Ticket } from '../../../../src/protocol/roster/forms.ts';
import { deriveGroupPassword } from '../../../../src/protocol/roster/password.ts';
import { judgePost } from '../../../../src/protocol/roster/post.ts';
import { emptyRoster, membersOf, type RosterState } from '../../../../src/protocol/roster/state.ts';
import type { RosterContext, RosterEnd, RosterRefusal } from '../../../../src/protocol/roster/verdict.ts';
import { payFullScrypt } from '../../../support/full-scrypt.ts';
import { bytes, hex, readVectors } from '../../../support/vectors.ts';
import type { RosterCase } from '../../../support/waxwing-vectors/roster-cases.ts';
import type { RosterView } from '../../../support/waxwing-vectors/roster-chains.ts';
import type { EvidenceCase, PostCase } from '../../../support/waxwing-vectors/roster-relay.ts';

payFullScrypt();

interface File {
  now: string;
  people: Record<string, { address: string; deviceSeeds: object[]; lists: DeviceList[] }>;
  first: { body: string; signedBytes: string; entry: RosterEntry; hash: string; groupId: string };
  ticket: { signedBytes: string; ticket: Ticket };
  proofs: { key: string; joinBytes: string; join: LinkProof; admissionBytes: string; admission: LinkProof };
  passwords: { password: string; k: string; passwordProof: string; joinKey: string }[];
  groupId: string;
  chains: Record<string, { why: string; entries: RosterEntry[]; view: RosterView }>;
  beginnings: (RosterCase & { groupId: string })[];
  cases: Record<string, RosterCase[]>;
  posts: PostCase[];
  evidence: EvidenceCase[];
}

const file = readVectors<File>('waxwing/rosters.json');
const people = Object.entries(file.people).map(([name, person]) => ({ name, ...person }));
const deviceList: RosterContext['deviceList'] = (address, sequence) =>
  people.find((person) => person.address === address)?.lists[sequence - 1] ?? null;
const context = (now: string): RosterContext => ({ now: decodeTime(now), deviceList });
const nameOf = (address: string) => people.find((person) => person.address === address)?.name ?? address;

function entriesOf(name: string): RosterEntry[] {
  const chain = file.chains[name];
  if (!chain) throw new Error(`no chain ${name}`);
  return chain.entries;
}

function stateOf(name: string): RosterState {
  const { state, end } = foldRoster(emptyRoster(file.groupId), entriesOf(name), context(file.now));
  expect(end, name).toBeNull();
  return state;
}

const hashesOf = (name: string) => (epoch: number) => {
  const entry = entriesOf(name)[epoch - 1];
  if (!entry) throw new Error('asked for an entry that is not there');
  return entryHash(entry);
};

/** Expected state in the file. */
function viewOf(state: RosterState): RosterView {
  const { name, creator, admins, join, bots, links, unsignedBots } = state;
  return {
    name,
    members: membersOf(state).map(nameOf).sort(),
    creator: creator && nameOf(creator),
    admins: admins.map(nameOf),
    join,
    bots: bots.length,
    links: links.length,
    unsignedBots,
  };
}

/** Expected result in the file. */
function becomes(end: RosterEnd | null): object {
  if (end === null) return { becomes: 'folded' };
  const { end: what, ...rest } = end;
  return 'until' in rest
    ? { becomes: what, ...rest, until: new Date(rest.until).toISOString() }
    : { becomes: what, ...rest };
}

test('the device lists in the file are valid', () => {
  for (const { address, lists } of people) {
    for (const list of lists) expect(findDeviceListFault(address, list, decodeTime(file.now))).toBeNull();
  }
});

test('signs the bytes of the first entry, the ticket and the proofs', () => {
  const { first, ticket, proofs } = file;
  const key = (address: string, deviceId: string) =>
    decodeBase64Url(
      deviceList(address, 1)?.devices.find((device) => device.deviceId === deviceId)?.key ?? '',
    );
  const ann = people[0]?.address ?? '';
  expect(hex(decodeBase64Url(first.entry.body))).toBe(hex(encodeUtf8(first.body)));
  expect(encodeBase64Url(sha256(encodeUtf8(first.body)))).toBe(first.hash);
  expect(groupIdOf(encodeUtf8(first.body))).toBe(file.groupId);
  for (const [publicKey, signedBytes, signature] of [
    [key(ann, first.entry.deviceId), first.signedBytes, first.entry.signature],
    [key(ann, ticket.ticket.deviceId), ticket.signedBytes, ticket.ticket.signature],
    [decodeBase64Url(proofs.key), proofs.joinBytes, proofs.join.signature],
    [decodeBase64Url(proofs.key), proofs.admissionBytes, proofs.admission.signature],
  ] as const) {
    expect(verifyEd25519(publicKey, bytes(signedBytes), decodeBase64Url(signature))).toBe(true);
  }
});

test('derives the relay’s half and the group’s key from a password in any spelling', async () => {
  for (const { password, passwordProof, joinKey } of file.passwords) {
    const derived = await deriveGroupPassword(password, file.groupId);
    expect([derived.password, encodeBase64Url(derived.key.publicKey)], password).toEqual([
      passwordProof,
      joinKey,
    ]);
  }
  const [first, second, third] = file.passwords;
  expect(second?.k).toBe(third?.k);
  expect(first?.k).not.toBe(second?.k);
  await expect(deriveGroupPassword('', file.groupId)).rejects.toThrow('not a password');
  await expect(deriveGroupPassword('half \ud83d', file.groupId)).rejects.toThrow('not a password');
});

test.each(Object.entries(file.chains))('accepts a chain: %s', (name, { why, view }) => {
  const state = stateOf(name);
  expect(viewOf(state), why).toEqual(view);
  expect(state.memberCount).toBe(view.members.length);
});

test.each(Object.keys(file.chains))('folds pages to the same state: %s', (name) => {
  const entries = entriesOf(name);
  const whole = stateOf(name);
  for (let first = 0; first <= entries.length; first++) {
    const page = foldRoster(emptyRoster(file.groupId), entries.slice(0, first), context(file.now));
    const kept: RosterState = JSON.parse(JSON.stringify(page.state));
    const rest = foldRoster(kept, entries.slice(first), context(file.now));
    expect(rest).toMatchObject({ state: whole, end: null });
    expect([...page.entries, ...rest.entries].map(({ hash }) => hash)).toEqual(entries.map(entryHash));
  }
});

test('a group starts with the entry whose hash is its id', () => {
  for (const { why, groupId, entry, ...expected } of file.beginnings) {
    const { end } = foldRoster(emptyRoster(groupId), [entry], context(file.now));
    expect(becomes(end), why).toEqual(expected);
  }
});

const cases = Object.entries(file.cases).flatMap(([about, list]) => list.map((each) => ({ about, ...each })));

test.each(cases)('$about, $why: $becomes', ({ about, why, after, now, entry, ...expected }) => {
  const before = stateOf(after);
  const kept = JSON.stringify(before);
  const { state, entries, end } = foldRoster(before, [entry], context(now));
  expect(becomes(end), `${about}, ${why}`).toEqual(expected);
  expect(JSON.stringify(before)).toBe(kept);
  if (end === null) expect([state.epoch, entries.length]).toEqual([before.epoch + 1, 1]);
  else expect([state, entries]).toEqual([before, []]);
});

test('every refusal of the fold is in the file, except those of very large groups', () => {
  const all: Record<RosterRefusal, true> = {
    malformed: true,
    wrong_group: true,
    misplaced_create: true,
    group_ended: true,
    wrong_epoch: true,
    wrong_previous: true,
    issued_too_early: true,
    list_too_low: true,
    unknown_device: true,
    device_expired: true,
    wrong_signature: true,
    already_member: true,
    too_many_members: true,
    too_many_joins: true,
    ticket_needed: true,
    proof_needed: true,
    no_password: true,
    wrong_password: true,
    unknown_link: true,
    link_expired: true,
    wrong_link_signature: true,
    ticket_for_another: true,
    ticket_life: true,
    ticket_not_yet: true,
    ticket_expired: true,
    ticket_void: true,
    ticket_signer: true,
    ticket_device: true,
    ticket_device_expired: true,
    wrong_ticket_signature: true,
    not_a_member: true,
    not_allowed: true,
    remove_not_a_member: true,
    remove_not_allowed: true,
    admin_not_a_member: true,
    wrong_creator: true,
    bots_with_transfer: true,
    join_key_missing: true,
  };
  const reasons = [...cases, ...file.beginnings].flatMap((each) => ('reason' in each ? each.reason : []));
  expect(Object.keys(all).filter((reason) => !reasons.includes(reason as RosterRefusal))).toEqual([
    'group_ended',
    'too_many_members',
  ]);
});

test.each(file.posts)(
  'a relay and $why: $verdict',
  ({ why, after, now, newest, poster, entry, verdict, reason }) => {
    const result = judgePost(stateOf(after), entry, hashesOf(after), {
      ...context(now),
      newestList: () => newest,
      ...(poster && { poster }),
    });
    expect(result, why).toMatchObject(reason ? { verdict, reason } : { verdict });
  },
);

test.each(file.evidence)('evidence, $why: $evidence', ({ why, shown, entry, evidence }) => {
  const verdict = judgeEvidence(stateOf(shown), entry, hashesOf(shown), context(file.now));
  expect(typeof verdict === 'object' ? verdict.end : verdict, why).toBe(evidence);
});

test('the entries in the file have the form of the wire', () => {
  for (const { entries } of Object.values(file.chains)) {
    for (const entry of entries) {
      expect(RosterEntry.parse(entry)).toEqual(entry);
      expect(openEntry(entry)).not.toBeNull();
    }
  }
  expect(Ticket.parse(file.ticket.ticket)).toEqual(file.ticket.ticket);
});
