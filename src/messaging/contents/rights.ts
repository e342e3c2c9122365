/**
 * Who may send what. A signature is a person's word. What nobody signed is the relay's word, and counts for as little
 * as can be: it shows itself, and changes nothing else.
 */
import type { UnsignedKind } from '../../protocol/device-list.ts';
import type { Channel } from './kind.ts';

/**
 * The kinds that may come unsigned, also those that this version does not know yet. All of them either show a text or
 * change unsigned messages of the same sender.
 */
const UNSIGNED_KINDS: ReadonlySet<string> = new Set([
  'text',
  'attachment',
  'poll',
  'reaction',
  'edit',
  'delete',
]);

/** How a sender is known: by a certified device's signature, or by the relay's word, which the sender's list allows. */
export type SenderProof = 'signed' | UnsignedKind;

/** Where a body came from, as far as that is proven. */
export interface Origin {
  proof: SenderProof;
  channel: Channel;
  /** Wire address. */
  sender: string;
  /** The creator of the group as this device knows it; null for a direct message. */
  creator: string | null;
}

/** Why a sender may not send this. */
export type UnsignedProblem =
  /** A direct message that came by a group token. */
  | 'direct_by_token'
  /** It came by a group token, and not from the creator of the group. */
  | 'token_not_of_creator'
  /** The kind takes a signature. */
  | 'kind_unsigned';

/** Why a sender may not send this; null if they may. */
export function findUnsignedProblem(origin: Origin, body: { kind: string }): UnsignedProblem | null {
  if (origin.proof === 'signed') return null;
  if (origin.proof === 'bots') {
    if (origin.channel === 'direct') return 'direct_by_token';
    if (origin.sender !== origin.creator) return 'token_not_of_creator';
  }
  if (!UNSIGNED_KINDS.has(body.kind)) return 'kind_unsigned';
  return null;
}
