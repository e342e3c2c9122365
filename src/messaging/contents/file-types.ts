/** Views of attached files, by the sender's claim. The first bytes decide after the download. */
import type { AttachedFile } from '../../protocol/blob/file.ts';

export type FileType = 'image' | 'video' | 'audio' | 'voice' | 'other';

/** Types that an app shows as pictures. Others are files. */
const IMAGES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

export function fileTypeOf({ mediaType, voice }: Pick<AttachedFile, 'mediaType' | 'voice'>): FileType {
  const type = mediaType.toLowerCase();
  if (IMAGES.has(type)) return 'image';
  if (type.startsWith('video/')) return 'video';
  if (!type.startsWith('audio/')) return 'other';
  return voice === true ? 'voice' : 'audio';
}
