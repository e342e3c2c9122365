/**
 * Verdict on an entry from someone, compared with the relay's chain (docs/protocol.md, 'Rosters').
 *
 * Only a proof stops sending; otherwise one liar could silence a group. A proof is a change that is missing
 * from the relay's chain. Its signer is creator or admin at the end of that chain, and signed nothing in it
 * from that epoch on. A change that lost a race proves nothing, because its signer continued. Neither do
 * joins and leaves, which anyone can sign and never post.
 */
import { verifyEd25519 } from '../crypto.ts';
import { decodeBase64Url, decodeTime } from '../encoding.ts';
import { findDevice, hasExpired } from './devices.ts';
import { entryBytes, openEntry } from './entry.ts';
import { foldRoster } from './fold.ts';
import { type RosterEntry, readKind } from './forms.ts';
import { isCreatorOrAdmin, personOf, type RosterState } from './state.ts';
import type { RosterContext, RosterEnd, RosterWait } from './verdict.ts';

export type Evidence =
  /** Part of the relay's chain. */
  | 'shown'
  /**
   * Possibly just missing: it follows the relay's chain, and can be posted. If the relay refuses it, it is a
   * proof.
   */
  | 'follows'
  /** The relay shows another chain to someone. */
  | 'split'
  /** No proof. */
  | 'nothing'
  | RosterWait;

/**
 * Judges an entry beside the relay's current chain.
 * @param state result of folding that chain
 * @param hashAt hash of its entry with an epoch, from 1 to the state's, in base64url
 */
export function judgeEvidence(
  state: RosterState,
  entry: RosterEntry,
  hashAt: (epoch: number) => string,
  context: RosterContext,
): Evidence {
  const opened = openEntry(entry);
  if (!opened) return 'nothing';
  const { epoch, by, previous } = opened.json;
  if (epoch <= state.epoch && hashAt(epoch) === opened.hash) return 'shown';
  if (epoch === state.epoch + 1 && previous === state.hash) {
    const { end } = foldRoster(state, [entry], context);
    if (end === null) return 'follows';
    return waitOf(end) ?? 'nothing';
  }
  const body = readKind(opened.json);
  const signed = personOf(state, by)?.signed ?? 0;
  if (!body || body === 'newer' || body.kind !== 'change') return 'nothing';
  if (!isCreatorOrAdmin(state, by) || signed >= epoch) return 'nothing';

  // The entry before it is missing and cannot be folded: its device must be in the list that it names, and in
  // the highest.
  for (const list of new Set([body.list, Math.max(body.list, personOf(state, by)?.list ?? 0)])) {
    const device = findDevice(context, by, list, entry.deviceId);
    if (!device) return 'nothing';
    if ('end' in device) return device;
    const [key, signature] = [decodeBase64Url(device.key), decodeBase64Url(entry.signature)];
    if (hasExpired(device, decodeTime(body.issued))) return 'nothing';
    if (!verifyEd25519(key, entryBytes(state.groupId, opened.bytes), signature)) return 'nothing';
  }
  return 'split';
}

function waitOf(end: RosterEnd): RosterWait | null {
  return end.end === 'wait' ? end : null;
}
