/** `profile`: a person's description of themselves, and `picture`, the picture of a group. */
import { z } from 'zod';
import { AttachedFile } from '../../../protocol/blob/file.ts';
import { Bytes, Name, Text, WireAddress, WireTime } from '../../../protocol/primitives.ts';
import { findControlProblem } from '../control-rights.ts';
import { controlKind } from '../kind.ts';

/** The largest picture of a person or group, in bytes. */
export const MAX_PICTURE_BYTES = 256 * 1024;
/** The longest text of a person about themselves, in bytes of UTF-8. */
export const MAX_ABOUT_BYTES = 140;

export const Picture = AttachedFile.refine(({ size }) => size > 0 && size <= MAX_PICTURE_BYTES);
export const About = Text(MAX_ABOUT_BYTES);

/** Never replaces handle, address or nickname. */
export const ProfileContent = z.looseObject({
  kind: z.literal('profile'),
  /** The handle of a person without a display name. */
  name: Name,
  about: About.optional(),
  /** Null for none. */
  avatar: Picture.nullable(),
});
export type ProfileContent = z.infer<typeof ProfileContent>;

export const profile = controlKind({
  name: 'profile',
  schema: ProfileContent,
  apply({ kind, name, about, avatar }, { authorship, version }, store) {
    if (findControlProblem(kind, authorship, store.place, null) !== null) return 'nothing';
    return store.setProfile({ name, about: about ?? null, avatar }, version) ? 'changed' : 'nothing';
  },
});

export const PictureContent = z.looseObject({
  kind: z.literal('picture'),
  /** Null for none. */
  file: Picture.nullable(),
  /** Version of the value, if it is repeated for a new member. */
  set: z.looseObject({ sentAt: WireTime, id: Bytes(16), sender: WireAddress }).optional(),
});
export type PictureContent = z.infer<typeof PictureContent>;

export const picture = controlKind({
  name: 'picture',
  channels: ['group'],
  schema: PictureContent,
  apply({ kind, file, set }, { authorship, version }, store) {
    if (findControlProblem(kind, authorship, store.place, null) !== null) return 'nothing';
    // A repeated value keeps its place in the order. One dated after its repetition would block later values.
    if (set && set.sentAt > version.sentAt) return 'nothing';
    const isSet = store.setPicture(file, set ?? version, set !== undefined);
    return isSet ? 'changed' : 'nothing';
  },
});
