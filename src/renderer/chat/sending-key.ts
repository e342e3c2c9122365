import type { Settings } from '../../bridge/settings.ts';

/** The needed fields of a KeyboardEvent. */
export interface PressedKey {
  key: string;
  shiftKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  isComposing: boolean;
}

/**
 * Reports whether a key sends the message. Shift+Enter is always a new line; during input composition, Enter belongs
 * to the input method.
 */
export function isSendingKey(pressed: PressedKey, sendWith: Settings['sendWith']): boolean {
  if (pressed.key !== 'Enter' || pressed.shiftKey || pressed.isComposing) return false;
  return sendWith === 'enter' || pressed.ctrlKey || pressed.metaKey;
}
