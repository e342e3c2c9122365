/** Creates the next entry of a chain. */
import { type PrivateKey, randomBytes } from '../crypto.ts';
import { decodeTime, encodeBase64Url, encodeTime } from '../encoding.ts';
import { groupIdOf, openEntry, signEntry } from './entry.ts';
import type { RosterContent, RosterEntry } from './forms.ts';
import { joinProofBytes, signProof } from './proofs.ts';
import type { RosterState } from './state.ts';

/** The signer of an entry or a ticket. */
export interface RosterSigner {
  readonly address: string;
  readonly deviceKey: PrivateKey;
  /** Number of the newest device list of the address. */
  readonly list: number;
}

/**
 * The first entry of a new group, and the group's id.
 * @param now milliseconds since 1970
 * @param nonce 16 random bytes, so that groups with the same name differ
 */
export function createGroup(
  signer: RosterSigner,
  name: string,
  now: number,
  nonce: Uint8Array = randomBytes(16),
): { groupId: string; entry: RosterEntry } {
  const entry = signEntry(signer.deviceKey, null, {
    epoch: 1,
    previous: null,
    issued: encodeTime(now),
    by: signer.address,
    list: signer.list,
    kind: 'create',
    nonce: encodeBase64Url(nonce),
    name,
  });
  const opened = openEntry(entry);
  if (!opened) throw new Error('a group whose beginning cannot be read');
  return { groupId: groupIdOf(opened.bytes), entry };
}

/** Signed statement for joining a group by its password, at the end of the chain. */
export function joinByPassword(
  state: Pick<RosterState, 'groupId' | 'hash'>,
  address: string,
  passwordKey: PrivateKey,
): Extract<RosterContent, { kind: 'join' }> {
  return { kind: 'join', password: signProof(passwordKey, endProof(state, address)) };
}

function endProof({ groupId, hash }: Pick<RosterState, 'groupId' | 'hash'>, address: string): Uint8Array {
  if (hash === null) throw new Error('no one can join a group before its first entry');
  return joinProofBytes(groupId, hash, address);
}

/**
 * The entry after a state. Fold it before sending: the fold decides on its validity.
 * @param now milliseconds since 1970. The entry is issued no earlier than the last one, and than its ticket.
 */
export function nextEntry(
  state: Pick<RosterState, 'groupId' | 'epoch' | 'hash' | 'issued'>,
  signer: RosterSigner,
  content: Exclude<RosterContent, { kind: 'create' }>,
  now: number,
): RosterEntry {
  const ticketIssued = content.kind === 'join' && content.ticket ? decodeTime(content.ticket.issued) : 0;
  return signEntry(signer.deviceKey, state.groupId, {
    epoch: state.epoch + 1,
    previous: state.hash,
    issued: encodeTime(Math.max(now, state.issued, ticketIssued)),
    by: signer.address,
    list: signer.list,
    ...content,
  });
}
