/**
 * Rights by kind of proof. A device's signature counts as the person's. Messages by bots and unsigned ones
 * have minimal rights: they are shown, and change nothing else.
 */
import type { Channel } from './channel.ts';
import { isUnsignedKind } from './control-rights.ts';

/** Kinds of proof of a sender. */
export type SenderProof =
  /** Signed by a device that the sender's wallet certifies. */
  | 'signed'
  /** Signed by a bot in the chain of the group. */
  | 'bot'
  /** Unsigned: claimed by the relay, and allowed by the sender's list. */
  | 'api'
  /** Unsigned: posted with a group token, and allowed by the chain of the group. */
  | 'token';

/** The proven origin of a body. */
export interface Origin {
  proof: SenderProof;
  channel: Channel;
}

/** Reason for refusing a sender. */
export type UnsignedProblem =
  /** A direct message posted with a group token. */
  | 'direct_by_token'
  /** The kind requires a device's signature. */
  | 'kind_unsigned';

/** Reason for refusing a sender; null if allowed. */
export function findUnsignedProblem(origin: Origin, body: { kind: string }): UnsignedProblem | null {
  if (origin.proof === 'signed') return null;
  if (origin.proof !== 'api' && origin.channel === 'direct') return 'direct_by_token';
  if (!isUnsignedKind(body.kind)) return 'kind_unsigned';
  return null;
}
