import { describe, expect, test } from 'vitest';
import { fromHex, toBase64url, toHex } from '../../interop/bytes.ts';
import type { DeviceList } from '../../interop/device-list.ts';
import { msOf } from '../../interop/forms.ts';
import { signingKey } from '../../interop/keys.ts';
import { admissionBytes, passwordKeys, proofBytes } from '../../interop/password.ts';
import { entryBytes, entryHash, groupIdOf } from '../../interop/roster-entry.ts';
import { judgeEntryAsEvidence } from '../../interop/roster-evidence.ts';
import { foldEntry, judgeEntry } from '../../interop/roster-fold.ts';
import { emptyGroup, type GroupState, membersOf } from '../../interop/roster-state.ts';
import { isTicketSigned, signTicket, ticketBytes } from '../../interop/ticket.ts';
import { payFullScrypt } from '../../support/full-scrypt.ts';
import { all, readVectors } from './read-vectors.ts';

payFullScrypt();

/** rosters.json: the chain of a group, folded by the client of test/interop. */

interface Person {
  address: string;
  deviceSeeds: { deviceId: string; seed: string }[];
  lists: DeviceList[];
}

const v = readVectors('rosters');
const people: Record<string, Person> = v.people;
const now = msOf(v.now);

const lists = (address: string, sequence: number): DeviceList | undefined =>
  Object.values(people)
    .find((person) => person.address === address)
    ?.lists.find((list) => list.sequence === sequence);
const nameOf = (address: string) =>
  Object.keys(people).find((name) => people[name]?.address === address) ?? address;

const folded = new Map<string, GroupState>();

/** The state after a chain, folded once: each test uses a copy. */
function chain(name: string): GroupState {
  const state = folded.get(name) ?? fold(name);
  folded.set(name, state);
  return structuredClone(state);
}

function fold(name: string): GroupState {
  const state = emptyGroup(v.groupId);
  for (const entry of v.chains[name].entries) {
    expect(foldEntry(state, entry, now, lists)).toEqual({ is: 'folded' });
  }
  return state;
}

test('the first entry, whose hash is the id of the group', () => {
  const { body, signedBytes, entry, hash, groupId } = v.first;
  const bytes = Buffer.from(body);
  expect(toBase64url(bytes)).toBe(entry.body);
  expect(toHex(entryBytes(groupId, bytes))).toBe(signedBytes);
  expect(entryHash(bytes)).toBe(hash);
  expect(groupIdOf(bytes)).toBe(groupId);
});

test('a ticket', () => {
  const { signedBytes, ticket } = v.ticket;
  expect(toHex(ticketBytes(v.groupId, ticket))).toBe(signedBytes);
  const ann = Object.values(people).find(({ address }) => address === ticket.by);
  const device = signingKey(fromHex(ann?.deviceSeeds[0]?.seed ?? ''));
  expect(isTicketSigned(v.groupId, ticket, device.key)).toBe(true);
  const signer = { address: ticket.by, device, list: ticket.list };
  const times = { issued: msOf(ticket.issued), expires: msOf(ticket.expires) };
  expect(signTicket(v.groupId, signer, ticket.address, times)).toEqual(ticket);
});

test('the proofs of a link', () => {
  const {
    seed,
    key,
    address,
    previous,
    joinBytes,
    join,
    admissionBytes: admission,
    admission: signed,
  } = v.proofs;
  const link = signingKey(fromHex(seed));
  expect(link.key).toBe(key);
  expect(toHex(proofBytes(v.groupId, previous, address))).toBe(joinBytes);
  expect(link.sign(fromHex(joinBytes))).toBe(join.signature);
  expect(toHex(admissionBytes(v.groupId, address))).toBe(admission);
  expect(link.sign(fromHex(admission))).toBe(signed.signature);
});

test.each(all(v.passwords))(
  'the password $password',
  async ({ password, normal, salt, k, passwordProof, joinKey }) => {
    const keys = await passwordKeys(v.groupId, password);
    expect([toHex(keys.normal), toHex(keys.salt), toHex(keys.k)]).toEqual([normal, salt, k]);
    expect([keys.passwordProof, keys.key.key]).toEqual([passwordProof, joinKey]);
  },
);

describe('chains', () => {
  test.each(Object.keys(v.chains))('%s', (name) => {
    const state = chain(name);
    const { view } = v.chains[name];
    expect({
      name: state.name,
      members: membersOf(state).map(nameOf).toSorted(),
      creator: state.creator === null ? null : nameOf(state.creator),
      admins: state.admins.map(nameOf),
      join: state.join,
      bots: state.bots.length,
      links: state.links.length,
      unsignedBots: state.unsignedBots,
    }).toEqual({ ...view, members: view.members.toSorted() });
  });
  test.each(all(v.beginnings))('$why', ({ groupId, entry, becomes, reason }) => {
    const verdict = foldEntry(emptyGroup(groupId), entry, now, lists);
    expect(verdict).toEqual(reason === undefined ? { is: becomes } : { is: becomes, reason });
  });
});

describe.each(Object.keys(v.cases))('%s', (about) => {
  test.each(all(v.cases[about]))('$why', ({ after, entry, becomes, why: _, now: at, until, ...rest }) => {
    const state = chain(after);
    const expected = { is: becomes, ...rest, ...(until === undefined ? {} : { until: msOf(until) }) };
    expect(judgeEntry(state, entry, msOf(at), lists)).toEqual(expected);
    const before = structuredClone(state);
    const verdict = foldEntry(state, entry, msOf(at), lists);
    expect(verdict).toEqual(expected);
    if (verdict.is !== 'folded') expect(state).toEqual(before);
  });
});

test.each(all(v.evidence))('evidence: $why', ({ shown, entry, evidence, now: at }) => {
  expect(judgeEntryAsEvidence(chain(shown), entry, at === undefined ? now : msOf(at), lists)).toBe(evidence);
});
