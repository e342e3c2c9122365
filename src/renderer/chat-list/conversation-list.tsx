import { type KeyboardEvent, type MouseEvent, useEffect, useRef, useState } from 'react';
import { VList, type VListHandle } from 'virtua';
import type { Conversation } from '../../bridge/shapes/conversation.ts';
import { useCommand } from '../bridge.ts';
import { Confirmation } from '../design/dialog.tsx';
import type { MenuAnchor } from '../design/menu.tsx';
import { Skeleton } from '../design/skeleton.tsx';
import { LoadingAnnouncement } from '../shared/announcements.tsx';
import { useNavigation } from '../shared/navigation.tsx';
import { useNow } from '../shared/use-now.ts';
import { t } from '../words.tsx';
import { ConversationRow } from './conversation-row.tsx';
import { RowMenu } from './row-menu.tsx';

interface ConversationListProps {
  conversations: Conversation[];
  label: string;
  /** Only message requests. */
  isRequests: boolean;
}

/** A virtual listbox of conversations. One option is in the Tab order; the arrow keys move among them. */
export function ConversationList({ conversations, label, isRequests }: ConversationListProps) {
  const { conversationId, openConversation, closeConversation } = useNavigation();
  const list = useRef<VListHandle>(null);
  const container = useRef<HTMLDivElement>(null);
  const [focused, setFocused] = useState<{ id: string; index: number } | null>(null);
  const [menu, setMenu] = useState<{ id: string; anchor: MenuAnchor } | null>(null);
  const [deletingId, setDeletingId] = useState<string | null>(null);
  const now = useNow(60_000);
  const ids = conversations.map((conversation) => conversation.id);
  const isGone = focused !== null && !ids.includes(focused.id);
  // A removed row is replaced by the one now in its place.
  const inPlace = isGone ? ids[Math.min(focused.index, ids.length - 1)] : focused?.id;
  const tabStop = inPlace ?? ids.find((id) => id === conversationId) ?? ids[0];

  const wasOpen = useRef(conversationId !== null);
  useEffect(() => {
    // Returning from a conversation in a narrow window would lose the focus with it.
    if (wasOpen.current && conversationId === null) focusTabStop(container.current);
    wasOpen.current = conversationId !== null;
  }, [conversationId]);

  useEffect(() => {
    if (!isGone) return;
    // The focused row was deleted, archived, or is filtered out.
    const frame = requestAnimationFrame(() => {
      if (document.activeElement === document.body) focusTabStop(container.current);
    });
    return () => cancelAnimationFrame(frame);
  }, [isGone]);

  useEffect(
    () => () => {
      // With the last row the list goes, too.
      requestAnimationFrame(() => {
        if (document.activeElement === document.body)
          document.querySelector<HTMLInputElement>('[data-search]')?.focus();
      });
    },
    [],
  );

  const remove = useCommand('conversations.delete', {
    onSuccess: (_, { id }) => {
      if (id === conversationId) closeConversation();
    },
  });
  const rowOf = (id: string) =>
    container.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`) ?? null;
  const openMenu = (id: string, press: MouseEvent) => {
    press.preventDefault();
    const { clientX, clientY } = press;
    setMenu({ id, anchor: { getBoundingClientRect: () => new DOMRect(clientX, clientY, 0, 0) } });
  };
  const inMenu = conversations.find(({ id }) => id === menu?.id);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) {
      const row = tabStop === undefined ? null : rowOf(tabStop);
      if (!row || tabStop === undefined) return;
      event.preventDefault();
      setMenu({ id: tabStop, anchor: row });
      return;
    }
    const current = ids.indexOf(tabStop ?? '');
    const next = { ArrowDown: current + 1, ArrowUp: current - 1, Home: 0, End: ids.length - 1 }[event.key];
    const id = next === undefined ? undefined : ids[next];
    if (next === undefined || id === undefined) return;
    event.preventDefault();
    setFocused({ id, index: next });
    list.current?.scrollToIndex(next, { align: 'nearest' });
    requestAnimationFrame(() => focusTabStop(container.current));
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only listens to the arrow keys of the rows inside
    <div className="min-h-0 flex-1" onKeyDown={onKeyDown} ref={container}>
      <VList
        aria-label={label}
        className="h-full px-2 pb-2"
        data={conversations}
        ref={list}
        role="listbox"
        tabIndex={-1}
      >
        {(conversation, index) => (
          <ConversationRow
            conversation={conversation}
            isCurrent={conversation.id === conversationId}
            isFoundRequest={!isRequests && conversation.state === 'request'}
            isTabStop={conversation.id === tabStop}
            key={conversation.id}
            now={now}
            onFocus={() => setFocused({ id: conversation.id, index })}
            onMenu={(press) => openMenu(conversation.id, press)}
            onOpen={() => openConversation(conversation.id)}
            place={{ position: index + 1, of: conversations.length }}
          />
        )}
      </VList>
      {menu && inMenu && (
        <RowMenu
          anchor={menu.anchor}
          conversation={inMenu}
          finalFocus={() => rowOf(menu.id)}
          onClose={() => setMenu(null)}
          onDelete={() => setDeletingId(menu.id)}
        />
      )}
      <Confirmation
        action={t('chat.deleteChat')}
        explanation={t('chat.deleteText')}
        onClose={() => setDeletingId(null)}
        onConfirm={() => deletingId !== null && remove.mutate({ id: deletingId })}
        open={deletingId !== null}
        title={t('chat.deleteTitle')}
      />
    </div>
  );
}

function focusTabStop(list: HTMLElement | null): void {
  list?.querySelector<HTMLElement>('[tabindex="0"][data-row]')?.focus();
}

const skeletonRows = Array.from({ length: 7 }, (_, index) => index);

export function ListSkeleton() {
  return (
    <div aria-busy="true" className="flex flex-col overflow-hidden px-2">
      <LoadingAnnouncement text={t('chats.loading')} />
      {skeletonRows.map((row) => (
        <div className="flex items-center gap-3 p-2.5" key={row}>
          <Skeleton className="size-11 rounded-full" />
          <div className="flex flex-1 flex-col gap-2">
            <Skeleton className="h-3.5 w-1/2" />
            <Skeleton className="h-3 w-5/6" />
          </div>
        </div>
      ))}
    </div>
  );
}
