/** Names of conversations where other ones are shown: with the handle if another chat is with a person of the same name. */
import { useQuery } from '@tanstack/react-query';
import { type HasNamesake, namesakesIn } from '../../base/person-name.ts';
import type { Conversation } from '../../bridge/shapes/conversation.ts';
import { distinctNameIn } from '../../words/distinct-name.ts';
import { callBridge, queryKey } from '../bridge.ts';
import { words } from '../words.tsx';
import { conversationName } from './conversation.ts';

/** Compared names by list. A list is read once for all of its rows. */
const known = new WeakMap<readonly Conversation[], HasNamesake>();

/** Reports whether another listed chat is with a person of the same name. Blocked people are not compared. */
export function hasNamesakeIn(listed: readonly Conversation[], conversation: Conversation): boolean {
  if (conversation.kind !== 'direct' || conversation.isSelf) return false;
  let hasNamesake = known.get(listed);
  if (!hasNamesake) {
    hasNamesake = namesakesIn(
      listed.flatMap((each) =>
        each.kind === 'direct' && !each.isSelf && each.state !== 'blocked' ? [each.peer] : [],
      ),
    );
    known.set(listed, hasNamesake);
  }
  return hasNamesake(conversation.peer);
}

/** The name of a conversation among those of a list. */
export function distinctConversationName(
  listed: readonly Conversation[],
  conversation: Conversation,
): string {
  return conversation.kind === 'direct' && !conversation.isSelf
    ? distinctNameIn(words, conversation.peer, hasNamesakeIn(listed, conversation))
    : conversationName(conversation);
}

/** Reports whether another chat of this person's list has the same name. Rendered again only if this changes. */
export function useHasNamesake(conversation: Conversation): boolean {
  const { data = false } = useQuery({
    queryKey: queryKey('conversations.list', {}),
    queryFn: () => callBridge('conversations.list', {}),
    select: (listed) => hasNamesakeIn(listed, conversation),
  });
  return data;
}

/** The name of a conversation among all chats. */
export function useDistinctName(conversation: Conversation): string {
  const hasNamesake = useHasNamesake(conversation);
  return conversation.kind === 'direct' && !conversation.isSelf
    ? distinctNameIn(words, conversation.peer, hasNamesake)
    : conversationName(conversation);
}
