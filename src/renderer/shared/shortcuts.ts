/** The shortcuts, in one table: for the listeners, the dialog that lists them, and Settings. */
import { t } from '../words.tsx';

export type ShortcutName =
  | 'palette'
  | 'newChat'
  | 'settings'
  | 'shortcuts'
  | 'search'
  | 'find'
  | 'details'
  | 'mute'
  | 'pinnedChat'
  | 'lock'
  | 'nextChat'
  | 'previousChat'
  | 'nextUnread'
  | 'previousUnread'
  | 'region'
  | 'editLast'
  | WritingKey
  | MessageKey;

/** Shortcuts of the composer, where they have priority. */
export type WritingKey = 'bold' | 'italic' | 'strike' | 'code' | 'link' | 'quote' | 'list';

/** Shortcuts of a focused message. */
export type MessageKey =
  | 'reply'
  | 'react'
  | 'edit'
  | 'copy'
  | 'select'
  | 'delete'
  | 'messageMenu'
  | 'leaveMessage';

export interface Shortcut {
  does: string;
  group: 'anywhere' | 'chats' | 'message' | 'writing';
  /** As in `KeyboardEvent.key`, in lower case; a digit on any keyboard layout. */
  key: string;
  /** With Ctrl, or Cmd on a Mac. */
  mod?: true;
  shift?: true;
  alt?: true;
  /** Reserved by browsers: a page never receives it. */
  isReserved?: true;
}

/** The keys from 1 to 9 together, on any keyboard layout. */
const DIGITS = '1–9';

/** The digit of a key event, from 1 to 9; null for others. */
export function digitOf({ code }: KeyboardEvent): number | null {
  const digit = /^(?:Digit|Numpad)([1-9])$/.exec(code)?.[1];
  return digit === undefined ? null : Number(digit);
}

export const shortcuts: Readonly<Record<ShortcutName, Shortcut>> = {
  palette: { group: 'anywhere', mod: true, key: 'k', does: t('app.keyPalette') },
  newChat: { group: 'anywhere', mod: true, key: 'n', isReserved: true, does: t('app.newChat') },
  search: { group: 'anywhere', mod: true, shift: true, key: 'f', does: t('app.keySearch') },
  settings: { group: 'anywhere', mod: true, key: ',', does: t('app.settings') },
  lock: { group: 'anywhere', mod: true, key: 'l', does: t('app.lock') },
  region: { group: 'anywhere', key: 'f6', does: t('app.keyRegion') },
  shortcuts: { group: 'anywhere', mod: true, key: '/', does: t('app.keys') },
  // Not the letter of italics, which this key is in the composer.
  details: { group: 'chats', mod: true, key: '.', does: t('app.keyDetails') },
  find: { group: 'chats', mod: true, key: 'f', does: t('search.inChat') },
  mute: { group: 'chats', mod: true, shift: true, key: 'm', does: t('app.keyMute') },
  pinnedChat: { group: 'chats', mod: true, key: DIGITS, isReserved: true, does: t('app.keyPinnedChat') },
  nextChat: { group: 'chats', alt: true, key: 'arrowdown', does: t('app.keyNextChat') },
  previousChat: { group: 'chats', alt: true, key: 'arrowup', does: t('app.keyPreviousChat') },
  nextUnread: { group: 'chats', alt: true, shift: true, key: 'arrowdown', does: t('app.keyNextUnread') },
  previousUnread: {
    group: 'chats',
    alt: true,
    shift: true,
    key: 'arrowup',
    does: t('app.keyPreviousUnread'),
  },
  reply: { group: 'message', key: 'r', does: t('message.reply') },
  react: { group: 'message', key: '+', does: t('message.react') },
  edit: { group: 'message', key: 'e', does: t('message.edit') },
  copy: { group: 'message', mod: true, key: 'c', does: t('message.copyText') },
  select: { group: 'message', key: ' ', does: t('message.select') },
  delete: { group: 'message', key: 'delete', does: t('message.delete') },
  messageMenu: { group: 'message', key: 'enter', does: t('message.actions') },
  leaveMessage: { group: 'message', key: 'escape', does: t('app.keyLeaveMessage') },
  editLast: { group: 'writing', key: 'arrowup', does: t('app.keyEditLast') },
  bold: { group: 'writing', mod: true, key: 'b', does: t('chat.bold') },
  italic: { group: 'writing', mod: true, key: 'i', does: t('chat.italic') },
  strike: { group: 'writing', mod: true, shift: true, key: 'x', does: t('chat.strike') },
  code: { group: 'writing', mod: true, key: 'e', does: t('chat.code') },
  link: { group: 'writing', mod: true, shift: true, key: 'u', does: t('chat.link') },
  quote: { group: 'writing', mod: true, shift: true, key: '9', does: t('chat.quote') },
  list: { group: 'writing', mod: true, shift: true, key: '8', does: t('chat.list') },
};

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

/** The keys that send a message where Enter begins a line, with the labels of this system's keyboards. */
export const modEnter = isMac ? '⌘Enter' : 'Ctrl+Enter';

/** Reports whether a key event is exactly this shortcut. */
export function isShortcut(name: ShortcutName, event: KeyboardEvent): boolean {
  const { key, mod = false, shift = false, alt = false } = shortcuts[name];
  const digit = digitOf(event);
  const isDigit = /^\d$/.test(key);
  const isKey =
    key === DIGITS ? digit !== null : isDigit ? digit === Number(key) : event.key.toLowerCase() === key;
  if (!isKey || event.altKey !== alt) return false;
  // Some keyboards have a sign only with Shift.
  const isLetter = isDigit || key.length > 1 || /\p{Letter}/u.test(key);
  return (event.ctrlKey || event.metaKey) === mod && (!isLetter || event.shiftKey === shift);
}

const named: Readonly<Record<string, string>> = {
  arrowup: '↑',
  arrowdown: '↓',
  ' ': 'Space',
  delete: 'Delete',
  enter: 'Enter',
  escape: 'Esc',
};

/** The keys of a shortcut, with the labels of this system's keyboards. */
export function keysOf(name: ShortcutName): string[] {
  const { key, mod, shift, alt } = shortcuts[name];
  return [
    ...(mod ? [isMac ? '⌘' : 'Ctrl'] : []),
    ...(alt ? [isMac ? '⌥' : 'Alt'] : []),
    ...(shift ? [isMac ? '⇧' : 'Shift'] : []),
    named[key] ?? key.toUpperCase(),
  ];
}

/** The same in one text, for a tooltip. */
export function keysText(name: ShortcutName): string {
  // On one line: a break would separate a key from its modifier.
  return keysOf(name).join(isMac ? '' : '\u00a0');
}

/** The names of the shortcuts that a host receives. */
export function availableShortcuts(host: 'electron' | 'browser'): ShortcutName[] {
  const names = Object.keys(shortcuts) as ShortcutName[];
  return names.filter((name) => host === 'electron' || !shortcuts[name].isReserved);
}
