import { Failure } from '../../base/failure.ts';
import type { StoredGroup } from '../cache/group-chains.ts';
import type { Context } from '../context.ts';

/** The group of a conversation. @throws Failure 'group_unknown' */
export function groupOf(
  { conversations, groups }: Pick<Context, 'conversations' | 'groups'>,
  conversationId: string,
): StoredGroup {
  const conversation = conversations.get(Number(conversationId));
  const group = conversation?.partner.kind === 'group' ? groups.get(conversation.partner.groupId) : null;
  if (!group) throw new Failure('group_unknown');
  return group;
}
