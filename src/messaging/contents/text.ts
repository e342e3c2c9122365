/**
 * Texts inside messages: UTF-8 of bounded length, whose only control characters are LF and TAB.
 */

import { Failure } from '../../base/failure.ts';
import { isBlank } from '../../base/invisible.ts';
import { encodeUtf8 } from '../../protocol/encoding.ts';
import { CONTROLS } from '../../protocol/primitives.ts';
import { MAX_CAPTION_BYTES } from './fields.ts';

/** The longest text of a message, in bytes of UTF-8. */
export const MAX_TEXT_BYTES = 16_384;

const EVERY_CONTROL = new RegExp(CONTROLS, 'g');

/** Length of a text in bytes of UTF-8. */
export function byteLength(text: string): number {
  return encodeUtf8(text).length;
}

/**
 * A sendable text. Line breaks become LF. Other control characters and halves of surrogate pairs, which no
 * recipient would show, become U+FFFD. Its length is not checked.
 */
export function toMessageText(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(EVERY_CONTROL, '\ufffd').toWellFormed();
}

/** Reason why a text cannot be sent; null if it can. */
export function findTextProblem(text: string): Failure<'message_empty' | 'message_too_long'> | null {
  const bytes = byteLength(text);
  if (isBlank(text)) return new Failure('message_empty');
  if (bytes <= MAX_TEXT_BYTES) return null;
  return new Failure('message_too_long', { bytes, most: MAX_TEXT_BYTES });
}

/** @throws Failure caption_too_long */
export function requireCaption(text: string): void {
  if (byteLength(text) > MAX_CAPTION_BYTES)
    throw new Failure('caption_too_long', { most: MAX_CAPTION_BYTES });
}

/**
 * The new words of an edit, as its fields have them. A blank caption of files is none.
 * @throws Failure message_empty, message_too_long, caption_too_long
 */
export function newWords(given: string, hasFiles: boolean): { text: string } | { caption: string } {
  const text = toMessageText(given);
  if (hasFiles) {
    requireCaption(text);
    return { caption: isBlank(text) ? '' : text };
  }
  const problem = findTextProblem(text);
  if (problem !== null) throw problem;
  return { text };
}
