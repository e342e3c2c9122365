/**
 * The outcome of a received content in the cache.
 */
import type { Trust } from '../../bridge/shapes/message.ts';
import type { SenderProof } from '../../messaging/contents/rights.ts';
import type { Received } from '../../messaging/receiving/received.ts';
import type { MessageBody } from '../../messaging/sending/outgoing.ts';
import type { StoredGroup } from '../cache/group-chains.ts';
import type { NewReaction } from './new-reaction.ts';

/** A stored message, with its notification. */
export interface NewMessage {
  conversationId: number;
  messageId: number;
  request: boolean;
  /** True if its sender's request became an accepted chat by an invite link. */
  hasAccepted: boolean;
  /** Name of the group. */
  group: string | null;
  /** True if another person wrote it, and the chat's settings allow a notification. */
  notify: boolean;
  mentionsMe: boolean;
  muted: boolean;
}

export interface ReceiveOutcome {
  received: Received<StoredGroup>;
  /** False for a duplicate, which changes nothing. */
  isNew: boolean;
  /** Null for a control, and for a message that is not shown. */
  stored: NewMessage | null;
  /** The conversation in which it changed something; null without a change. */
  changed: number | null;
  /** Null unless it is a reaction that notifies. */
  reaction: NewReaction | null;
  /** True if text was erased from the disk. */
  hasErased: boolean;
}

/** The trust to show for a proven body. @param own the person's address */
export function trustOf(
  { proof, body }: { proof: SenderProof; body: Pick<MessageBody, 'sender'> },
  own: string,
): Trust {
  if (proof !== 'signed') return proof;
  return body.sender === own ? 'self' : 'verified';
}
