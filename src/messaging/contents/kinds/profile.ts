/** `profile`: a person's description of themselves, and `picture`, the picture of a group. */
import { z } from 'zod';
import { AttachedFile } from '../../../protocol/blob/file.ts';
import { Name, Text } from '../../../protocol/primitives.ts';

/** The largest picture of a person or group, in bytes. */
const MOST_PICTURE_BYTES = 256 * 1024;

const Picture = AttachedFile.refine(({ size }) => size <= MOST_PICTURE_BYTES).nullable();

/** Never replaces handle, address or nickname. */
export const ProfileContent = z.looseObject({
  kind: z.literal('profile'),
  name: Name,
  about: Text(140).optional(),
  /** Null for none. */
  avatar: Picture,
});
export type ProfileContent = z.infer<typeof ProfileContent>;

export const PictureContent = z.looseObject({
  kind: z.literal('picture'),
  /** Null for none. */
  file: Picture,
});
export type PictureContent = z.infer<typeof PictureContent>;
