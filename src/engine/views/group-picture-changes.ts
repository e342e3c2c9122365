/** Pictures of groups set by own devices that were removed since. The previous picture is deleted. */
import type { DeviceChange } from '../../bridge/shapes/device.ts';
import { keptPictureKey } from '../../messaging/contents/kinds/own.ts';
import { toLabel } from '../../protocol/label.ts';
import { isCreatorOrAdmin } from '../../protocol/roster/state.ts';
import type { StoredConversation } from '../cache/conversations.ts';
import type { Face } from '../cache/faces.ts';
import type { StoredGroup } from '../cache/group-chains.ts';
import type { Context } from '../context.ts';
import { isKept, type Listed, namedDevice } from './own-changes.ts';

/** The picture of a group by a removed device. */
export interface OpenGroupPicture {
  /** Key for the answer. */
  key: string;
  deviceId: string;
  face: Face;
  group: StoredGroup;
  conversation: StoredConversation;
}

/**
 * Open questions about pictures of groups.
 * @param most limit for each device
 */
export function openGroupPictures(context: Context, listed: Listed, most: number): OpenGroupPicture[] {
  const { conversations, faces, groups, identity } = context;
  const open: OpenGroupPicture[] = [];
  for (const deviceId of identity.removedDevices()) {
    let count = 0;
    for (const face of faces.setBy(deviceId)) {
      if (count >= most) break;
      const group = groups.find(face.owner);
      const conversation = group && conversations.findByGroup(group.id);
      if (!conversation || isKept(context, listed, keptPictureKey(face.owner), face.sentAt)) continue;
      open.push({ key: `group/${face.owner}/picture`, deviceId, face, group, conversation });
      count++;
    }
  }
  return open;
}

/** The picture for the interface. @param own the person's address */
export function toPictureChange(
  context: Context,
  listed: Listed,
  { key, deviceId, face, group }: OpenGroupPicture,
  own: string,
): DeviceChange {
  const name = toLabel(group.state.name) || group.groupId;
  const isSet = face.picture !== null;
  return {
    key,
    mark: 'groupPicture',
    subject: name,
    group: name,
    isSet,
    text: null,
    before: null,
    seconds: null,
    messages: null,
    undo: !group.joined
      ? 'left'
      : !isSet
        ? 'never'
        : isCreatorOrAdmin(group.state, own)
          ? 'possible'
          : 'rights',
    device: namedDevice(context, listed, deviceId),
  };
}
