/** Effect of received profiles and group pictures. Both are stored once for each person or group. */
import type { Profile } from '../../messaging/contents/kind.ts';
import type { Version } from '../../messaging/contents/versions.ts';
import type { AttachedFile } from '../../protocol/blob/file.ts';
import { decodeBase64Url } from '../../protocol/encoding.ts';
import { onOneLine, toLabel } from '../../protocol/label.ts';
import type { StoredConversation } from '../cache/conversations.ts';
import { isSamePicture, storeFace } from '../cache/face-pictures.ts';
import type { FaceLine } from '../cache/faces.ts';
import type { Context } from '../context.ts';
import { downloadsFrom } from '../downloads-from.ts';
import { digestOfProfile } from '../own/profile.ts';

/** Least time between two lines about one kind of change of a person, in milliseconds. */
const LINE_EVERY = 24 * 3_600_000;

/** The conversation of a control. */
interface Place {
  context: Context;
  conversation: StoredConversation;
  /** The person's wire address. */
  own: string;
  /** Called when a picture was replaced. */
  onErased: () => void;
}

/** Sets the profile of a sender, in the caller's transaction. @returns whether anything changed */
export function setProfile(place: Place, profile: Profile, version: Version): boolean {
  const { context, conversation, own, onErased } = place;
  const { sender } = version;
  if (conversation.state !== 'accepted') return false;
  if (sender === own) {
    context.conversations.setProfileSent(conversation.id, digestOfProfile(profile), version.sentAt);
    return false;
  }
  const before = context.faces.get(sender);
  const nameNow = () => {
    const { displayName, handle } = context.contacts.profile(sender);
    return displayName ?? handle;
  };
  const nameBefore = nameNow();
  const about = profile.about === null ? null : onOneLine(profile.about) || null;
  const face = { ...version, name: toLabel(profile.name) || null, about, picture: profile.avatar };
  const isStored = storeFace(context, sender, face, downloadsFrom(context, conversation, sender));
  if (!isStored) return false;
  const isRenamed = nameNow() !== nameBefore;
  const isNewPicture = !isSamePicture(before?.picture ?? null, profile.avatar);
  if (before && isNewPicture) {
    if (before.picture) onErased();
    addLine(place, 'picture', version, null);
  }
  if (nameBefore !== null && isRenamed) addLine(place, 'name', version, nameBefore);
  const hasChanged = isNewPicture || isRenamed || about !== (before?.about ?? null);
  if (hasChanged) context.own.personChanged(sender);
  return hasChanged;
}

/** Adds a line to the chat with a person. Without one, a new name has its line in the group where it arrived. */
function addLine(
  { context, conversation }: Place,
  line: FaceLine,
  { sender, id }: Version,
  nameBefore: string | null,
): void {
  const { faces, messages, now } = context;
  const direct = context.conversations.findByAddress(sender);
  const chat = direct?.state === 'accepted' ? direct : line === 'name' ? conversation : null;
  if (!chat || !faces.drawLine(sender, line, now(), now() - LINE_EVERY)) return;
  const event = { type: line, address: sender, ...(nameBefore !== null && { before: nameBefore }) };
  messages.insertEvent(chat.id, event, decodeBase64Url(id), now());
}

/**
 * Sets the picture of a group, in the caller's transaction. `deviceId`: the other own device that signed it; null for none.
 * @returns whether anything changed
 */
export function setGroupPicture(
  { context, conversation, onErased }: Place,
  { file, isRepeated, deviceId }: { file: AttachedFile | null; isRepeated: boolean; deviceId: string | null },
  version: Version,
): boolean {
  const { faces, messages, now } = context;
  if (conversation.partner.kind !== 'group') return false;
  const before = faces.get(conversation.name);
  const face = { ...version, name: null, about: null, picture: file, deviceId };
  if (!storeFace(context, conversation.name, face)) return false;
  if (isSamePicture(before?.picture ?? null, file)) return false;
  if (before?.picture) onErased();
  if (!isRepeated) {
    const event = { type: 'groupPicture' as const, address: version.sender };
    messages.insertTimerEvent(conversation.id, event, decodeBase64Url(version.id), now());
  }
  return true;
}
