import type { Settings } from '../../bridge/shapes.ts';

/** What is asked of a key press, as a KeyboardEvent has it. */
export interface PressedKey {
  key: string;
  shiftKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  isComposing: boolean;
}

/** Whether a key sends the message. Shift+Enter is always a new line; while an input method composes, Enter belongs to it. */
export function isSendingKey(pressed: PressedKey, sendWith: Settings['sendWith']): boolean {
  if (pressed.key !== 'Enter' || pressed.shiftKey || pressed.isComposing) return false;
  return sendWith === 'enter' || pressed.ctrlKey || pressed.metaKey;
}
