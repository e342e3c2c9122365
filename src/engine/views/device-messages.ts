/** Messages by own devices that were removed since: one question for each of them and each chat. */
import type { DeviceChange } from '../../bridge/shapes/device.ts';
import { keptMessagesKey } from '../../messaging/contents/kinds/own.ts';
import { toLabel } from '../../protocol/label.ts';
import type { StoredConversation } from '../cache/conversations.ts';
import type { Context } from '../context.ts';
import { personRoleOf } from './message-rights.ts';
import { isKept, type Listed, namedDevice } from './own-changes.ts';
import { personName } from './person-name.ts';

/** Limit of the shown number of messages, and of messages that one answer deletes. */
export const MAX_COUNTED = 1_000;

/** Messages by a removed device in one chat. */
export interface DeviceMessages {
  /** Key for the answer. */
  key: string;
  conversation: StoredConversation;
  deviceId: string;
}

/**
 * Chats with messages by removed devices and without an answer, newest chats first.
 * @param most limit for each device
 */
export function openMessages(context: Context, listed: Listed, most: number): DeviceMessages[] {
  const { conversations, identity, ownDeviceMessages } = context;
  const open: DeviceMessages[] = [];
  for (const deviceId of identity.removedDevices()) {
    let count = 0;
    for (const id of ownDeviceMessages.conversations(deviceId)) {
      if (count >= most) break;
      const conversation = conversations.get(id);
      if (!conversation || isKept(context, listed, keptMessagesKey(conversation.name, deviceId), true))
        continue;
      open.push({ key: `messages/${conversation.name}/${deviceId}`, conversation, deviceId });
      count++;
    }
  }
  return open;
}

/** The messages for the interface. @param own the person's address */
export function toMessagesChange(
  context: Context,
  listed: Listed,
  { key, conversation, deviceId }: DeviceMessages,
  own: string,
): DeviceChange {
  const { contacts, groups, ownDeviceMessages } = context;
  const { id, partner } = conversation;
  const ids = ownDeviceMessages.in(id, deviceId, MAX_COUNTED + 1);
  const group = partner.kind === 'group' ? groups.get(partner.groupId) : null;
  const name = group
    ? toLabel(group.state.name) || group.groupId
    : personName({ ...contacts.profile(conversation.name), nickname: null });
  return {
    key,
    mark: 'messages',
    subject: name,
    group: group && name,
    isSet: true,
    text: null,
    before: null,
    seconds: null,
    messages: {
      conversationId: String(id),
      firstId: String(ids[0] ?? 0),
      count: Math.min(ids.length, MAX_COUNTED),
      isMore: ids.length > MAX_COUNTED,
    },
    undo: personRoleOf(context, conversation, own).canWrite
      ? 'possible'
      : group && !group.joined
        ? 'left'
        : 'never',
    device: namedDevice(context, listed, deviceId),
  };
}
