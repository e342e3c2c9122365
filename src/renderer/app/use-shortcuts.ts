import { useQueryClient } from '@tanstack/react-query';
import { useEffectEvent, useLayoutEffect } from 'react';
import type { Conversation } from '../../bridge/shapes/conversation.ts';
import { queryKey, useCommand } from '../bridge.ts';
import { isUnread, mainConversations } from '../chat-list/filter.ts';
import { wordsOf } from '../shared/conversation.ts';
import { useNavigation } from '../shared/navigation.tsx';
import {
  digitOf,
  isShortcut,
  type MessageKey,
  type ShortcutName,
  shortcuts,
  type WritingKey,
} from '../shared/shortcuts.ts';
import { focusNextRegion } from './regions.ts';

/** Shortcuts handled by the main window itself. */
type WindowKey = Exclude<ShortcutName, 'lock' | 'editLast' | WritingKey | MessageKey>;

/** Fields for typing, which keep their characters. */
const FIELDS = 'input, textarea, select, [contenteditable=true]';
/** Elements that cover the chats while open. */
const COVERS = '[role=dialog], [role=alertdialog], [role=menu]';

/** All shortcuts of the main window. Locking has its own listener, which exists before this. */
export function useShortcuts(): void {
  const {
    openDialog,
    closeDialog,
    closeConversation,
    toggleDetails,
    openConversation,
    find,
    conversationId,
    dialog,
  } = useNavigation();
  const client = useQueryClient();
  const { mutate: setMuted } = useCommand('conversations.setMuted');
  /** The current list, which this window may not have rendered yet. */
  const listed = () => client.getQueryData<Conversation[]>(queryKey('conversations.list', {})) ?? [];
  const inOrder = () => {
    const chats = mainConversations(listed(), wordsOf);
    return { chats, at: chats.findIndex(({ id }) => id === conversationId) };
  };
  const openChat = (chat: { id: string } | undefined) => chat && openConversation(chat.id);
  const openBeside = (step: 1 | -1) => {
    const { chats, at } = inOrder();
    if (at + step >= 0) openChat(chats[at + step]);
  };
  const isNext = (chat: Conversation) => isUnread(chat) && chat.id !== conversationId;
  const run: Record<WindowKey, (event: KeyboardEvent) => void> = {
    palette: () => openDialog('palette'),
    newChat: () => openDialog('new-chat'),
    search: () => {
      closeDialog();
      const field = () => document.querySelector<HTMLInputElement>('[data-search]');
      // A narrow window shows either the list or a chat.
      if (field()?.checkVisibility() === false) closeConversation();
      requestAnimationFrame(() => field()?.focus());
    },
    find: () => {
      find(true);
      // A bar that is open already; a new one focuses its field.
      document.querySelector<HTMLInputElement>('[data-find]')?.select();
    },
    settings: () => openDialog('settings'),
    shortcuts: () => openDialog('shortcuts'),
    region: focusNextRegion,
    details: () => conversationId !== null && toggleDetails(),
    mute: () => {
      const chat = listed().find(({ id }) => id === conversationId);
      if (chat) setMuted({ id: chat.id, until: chat.mutedUntil === null ? 'always' : null });
    },
    pinnedChat: (event) =>
      openChat(inOrder().chats.filter(({ pinned }) => pinned)[(digitOf(event) ?? 0) - 1]),
    nextChat: () => openBeside(1),
    previousChat: () => openBeside(-1),
    // From the open one to the end, then from the start.
    nextUnread: () => {
      const { chats, at } = inOrder();
      openChat([...chats.slice(at + 1), ...chats].find(isNext));
    },
    previousUnread: () => {
      const { chats, at } = inOrder();
      openChat([...chats, ...chats.slice(0, Math.max(at, 0))].findLast(isNext));
    },
  };
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const target = event.target instanceof Element ? event.target : document.body;
    if (event.isComposing || event.defaultPrevented) return;
    const names = Object.keys(run) as WindowKey[];
    const isQuestion = event.key === '?' && !event.ctrlKey && !event.metaKey && !target.closest(FIELDS);
    const name = isQuestion ? 'shortcuts' : names.find((each) => isShortcut(each, event));
    if (!name) return;
    const isCovered = dialog !== null || target.closest(COVERS) !== null;
    if (isCovered && shortcuts[name].group === 'chats') return;
    event.preventDefault();
    run[name](event);
  });
  // Before painting: visible elements must respond to their keys.
  useLayoutEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);
}
