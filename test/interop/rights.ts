import type { Channel } from './payload.ts';

/** Proof of a message's sender: a device, a bot of the group, or only the relay's claim. */
export type Proof = 'signed' | 'bot' | 'api' | 'token';

const WITHOUT_A_DEVICE = new Set(['text', 'attachment', 'poll', 'reaction', 'edit', 'delete']);

/**
 * Whether a content of that kind counts (section 7, 'Rights'). What a device signed may be of any kind; what a bot
 * signed or came by a group token counts in a group alone.
 */
export function mayBeSent(proof: Proof, channel: Channel, kind: string): boolean {
  if (proof === 'signed') return true;
  if (proof !== 'api' && channel === 'direct') return false;
  return WITHOUT_A_DEVICE.has(kind);
}
