/** Parts of rosters that only tests create separately. */
import type { PrivateKey } from '../../src/protocol/crypto.ts';
import { decodeTime } from '../../src/protocol/encoding.ts';
import { groupIdOf, openEntry } from '../../src/protocol/roster/entry.ts';
import type { RosterContent, RosterEntry } from '../../src/protocol/roster/forms.ts';
import { joinProofBytes, signLinkProof } from '../../src/protocol/roster/proofs.ts';
import type { RosterState } from '../../src/protocol/roster/state.ts';

/** Place after the first entry of a chain, for signing the next one before folding. */
export function placeAfter(entry: RosterEntry): Pick<RosterState, 'groupId' | 'epoch' | 'hash' | 'issued'> {
  const opened = openEntry(entry);
  if (!opened) throw new Error('what follows is asked of no entry');
  const { epoch, issued } = opened.json;
  return { groupId: groupIdOf(opened.bytes), epoch, hash: opened.hash, issued: decodeTime(issued) };
}

/** Signed statement for joining a group by an invite link, at the end of the chain. */
export function joinByLink(
  { groupId, hash }: Pick<RosterState, 'groupId' | 'hash'>,
  address: string,
  linkKey: PrivateKey,
): Extract<RosterContent, { kind: 'join' }> {
  if (hash === null) throw new Error('the group has no first entry');
  return { kind: 'join', link: signLinkProof(linkKey, joinProofBytes(groupId, hash, address)) };
}
