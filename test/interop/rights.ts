import type { Channel } from './payload.ts';

/** Proof of a message's sender: a device, a bot of the group, or only the relay's claim. */
export type Proof = 'signed' | 'bot' | 'api' | 'token';

const WITHOUT_A_DEVICE = new Set(['text', 'attachment', 'poll', 'reaction', 'edit', 'delete']);

/**
 * Reports whether a content of that kind is valid (section 7, 'Rights'). Signed by a device, it may be of any kind;
 * signed by a bot or sent by a group token, it is valid in a group only.
 */
export function mayBeSent(proof: Proof, channel: Channel, kind: string): boolean {
  if (proof === 'signed') return true;
  if (proof !== 'api' && channel === 'direct') return false;
  return WITHOUT_A_DEVICE.has(kind);
}
