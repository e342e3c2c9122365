/** The person's current rights on a message: the actions that others would accept. */
import type { MessageRights } from '../../bridge/shapes/message.ts';
import type { Authorship, Place } from '../../messaging/contents/authorship.ts';
import { findControlProblem } from '../../messaging/contents/control-rights.ts';
import { findEditProblem } from '../../messaging/contents/edits.ts';
import { editableFieldOf } from '../../messaging/contents/message-kinds.ts';
import { decodeTime } from '../../protocol/encoding.ts';
import type { StoredConversation } from '../cache/conversations.ts';
import type { StoredMessage } from '../cache/message-rows.ts';
import { authorshipOf, placeOf } from '../content-store.ts';
import type { Context } from '../context.ts';

const NOTHING: MessageRights = { refer: false, edit: false, deleteForEveryone: false, pin: false };

/** The person's role, for all messages of one conversation. */
export interface PersonRole {
  readonly place: Place;
  /** True if they can write there now. */
  readonly canWrite: boolean;
}

/** @param own wire address */
export function personRoleOf(context: Context, conversation: StoredConversation, own: string): PersonRole {
  const { partner, state } = conversation;
  const isIn = partner.kind === 'direct' || (context.groups.get(partner.groupId)?.joined ?? false);
  return { place: placeOf(context, conversation, own), canWrite: isIn && state === 'accepted' };
}

/** @param now milliseconds since 1970 */
export function rightsOf(
  { place, canWrite }: PersonRole,
  message: StoredMessage,
  now: number,
): MessageRights {
  if (message.event || message.deletedBy !== null) return NOTHING;
  if (isUnsealed(message))
    return { ...NOTHING, edit: editableFieldOf(message.body.kind) !== null, deleteForEveryone: true };
  // Its text may be another one than that of the message which others have under its name.
  if (message.trust === 'imported') return NOTHING;
  if (!canWrite || !isThere(message)) return NOTHING;
  const self: Authorship = { by: 'person', address: place.self };
  const may = (kind: string) => findControlProblem(kind, self, place, authorshipOf(message)) === null;
  const times = { sentAt: decodeTime(message.body.sentAt), receivedAt: message.receivedAt };
  const isInTime =
    findEditProblem(times, { sentAt: Math.max(now, times.sentAt + 1), receivedAt: now }, true) === null;
  return {
    refer: true,
    edit: may('edit') && editableFieldOf(message.body.kind) !== null && isInTime,
    deleteForEveryone: may('delete'),
    pin: may('pin'),
  };
}

/** Reports whether an own message has no sealed copy yet. */
export function isUnsealed({ state, digest }: StoredMessage): boolean {
  return state === 'queued' && digest === null;
}

/** Reports whether others have it under its digest. */
function isThere({ state, digest }: StoredMessage): boolean {
  return digest !== null && (state === 'sent' || state === 'received');
}
