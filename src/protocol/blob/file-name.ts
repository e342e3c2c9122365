/**
 * Names of received files, made safe for every system: Windows reserves names and characters, all limit the length, and a
 * text that changes the reading direction hides the extension. Only the part after the last slash counts.
 * Source: 'Naming Files, Paths, and Namespaces' of Windows; NAME_MAX of POSIX.
 */
import { encodeUtf8 } from '../encoding.ts';
import { onOneLine } from '../label.ts';

const MOST_BYTES = 255;
/** Bytes kept of an extension with its dot, so that a long name does not change its type. */
const MOST_EXTENSION_BYTES = 32;
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
  return cutFileName(name, MOST_BYTES) || 'file';
}

/** The extension in lower case without its dot; empty without one. */
export function extensionOf(name: string): string {
  return /\.([^.\s]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
}

/** Cuts a file name before its extension. A part of a longer end is never an extension. */
export function cutFileName(name: string, mostBytes: number): string {
  if (utf8Length(name) <= mostBytes) return name;
  const dot = name.lastIndexOf('.');
  const isShort = dot > 0 && utf8Length(name.slice(dot)) <= MOST_EXTENSION_BYTES;
  const end = isShort ? name.slice(dot) : '';
  const bytes = encodeUtf8(name.slice(0, name.length - end.length)).subarray(0, mostBytes - utf8Length(end));
  // A character cut in the middle becomes a replacement character, which is dropped.
  const begin = new TextDecoder().decode(bytes).replace(/�$/, '').replace(DROPPED, '');
  return isShort ? begin + end : begin.replaceAll('.', '_');
}

function utf8Length(text: string): number {
  return encodeUtf8(text).length;
}
