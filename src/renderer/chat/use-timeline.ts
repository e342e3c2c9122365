import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Message } from '../../bridge/shapes/message.ts';
import { callBridge, useBridgeEvent } from '../bridge.ts';
import { showFailure } from '../design/toasts.tsx';
import { leastPause, nextPause } from '../refresh-pause.ts';
import { watchFocus } from '../shared/window-focus.ts';
import { t } from '../words.tsx';
import {
  type Attention,
  type FetchPage,
  fetchFollowing,
  fetchNewest,
  longestPage,
  movedTo,
  openTimeline,
  pageLength,
  type Timeline,
  withDivider,
  withFollowing,
  withFresh,
  withKnownMessages,
  withMessage,
  withNewer,
  withNewest,
  withOlder,
  withoutMessage,
} from './timeline.ts';

export interface TimelineControl {
  timeline: Timeline | undefined;
  error: Error | null;
  retry: () => void;
  /** Loads the page before the oldest message. @param shownId of the oldest message that is shown */
  loadOlder: (shownId: string) => void;
  /** Loads the page after the newest message. @param shownId of the newest message that is shown */
  loadNewer: (shownId: string) => void;
  moveToNewest: () => Promise<void>;
  put: (message: Message) => void;
  remove: (id: string) => void;
  /** Fetches the loaded messages again. */
  refresh: () => void;
  /** Shows a message anywhere in the conversation, and focuses it unless the focus is kept. */
  jumpTo: (id: string, options?: { keepsFocus: boolean }) => void;
  /** Reports the visible message, which is then kept current. */
  see: (id: string) => void;
}

type End = 'older' | 'newer';

const showNotLoaded = (error: Error) => showFailure(error, t('chat.messagesNotLoaded'));

/**
 * The timeline of a conversation: opened at the first unread message, extended by pages, kept current by events.
 * @param unread number of its unread messages
 */
