/** Inserts a text into a field as if it were typed, so that Undo removes it. */
import type { ClipboardEvent, KeyboardEvent } from 'react';
import { longest } from '../../../bridge/longest.ts';
import { inTone } from '../../emoji/emoji.ts';
import { loadEmoji } from '../../emoji/load-emoji.ts';
import { rememberEmoji, rememberedTone } from '../../emoji/remembered-emoji.ts';
import { nextItem } from './next-item.ts';
import { isInCode, markdownIn } from './pasted.ts';
import { shortcodeBefore } from './trigger.ts';

/** Replaces a part of the field by a text. The caret is after it. */
export function put(field: HTMLTextAreaElement, from: number, to: number, text: string): void {
  field.focus();
  field.setSelectionRange(from, to);
  if (text === '') document.execCommand('delete');
  else document.execCommand('insertText', false, text);
}

/** Replaces a shortcode whose second colon was just typed by its emoji. Unknown ones stay. */
export async function putShortcode(field: HTMLTextAreaElement): Promise<void> {
  const found = shortcodeBefore(field.value, field.selectionStart);
  if (!found) return;
  const { from, code } = found;
  const to = from + code.length + 2;
  const words = field.value.slice(from, to);
  // Without its data, a shortcode stays a text.
  const all = await loadEmoji().catch(() => []);
  const emoji = all.find(({ shortcodes }) => shortcodes.includes(code));
  // Typing further cancels the replacement.
  const { selectionStart: caret, selectionEnd: end } = field;
  const isStill = field.value.slice(from, to) === words && caret === end && caret >= to;
  if (!emoji || !isStill || document.activeElement !== field) return;
  const text = inTone(emoji, rememberedTone());
  rememberEmoji(text);
  put(field, from, to, text);
  const moved = caret + text.length - words.length;
  field.setSelectionRange(moved, moved);
}

/** Pastes content with its marks. If it has none, or they do not fit, the browser pastes its plain text. */
export function putPasted(event: ClipboardEvent<HTMLTextAreaElement>): void {
  const { currentTarget: field, clipboardData } = event;
  const { value, selectionStart: from, selectionEnd: to } = field;
  const text = isInCode(value, from) ? null : markdownIn(clipboardData.getData('text/html'));
  if (text === null || value.length - (to - from) + text.length > longest.message) return;
  event.preventDefault();
  put(field, from, to, text);
}

/** Continues or ends a list when Enter starts a new line in it. Elsewhere the browser starts the line. */
export function putNextItem(event: KeyboardEvent<HTMLTextAreaElement>): void {
  const { currentTarget: field, nativeEvent, altKey } = event;
  if (nativeEvent.key !== 'Enter' || nativeEvent.isComposing || altKey) return;
  const { value: text, selectionStart: from, selectionEnd: to } = field;
  const edit = nextItem({ text, from, to });
  if (!edit || text.length - (edit.to - edit.from) + edit.put.length > longest.message) return;
  event.preventDefault();
  put(field, edit.from, edit.to, edit.put);
}
