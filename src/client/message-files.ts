/** Files of a received message for a program. */
import { isMessage, type Judged } from '../messaging/contents/all-kinds.ts';
import { type FileType, fileTypeOf } from '../messaging/contents/file-types.ts';
import { AttachmentContent } from '../messaging/contents/kinds/attachment.ts';
import type { AttachedFile } from '../protocol/blob/file.ts';
import { toFileName } from '../protocol/blob/file-name.ts';

/** A file of a message. All but its size is the sender's claim. */
export interface MessageFile {
  /** Valid on Linux, macOS and Windows, without folders. It may be the name of an existing file. */
  name: string;
  /** As in `image/png`. The first bytes of the downloaded file decide: see `mediaTypeOf`. */
  mediaType: string;
  /** By its media type: 'image' for PNG, JPEG, GIF and WebP, and 'voice' for a recorded message. */
  type: FileType;
  /** In bytes. */
  size: number;
  /** A description for people who cannot see it; null for none. */
  alt: string | null;
  /** In pixels; null if unknown. */
  width: number | null;
  height: number | null;
  /** Of sound or video, in milliseconds; null if unknown. */
  durationMs: number | null;
  /** For `fetchFile`. It contains the key: protect it like messages. */
  reference: AttachedFile;
}

/** The files of an attachment; none of other messages. */
export function filesIn(judged: Judged, body: Readonly<Record<string, unknown>>): MessageFile[] {
  const content = isMessage(judged) ? AttachmentContent.safeParse(body).data : undefined;
  return (content?.files ?? []).map((file) => ({
    name: toFileName(file.name),
    mediaType: file.mediaType,
    type: fileTypeOf(file),
    size: file.size,
    alt: file.alt ?? null,
    width: file.width ?? null,
    height: file.height ?? null,
    durationMs: file.durationMs ?? null,
    reference: file,
  }));
}
