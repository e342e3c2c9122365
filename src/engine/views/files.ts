/** Conversion of the files of messages for the interface: the sender's claims, and the state here. */
import type { MessageFile } from '../../bridge/files.ts';
import { fileTypeOf } from '../../messaging/contents/file-types.ts';
import type { AttachedFile } from '../../protocol/blob/file.ts';
import { toFileName } from '../../protocol/blob/file-name.ts';
import { imageTypeOf } from '../../protocol/blob/image-type.ts';
import { BLOB_LIFE } from '../../protocol/blob/layout.ts';
import { decodeBase64Url, encodeBase64 } from '../../protocol/encoding.ts';
import { onOneLine } from '../../protocol/label.ts';
import type { PlacedFile } from '../cache/files.ts';
import type { StoredMessage } from '../cache/message-rows.ts';

/**
 * @param claimed files of a judged body
 * @param stored files of the message, by their place
 * @param showsPictures false in a message request: its pictures are not shown
 */
export function toMessageFiles(
  { receivedAt }: Pick<StoredMessage, 'receivedAt'>,
  claimed: readonly AttachedFile[],
  stored: readonly PlacedFile[],
  showsPictures: boolean,
  now: number,
): MessageFile[] {
  return claimed.map((file, place) => {
    const row = stored.find((each) => each.place === place);
    const until = receivedAt + BLOB_LIFE;
    const isHere = row?.isHere ?? false;
    return {
      name: toFileName(file.name),
      size: file.size,
      type: fileTypeOf(file),
      width: file.width ?? null,
      height: file.height ?? null,
      durationMs: file.durationMs ?? null,
      alt: file.alt === undefined ? null : onOneLine(file.alt) || null,
      waveform: file.waveform === undefined ? null : [...decodeBase64Url(file.waveform)],
      blurhash: showsPictures ? (file.blurhash ?? null) : null,
      thumbnail: showsPictures ? thumbnailOf(file) : null,
      state: stateOf(row, now > until),
      problem: row?.problem ?? null,
      until: isHere ? null : until,
    };
  });
}

function stateOf(row: PlacedFile | undefined, isOver: boolean): MessageFile['state'] {
  if (row?.task === 'upload') return 'sending';
  if (row?.isHere) return 'here';
  if (row?.task === 'download') return 'receiving';
  return isOver || row?.problem?.code === 'file_gone' ? 'gone' : 'remote';
}

function thumbnailOf({ thumbnail }: AttachedFile): string | null {
  if (thumbnail === undefined) return null;
  const bytes = decodeBase64Url(thumbnail);
  return imageTypeOf(bytes) === null ? null : encodeBase64(bytes);
}
