/**
 * How one message refers to another, and what becomes of a reference (docs/protocol.md, 'References').
 */
import type { MessageId, Ref } from './fields.ts';

const DAY = 24 * 3_600_000;

/** What came before its target waits for so long, in milliseconds. */
export const PENDING_LIFE = 45 * DAY;
/** What waits for its target in one conversation, and of one sender in it. The oldest are dropped. */
export const MOST_PENDING = { conversation: 1_000, sender: 100 } as const;
/** So long a deleted message stays deleted, should it come again or late, in milliseconds. */
export const TOMBSTONE_LIFE = 90 * DAY;

/** A message of the conversation that a reference came in. A message of another conversation is none. */
export interface Target extends MessageId {
  digest: string;
}

/**
 * What a reference leads to: its target; `other` where the sender saw another message under that name, so that a reply shows
 * no quote and a control is dropped; or `pending` while there is none.
 * @param target of the same conversation, with that sender and id; null if there is none
 */
export function judgeRef(ref: Ref, target: Target | null): 'target' | 'other' | 'pending' {
  if (!target) return 'pending';
  const isSame = ref.sender === target.sender && ref.id === target.id && ref.digest === target.digest;
  return isSame ? 'target' : 'other';
}

/** A control that waits for its target. */
export interface Pending {
  readonly sender: string;
  /** Since when, in milliseconds since 1970. */
  readonly since: number;
}

/**
 * Those that make room for one more in a conversation, and those that have waited for too long.
 * @param pending of one conversation, oldest first
 */
export function droppedFor<P extends Pending>(pending: readonly P[], sender: string, now: number): P[] {
  const over = pending.filter(({ since }) => now - since > PENDING_LIFE);
  const left = pending.filter((one) => !over.includes(one));
  const sameSender = left.filter((one) => one.sender === sender);
  const ofSender = sameSender.slice(0, Math.max(0, sameSender.length + 1 - MOST_PENDING.sender));
  const others = left.filter((one) => !ofSender.includes(one));
  const ofAll = others.slice(0, Math.max(0, others.length + 1 - MOST_PENDING.conversation));
  return [...over, ...ofSender, ...ofAll];
}
