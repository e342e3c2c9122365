/** The picture of a group, set by the person. */
import { Failure } from '../../base/failure.ts';
import { findControlProblem } from '../../messaging/contents/control-rights.ts';
import type { AttachedFile } from '../../protocol/blob/file.ts';
import { isCreatorOrAdmin } from '../../protocol/roster/state.ts';
import type { StoredConversation } from '../cache/conversations.ts';
import { giveUpPicture } from '../cache/face-pictures.ts';
import type { StoredGroup } from '../cache/group-chains.ts';
import { placeOf } from '../content-store.ts';
import { type EngineParts, requireOnline } from '../parts.ts';
import { composeControl } from './compose.ts';

/** @throws Failure 'group_unknown', 'picture_by_admins' */
export function requirePictureRight(parts: EngineParts, conversation: StoredConversation): StoredGroup {
  const { context } = parts;
  const own = requireOnline(parts).account.address;
  const { partner } = conversation;
  const group = partner.kind === 'group' ? context.groups.get(partner.groupId) : null;
  if (!group) throw new Failure('group_unknown');
  const place = placeOf(context, conversation, own);
  const problem = findControlProblem('picture', { by: 'person', address: own }, place, null);
  if (!isCreatorOrAdmin(group.state, own) || problem !== null) throw new Failure('picture_by_admins');
  return group;
}

/**
 * Queues the picture of a group.
 * @param file null for none
 * @param onQueued called in the same transaction
 * @throws Failure as {@link requirePictureRight}; 'group_left'
 */
export function setGroupPicture(
  parts: EngineParts,
  conversation: StoredConversation,
  file: AttachedFile | null,
  onQueued: () => void = () => undefined,
): void {
  const { context } = parts;
  const online = requireOnline(parts);
  const { groupId } = requirePictureRight(parts, conversation);
  const before = context.faces.get(groupId);
  composeControl(parts, conversation, { kind: 'picture', file }, before, () => {
    onQueued();
    if (before?.sender === online.account.address) giveUpPicture(context, before);
  });
  online.transfers.wake();
  context.own.groupChanged(groupId);
  context.own.emitChanges();
}
