/**
 * What an entry that someone sends says about the chain that the relay shows (docs/protocol.md, 'Rosters').
 *
 * Only a proof stops sending; else one liar could silence a group. A proof is a change that the shown chain does not have,
 * signed by someone who is creator or admin at its end and who signed nothing in it from that epoch on. A change that lost a
 * race proves nothing, for its signer went on; nor do joins and leaves, which anybody can sign and never post.
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
  /** The shown chain has it. */
  | 'shown'
  /** It may simply be missing: it follows the shown chain, and can be posted. If the relay does not take it, it is a proof. */
  | 'follows'
  /** The relay shows another chain to someone. */
  | 'split'
  /** It proves nothing. */
  | 'nothing'
  | RosterWait;

/**
 * Judges an entry beside the chain that the relay shows now.
 * @param state what the shown chain folds to
 * @param hashAt hash of the shown entry with an epoch, from 1 to the state's, in base64url
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

  // What it follows is not there to be folded: its device must stand in the list that it names, and in the highest.
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
