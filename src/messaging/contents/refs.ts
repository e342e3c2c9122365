/** References between messages, and their resolution (docs/protocol.md, 'References'). */
import type { MessageId, Ref } from './fields.ts';

const DAY = 24 * 3_600_000;

/** Longest wait of a content for its target, in milliseconds. */
export const PENDING_LIFE = 45 * DAY;
/** Limit of waiting contents in one conversation, and of one sender in it. The oldest are dropped. */
export const MAX_PENDING = { conversation: 1_000, sender: 100 } as const;

/** A message in the conversation of the reference. Messages of other conversations do not count. */
export interface Target extends MessageId {
  digest: string;
}

/**
 * Resolution of a reference: its target; `other` if the sender saw another message under that name, and then
 * a reply shows no quote and a control is dropped; or `pending` without one.
 * @param target of the same conversation, with that sender and id; null for none
 */
export function judgeRef(ref: Ref, target: Target | null): 'target' | 'other' | 'pending' {
  if (!target) return 'pending';
  const isSame = ref.sender === target.sender && ref.id === target.id && ref.digest === target.digest;
  return isSame ? 'target' : 'other';
}

/** A control that waits for its target. */
export interface Pending {
  readonly sender: string;
  /** Start of the wait, in milliseconds since 1970. */
  readonly since: number;
}

/**
 * Contents to drop: those that make room for one more in a conversation, and those that waited too long.
 * @param pending of one conversation, oldest first
 */
export function droppedFor<P extends Pending>(pending: readonly P[], sender: string, now: number): P[] {
  const over = pending.filter(({ since }) => now - since > PENDING_LIFE);
  const left = pending.filter((one) => !over.includes(one));
  const sameSender = left.filter((one) => one.sender === sender);
  const ofSender = sameSender.slice(0, Math.max(0, sameSender.length + 1 - MAX_PENDING.sender));
  const others = left.filter((one) => !ofSender.includes(one));
  const ofAll = others.slice(0, Math.max(0, others.length + 1 - MAX_PENDING.conversation));
  return [...over, ...ofSender, ...ofAll];
}