export function useTimeline(conversationId: string, unread: number): TimelineControl {
  const client = useQueryClient();
  const attention = useAttentionHere(unread);
  const key = ['timeline', conversationId];
  const fetchPage: FetchPage = (cursor, limit) =>
    callBridge('messages.list', { conversationId, ...cursor, limit });
  const { data, error, refetch } = useQuery({
    queryKey: key,
    gcTime: 0,
    structuralSharing: (before, fetched) =>
      withKnownMessages(before as Timeline | undefined, fetched as Timeline),
    queryFn: () =>
      openTimeline(
        fetchPage,
        async () => (await callBridge('conversations.get', { id: conversationId })).firstUnreadId,
      ),
  });

  const cached = () => client.getQueryData<Timeline>(key);
  const change = (next: (timeline: Timeline) => Timeline) =>
    client.setQueryData<Timeline>(key, (timeline) => timeline && next(timeline));

  /** Ends with a pending request of a page. */
  const growing = useRef(new Set<End>());
  const grow = async (end: End, shownId: string) => {
    const before = cached();
    const last = before?.messages.at(end === 'older' ? 0 : -1);
    // A page that has arrived is shown a moment later. Until then, the scroll position is that of the rows without it.
    if (!before || last?.id !== shownId || growing.current.has(end)) return;
    growing.current.add(end);
    try {
      const page = await fetchPage(end === 'older' ? { before: shownId } : { after: shownId }, pageLength);
      const grown = end === 'older' ? withOlder : withNewer;
      // After a jump, it would be beside other messages.
      change((timeline) => (timeline.epoch === before.epoch ? grown(timeline, page) : timeline));
    } catch (error) {
      showNotLoaded(error as Error);
    } finally {
      growing.current.delete(end);
    }
  };

  const seen = useRef<string | null>(null);
  /** The newest messages, and the visible ones if they are elsewhere; others are fetched when they become visible. */
  const refreshOnce = async (timeline: Timeline, pause: number) => {
    const newest = await fetchNewest(fetchPage, timeline);
    // Its last message may be deleted meanwhile.
    const following = await fetchFollowing(fetchPage, timeline, newest).catch(() => null);
    change((current) => {
      // After a jump, these would follow other messages.
      const continues = following !== null && current.epoch === timeline.epoch;
      const grown = withNewest(continues ? withFollowing(current, following) : current, newest, timeline);
      const divided = withDivider(grown, current, attention.current);
      if (divided !== grown) attention.current = { ...attention.current, hasReadAll: false };
      return divided;
    });
    // At the end, the view shows the newest ones by then.
    await new Promise((resolve) => setTimeout(resolve, pause));
    const around = seen.current;
    const isElsewhere = around !== null && newest.messages.every(({ id }) => id !== around);
    if (!isElsewhere || !cached()?.messages.some(({ id }) => id === around)) return;
    // The message may be deleted meanwhile.
    const page = await fetchPage({ around }, longestPage).catch(() => null);
    if (page) change((current) => withFresh(current, page));
  };
  /** The pages of an opening timeline may be older than the change. After reopening, it might begin at another message. */
  const refreshUnopened = async (): Promise<void> => {
    if (client.isFetching({ queryKey: key }) === 0) return client.invalidateQueries({ queryKey: key });
    await client
      .getQueryCache()
      .find({ queryKey: key })
      ?.promise?.catch(() => undefined);
    if (cached()) await refresh();
  };
  const refreshing = useRef<'no' | 'yes' | 'again'>('no');
  const refresh = async (pause = leastPause): Promise<void> => {
    const timeline = cached();
    if (!timeline) return refreshUnopened();
    if (refreshing.current !== 'no') {
      refreshing.current = 'again';
      return;
    }
    refreshing.current = 'yes';
    try {
      await refreshOnce(timeline, pause);
    } finally {
      const again = (refreshing.current as string) === 'again';
      refreshing.current = 'no';
      if (again) await refresh(nextPause(pause));
    }
  };
  useBridgeEvent('bridge.resumed', () => {
    refresh().catch(showNotLoaded);
  });
  useBridgeEvent('messages.changed', (changed) => {
    if (changed.conversationId === conversationId) refresh().catch(showNotLoaded);
  });

  /** Number of jumps: an earlier one must not end after a later one. */
  const jumps = useRef(0);
  const jumpTo = async (id: string, keepsFocus: boolean) => {
    jumps.current += 1;
    const jump = jumps.current;
    const target = { id, keepsFocus };
    if (cached()?.messages.some((each) => each.id === id)) {
      change((timeline) => ({ ...timeline, target }));
      return;
    }
    const page = await fetchPage({ around: id }, pageLength);
    if (jump === jumps.current) change((timeline) => movedTo(timeline, page, target));
  };

  return {
    timeline: data,
    error,
    retry: () => void refetch(),
    loadOlder: (shownId) => void grow('older', shownId),
    loadNewer: (shownId) => void grow('newer', shownId),
    moveToNewest: async () => {
      const page = await fetchPage({}, pageLength);
      change((timeline) => movedTo(timeline, page));
    },
    put: (message) => change((timeline) => withMessage(timeline, message)),
    refresh: () => void refresh().catch(showNotLoaded),
    jumpTo: (id, { keepsFocus } = { keepsFocus: false }) =>
      void jumpTo(id, keepsFocus).catch((error) => showFailure(error, t('action.showMessage'))),
    see: (id) => {
      seen.current = id;
    },
    remove: (id) => change((timeline) => withoutMessage(timeline, id)),
  };
}

/** The attention of the person to this conversation since it was opened. */
function useAttentionHere(unread: number): RefObject<Attention> {
  const [openedAt] = useState(Date.now);
  const attention = useRef<Attention>({ openedAt, isAway: false, hasReadAll: false });
  const onFocus = useEffectEvent(() => {
    const isAway = !document.hasFocus();
    attention.current = { openedAt, isAway, hasReadAll: isAway && unread === 0 };
  });
  useEffect(() => {
    onFocus();
    return watchFocus(() => onFocus());
  }, []);
  return attention;
}
