/**
 * Signed rosters: hashed and signed bytes, passwords and tickets, chains, and the result of an entry after each.
 */

import { scryptSync } from 'node:crypto';
import { importEd25519 } from '../../../src/protocol/crypto.ts';
import {
  concatBytes,
  decodeBase64Url,
  decodeTime,
  decodeUtf8,
  encodeBase64Url,
  encodeTime,
  encodeU32,
  encodeU64,
  encodeUtf8,
} from '../../../src/protocol/encoding.ts';
import { entryBytes, entryHash } from '../../../src/protocol/roster/entry.ts';
import { addressBytes } from '../../../src/protocol/wire-address.ts';
import { fixedBytes } from '../identities.ts';
import { BEGINNING, DAY, type RosterChain } from '../rosters.ts';
import { hex } from '../vectors.ts';
import { beginnings, rosterCases } from './roster-cases.ts';
import { admissionByLink, ann, ben, chains, joinByLink, linkKey, people } from './roster-chains.ts';
import { evidenceCases, postCases } from './roster-relay.ts';

export function rosterVectors() {
  return {
    now: encodeTime(BEGINNING + 400 * DAY),
    people: Object.fromEntries(
      people.map(({ name, address, devices, lists }) => [
        name,
        {
          address,
          deviceSeeds: devices.map(({ entry }, index) => seedOf(name, index, entry.deviceId)),
          lists,
        },
      ]),
    ),
    first: firstEntry(chains.founded.chain),
    ticket: ticket(chains.founded.chain),
    proofs: proofs(chains.linked.chain),
    passwords: passwords(chains.founded.chain.groupId),
    groupId: chains.founded.chain.groupId,
    chains: Object.fromEntries(
      Object.entries(chains).map(([name, { why, chain, view }]) => [
        name,
        { why, entries: chain.entries, view },
      ]),
    ),
    beginnings: beginnings(),
    cases: rosterCases(),
    posts: postCases(),
    evidence: evidenceCases(),
  };
}

function seedOf(name: string, index: number, deviceId: string) {
  const first = 0x60 + 4 * people.findIndex((person) => person.name === name);
  return { deviceId, seed: hex(fixedBytes(first + 1 + index)) };
}

function firstEntry({ entries, groupId }: RosterChain) {
  const [entry] = entries;
  if (!entry) throw new Error('a chain has a beginning');
  const body = decodeBase64Url(entry.body);
  return {
    body: decodeUtf8(body),
    signedBytes: hex(entryBytes(groupId, body)),
    entry,
    hash: entryHash(entry),
    groupId,
  };
}

function ticket(chain: RosterChain) {
  const signed = chain.ticket(ann, ben);
  const signedBytes = concatBytes(
    encodeUtf8('waxwing/ticket/v1'),
    decodeBase64Url(chain.groupId),
    addressBytes(signed.address),
    encodeU64(decodeTime(signed.issued)),
    encodeU64(decodeTime(signed.expires)),
    addressBytes(signed.by),
    encodeU32(signed.list),
  );
  return { signedBytes: hex(signedBytes), ticket: signed };
}

function proofs(chain: RosterChain) {
  const group = decodeBase64Url(chain.groupId);
  const join = joinByLink(chain, ben);
  return {
    seed: hex(fixedBytes(0x75)),
    key: encodeBase64Url(linkKey.publicKey),
    address: ben.address,
    previous: chain.state.hash,
    joinBytes: hex(
      concatBytes(
        encodeUtf8('waxwing/join/v1'),
        group,
        decodeBase64Url(chain.state.hash ?? ''),
        addressBytes(ben.address),
      ),
    ),
    join: join.kind === 'join' ? join.link : null,
    admissionBytes: hex(concatBytes(encodeUtf8('waxwing/admission/v1'), group, addressBytes(ben.address))),
    admission: admissionByLink(chain, ben),
  };
}

/** The last is the one before in other characters: NFKC makes them the same. */
const PASSWORDS = ['correct horse battery staple', 'Åﬁve', 'A\u030afive'];

function passwords(groupId: string) {
  const salt = concatBytes(encodeUtf8('waxwing/join/v1'), decodeBase64Url(groupId));
  return PASSWORDS.map((password) => {
    const normal = encodeUtf8(password.normalize('NFKC'));
    const k = scryptSync(normal, salt, 64, { N: 2 ** 17, r: 8, p: 1, maxmem: 2 ** 28 });
    return {
      password,
      normal: hex(normal),
      salt: hex(salt),
      k: hex(k),
      passwordProof: encodeBase64Url(k.subarray(0, 32)),
      joinKey: encodeBase64Url(importEd25519(k.subarray(32)).publicKey),
    };
  });
}
