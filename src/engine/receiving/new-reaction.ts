/** Reactions to own messages that notify. */
import type { Applied } from '../../messaging/contents/kind.ts';
import { drawnEmoji, ReactionContent } from '../../messaging/contents/kinds/reaction.ts';
import { botOf, type Received } from '../../messaging/receiving/received.ts';
import { decodeBase64Url } from '../../protocol/encoding.ts';
import { type ConversationHead, isMuted } from '../cache/conversations.ts';
import type { StoredGroup } from '../cache/group-chains.ts';
import { authorshipOf } from '../content-store.ts';
import type { Context } from '../context.ts';

/** Older ones of a backlog do not notify, in milliseconds. */
const MAX_AGE = 10 * 60_000;

/** A reaction to an own message. */
export interface NewReaction {
  conversationId: number;
  messageId: number;
  /** The emoji that was added, as it is drawn. */
  emoji: string;
  /** True if it still is on the message. */
  isThere: () => boolean;
}

/**
 * Prepares the notification of a content that is applied next.
 * @param own wire address of the person
 * @returns the reaction after the content was applied; null for a content that does not notify
 */
export function followReaction(
  context: Context,
  own: string,
  received: Received<StoredGroup>,
  conversation: ConversationHead | null,
): (applied: Applied) => NewReaction | null {
  const { body, proof, receivedAt } = received;
  const none = () => null;
  if (body.kind !== 'reaction' || body.sender === own || conversation?.state !== 'accepted') return none;
  if (isMuted(conversation, context.now()) || receivedAt < context.now() - MAX_AGE) return none;
  if (received.channel === 'group' && !received.group.joined) return none;
  const target = ReactionContent.safeParse(body).data?.target;
  if (target?.sender !== own) return none;
  const message = context.messages.find(conversation.id, own, decodeBase64Url(target.id), target.digest);
  if (message?.trust !== 'self' || message.deletedBy !== null) return none;
  const by = authorshipOf({ sender: body.sender, trust: proof, bot: botOf(received) });
  const emojiNow = () => context.annotations.emojiOf(message.id, by);
  const before = new Set(emojiNow());
  return (applied) => {
    const added = applied === 'changed' ? emojiNow().findLast((each) => !before.has(each)) : undefined;
    if (added === undefined) return null;
    return {
      conversationId: conversation.id,
      messageId: message.id,
      emoji: drawnEmoji(added),
      isThere: () => emojiNow().includes(added),
    };
  };
}
