import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from 'react';
import { callBridge, useBridgeEvent } from '../bridge.ts';
import { rememberChat, rememberedChat } from './remembered-place.ts';
import type { LinkedSetting } from './setting-names.ts';
import { useReloadQuestion } from './use-reload-question.ts';
import { useClosingWhenShutOut, useMayAct } from './use-shut-out.ts';

export type ListView = 'conversations' | 'requests' | 'archived';
/** Dialogs of a computer that the server accepts. */
const ACTING: ReadonlySet<DialogName | null> = new Set(['new-chat', 'invite-people', 'groups', 'new-group']);

export type DialogName =
  | 'new-chat'
  | 'invite-people'
  | 'groups'
  | 'new-group'
  | 'settings'
  | 'palette'
  | 'shortcuts';

interface Place {
  list: ListView;
  conversationId: string | null;
  detailsOpen: boolean;
  /** True while the person searches in the open conversation. */
  isFinding: boolean;
  /** The message to show in the open conversation, until it is shown. */
  target: { messageId: string } | null;
  dialog: DialogName | null;
  /** The opened setting; null for the start of Settings. */
  setting: LinkedSetting | null;
}

interface Navigation extends Place {
  showList: (list: ListView) => void;
  openConversation: (id: string) => void;
  /** Opens a conversation at one of its messages. */
  openMessage: (conversationId: string, messageId: string) => void;
  /** Reports that the target is shown. */
  forgetTarget: () => void;
  closeConversation: () => void;
  find: (isFinding: boolean) => void;
  toggleDetails: () => void;
  openDialog: (dialog: DialogName) => void;
  /** Opens Settings at one of them. */
  openSetting: (setting: LinkedSetting) => void;
  closeDialog: () => void;
  /** Blocks leaving the page until the returned function is called. */
  stay: () => () => void;
}

const Context = createContext<Navigation | null>(null);

/** The current place in the main window. */
export function useNavigation(): Navigation {
  const navigation = useContext(Context);
  if (!navigation) throw new Error('useNavigation needs a NavigationProvider above it.');
  return navigation;
}

/**
 * Blocks leaving the page while the component is mounted: for content that is shown once and would be lost by a wrong
 * key, a click on a notification, or a reloaded or closed page.
 */
export function useStay(): void {
  const { stay } = useNavigation();
  const begin = useRef(stay);
  useReloadQuestion(true);
  useEffect(() => begin.current(), []);
}

interface NavigationProviderProps {
  /** The device whose chats are shown. */
  deviceId: string;
  children: ReactNode;
}

/** Starts at the window's place before locking or reloading. */
export function NavigationProvider({ deviceId, children }: NavigationProviderProps) {
  const [place, setPlace] = useState<Place>(() => ({
    list: 'conversations',
    conversationId: rememberedChat(deviceId),
    detailsOpen: false,
    isFinding: false,
    target: null,
    dialog: null,
    setting: null,
  }));
  const { conversationId: openId } = place;
  useEffect(() => rememberChat(deviceId, openId), [deviceId, openId]);
  useEffect(() => {
    const id = rememberedChat(deviceId);
    if (id === null) return;
    const leave = () =>
      setPlace((now) => (now.conversationId === id ? { ...now, conversationId: null } : now));
    // The chat may be deleted meanwhile. That needs no report at the start.
    callBridge('conversations.get', { id }).catch(leave);
  }, [deviceId]);
  const staying = useRef(0);
  const mayAct = useMayAct();
  useClosingWhenShutOut(() => setPlace((now) => (ACTING.has(now.dialog) ? { ...now, dialog: null } : now)));
  const navigation = useMemo<Navigation>(() => {
    const change = (part: Partial<Place>) => {
      if (staying.current === 0) setPlace((previous) => ({ ...previous, ...part }));
    };
    // Closes the dialog from which a conversation is opened. An answer that is late must not close one that was opened meanwhile.
    const opened = (part: Partial<Place>) => {
      if (staying.current > 0) return;
      setPlace((previous) => ({
        ...previous,
        ...part,
        dialog: previous.dialog === place.dialog ? null : previous.dialog,
      }));
    };
    // A search in a conversation ends with it.
    const unlessOpen = (id: string) => (id === place.conversationId ? {} : { isFinding: false });
    return {
      ...place,
      showList: (list) => change({ list }),
      openConversation: (conversationId) =>
        opened({ conversationId, target: null, ...unlessOpen(conversationId) }),
      openMessage: (conversationId, messageId) =>
        opened({ conversationId, target: { messageId }, ...unlessOpen(conversationId) }),
      forgetTarget: () => change({ target: null }),
      closeConversation: () => change({ conversationId: null, detailsOpen: false, isFinding: false }),
      find: (isFinding) => change({ isFinding: isFinding && place.conversationId !== null }),
      toggleDetails: () => change({ detailsOpen: !place.detailsOpen }),
      openDialog: (dialog) => (mayAct || !ACTING.has(dialog)) && change({ dialog, setting: null }),
      openSetting: (setting) => change({ dialog: 'settings', setting }),
      closeDialog: () => change({ dialog: null }),
      stay: () => {
        staying.current += 1;
        return () => {
          staying.current -= 1;
        };
      },
    };
  }, [place, mayAct]);
  useBridgeEvent('navigate.conversation', ({ conversationId }) =>
    navigation.openConversation(conversationId),
  );
  return <Context value={navigation}>{children}</Context>;
}
