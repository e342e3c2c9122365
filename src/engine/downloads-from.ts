/** Senders whose pictures are downloaded without a request. */
import type { StoredConversation } from './cache/conversations.ts';
import type { Context } from './context.ts';

/** Anyone may join an open group: there, only pictures of accepted people are downloaded without a request. */
export function downloadsFrom(
  { conversations, groups }: Context,
  { state, partner }: StoredConversation,
  sender: string,
): boolean {
  if (state !== 'accepted') return false;
  if (partner.kind === 'direct' || groups.get(partner.groupId)?.state.join !== 'open') return true;
  return conversations.stateWith(sender) === 'accepted';
}
