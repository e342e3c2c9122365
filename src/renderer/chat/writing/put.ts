/**
 * Putting a text into a field as if it were typed, so that Undo takes it back.
 */
import type { ClipboardEvent, KeyboardEvent } from 'react';
import { longest } from '../../../bridge/longest.ts';
import { inTone } from '../../emoji/emoji.ts';
import { loadEmoji } from '../../emoji/load-emoji.ts';
import { rememberEmoji, rememberedTone } from '../../emoji/remembered-emoji.ts';
import { nextItem } from './next-item.ts';
import { isInCode, markdownIn } from './pasted.ts';
import { shortcodeBefore } from './trigger.ts';

/** Puts a text in place of a part of the field. The caret is behind it. */
export function put(field: HTMLTextAreaElement, from: number, to: number, text: string): void {
  field.focus();
  field.setSelectionRange(from, to);
  if (text === '') document.execCommand('delete');
  else document.execCommand('insertText', false, text);
}

/** Makes the emoji of a shortcode whose second colon was typed just now. Where there is none of that name, it stays. */
export async function putShortcode(field: HTMLTextAreaElement): Promise<void> {
  const found = shortcodeBefore(field.value, field.selectionStart);
  if (!found) return;
  const { from, code } = found;
  const to = from + code.length + 2;
  const words = field.value.slice(from, to);
  // Without its data, a shortcode is a text like others.
  const all = await loadEmoji().catch(() => []);
  const emoji = all.find(({ shortcodes }) => shortcodes.includes(code));
  // Who types on is not stopped.
  const { selectionStart: caret, selectionEnd: end } = field;
  const isStill = field.value.slice(from, to) === words && caret === end && caret >= to;
  if (!emoji || !isStill || document.activeElement !== field) return;
  const text = inTone(emoji, rememberedTone());
  rememberEmoji(text);
  put(field, from, to, text);
  const moved = caret + text.length - words.length;
  field.setSelectionRange(moved, moved);
}

/** Pastes with the marks that what was copied has. Where it has none, or they find no room, the browser pastes its plain text. */
export function putPasted(event: ClipboardEvent<HTMLTextAreaElement>): void {
  const { currentTarget: field, clipboardData } = event;
  const { value, selectionStart: from, selectionEnd: to } = field;
  const text = isInCode(value, from) ? null : markdownIn(clipboardData.getData('text/html'));
  if (text === null || value.length - (to - from) + text.length > longest.message) return;
  event.preventDefault();
  put(field, from, to, text);
}

/** Goes on with the list, or ends it, where Enter begins a new line in one. Elsewhere the browser begins the line. */
export function putNextItem(event: KeyboardEvent<HTMLTextAreaElement>): void {
  const { currentTarget: field, nativeEvent, altKey } = event;
  if (nativeEvent.key !== 'Enter' || nativeEvent.isComposing || altKey) return;
  const { value: text, selectionStart: from, selectionEnd: to } = field;
  const edit = nextItem({ text, from, to });
  if (!edit || text.length - (edit.to - edit.from) + edit.put.length > longest.message) return;
  event.preventDefault();
  put(field, edit.from, edit.to, edit.put);
}
