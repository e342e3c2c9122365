/** The media type of a file to send: by its first bytes, or else by the end of its name. Recipients verify it. */
import { extensionOf } from '../../protocol/blob/file-name.ts';
import { mediaTypeOf, UNKNOWN_TYPE } from '../../protocol/blob/media-type.ts';

/** Types without a mark in their first bytes, or with the mark of an archive. Source: IANA's list of media types. */
const BY_EXTENSION: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  gz: 'application/gzip',
  html: 'text/html',
  json: 'application/json',
  log: 'text/plain',
  md: 'text/markdown',
  odt: 'application/vnd.oasis.opendocument.text',
  pdf: 'application/pdf',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  svg: 'image/svg+xml',
  txt: 'text/plain',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xml: 'application/xml',
  zip: 'application/zip',
};

/** @param begin as {@link mediaTypeOf} */
export function claimedTypeOf(begin: Uint8Array, name: string): string {
  const found = mediaTypeOf(begin);
  if (found !== UNKNOWN_TYPE) return found;
  const extension = extensionOf(name);
  return Object.hasOwn(BY_EXTENSION, extension) ? (BY_EXTENSION[extension] ?? UNKNOWN_TYPE) : UNKNOWN_TYPE;
}
