/**
 * Names of received files, made safe for every system: Windows reserves names and characters, all limit the length, and a
 * text that changes the reading direction hides the extension. Only the part after the last slash counts.
 * Source: 'Naming Files, Paths, and Namespaces' of Windows; NAME_MAX of POSIX.
 */
import { encodeUtf8 } from '../encoding.ts';
import { onOneLine } from '../label.ts';

const MAX_BYTES = 255;
/** Bytes kept of an extension with its dot, so that a long name does not change its type. */
const MAX_EXTENSION_BYTES = 32;
const FORBIDDEN = /[<>:"|?*]/g;
/** Names of devices on Windows, with or without an extension. It ignores spaces before the dot. */
const RESERVED = /^(?:con|prn|aux|nul|conin\$|conout\$|clock\$|(?:com|lpt)[0-9¹²³])\s*(?:$|\.)/i;
/** Windows drops these at the end of a name: `a.bat.` is `a.bat`. */
const DROPPED = /[\s.]+$/;

/**
 * A valid file name on Linux, macOS and Windows, at most 255 bytes of UTF-8. `file` if nothing is left of the claimed one.
 * @param claimed the sender's name
 */
export function toFileName(claimed: string): string {
  const last = claimed.toWellFormed().split(/[/\\]/).at(-1) ?? '';
  const clean = onOneLine(last)
    .replace(FORBIDDEN, '_')
    .replace(/^[\s.]+/, '')
    .replace(DROPPED, '');
  const name = RESERVED.test(clean) ? `_${clean}` : clean;
  return cutFileName(name, MAX_BYTES) || 'file';
}

/** The extension in lower case without its dot; empty without one. */
export function extensionOf(name: string): string {
  return /\.([^.\s]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
}

/**
 * A file name within a length: cut before its extension. A part of a longer end is never an extension.
 * @param mark to insert before the extension
 */
export function cutFileName(name: string, mostBytes: number, mark = ''): string {
  const dot = name.lastIndexOf('.');
  const hasEnd = dot > 0 && utf8Length(name.slice(dot)) <= MAX_EXTENSION_BYTES;
  const stem = hasEnd ? name.slice(0, dot) : name;
  const end = mark + (hasEnd ? name.slice(dot) : '');
  const room = mostBytes - utf8Length(end);
  if (utf8Length(stem) <= room) return stem + end;
  // A character cut in the middle becomes a replacement character, which is dropped.
  const begin = new TextDecoder().decode(encodeUtf8(stem).subarray(0, room)).replace(/�$/, '').trimEnd();
  return (hasEnd ? begin : begin.replace(DROPPED, '').replaceAll('.', '_')) + end;
}

function utf8Length(text: string): number {
  return encodeUtf8(text).length;
}
