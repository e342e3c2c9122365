import type { Message } from '../../bridge/shapes/message.ts';

/** Delivery of an own message. */
export type Delivery = 'sending' | 'sent' | 'delivered' | 'read' | 'failed';

const ofState = { queued: 'sending', sent: 'sent', failed: 'failed' } as const;

/** @returns null for messages of others */
export function deliveryOf({ state, delivery }: Pick<Message, 'state' | 'delivery'>): Delivery | null {
  if (state === 'sent' && delivery !== 'none') return delivery;
  return state === 'received' ? null : ofState[state];
}
