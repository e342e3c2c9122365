/**
 * Who may send what. A device's signature is a person's word. What a bot signed, or nobody did, counts for as little as can
 * be: it shows itself, and changes nothing else.
 */
import type { Channel } from './channel.ts';

/**
 * The kinds that may come without a device's signature, also those that this version does not know yet. All of them either
 * show a text or change such messages of the same sender.
 */
const OPEN_KINDS: ReadonlySet<string> = new Set(['text', 'attachment', 'poll', 'reaction', 'edit', 'delete']);

/** How a sender is known. */
export type SenderProof =
  /** A device that the sender's wallet certifies signed it. */
  | 'signed'
  /** A bot signed it, which the chain of the group names. */
  | 'bot'
  /** Nobody signed it: the relay's word, which the sender's list allows. */
  | 'api'
  /** Nobody signed it: it came by a group token, which the chain of the group allows. */
  | 'token';

/** Where a body came from, as far as that is proven. */
export interface Origin {
  proof: SenderProof;
  channel: Channel;
}

/** Why a sender may not send this. */
export type UnsignedProblem =
  /** A direct message that came by a group token. */
  | 'direct_by_token'
  /** The kind takes a device's signature. */
  | 'kind_unsigned';

/** Why a sender may not send this; null if they may. */
export function findUnsignedProblem(origin: Origin, body: { kind: string }): UnsignedProblem | null {
  if (origin.proof === 'signed') return null;
  if (origin.proof !== 'api' && origin.channel === 'direct') return 'direct_by_token';
  if (!OPEN_KINDS.has(body.kind)) return 'kind_unsigned';
  return null;
}
