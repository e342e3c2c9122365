import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { VirtualizerHandle } from 'virtua';
import type { TimelineRow } from './grouping.ts';

/** Nearer to an end than this, in pixels, the next page is fetched. */
const fetchDistance = 1200;
/** Nearer to the end than this, in pixels, the view sticks to it. */
const stickDistance = 48;

interface TimelineScrollOptions {
  rows: TimelineRow[];
  hasOlder: boolean;
  hasNewer: boolean;
  onNeedOlder: () => void;
  onNeedNewer: () => void;
  /** The last message that was on screen. */
  onSeen: (messageId: string) => void;
}

interface TimelineScroll {
  virtualizer: RefObject<VirtualizerHandle | null>;
  atEnd: boolean;
  /** True in the one render in which rows were put in front, so that virtua keeps the place. */
  shift: boolean;
  onScroll: () => void;
  onResize: () => void;
}

/** Where the timeline stands: opens at the first unread row, else at the end, and stays at the end once there. */
export function useTimelineScroll(options: TimelineScrollOptions): TimelineScroll {
  const { rows } = options;
  const virtualizer = useRef<VirtualizerHandle>(null);
  const sticks = useRef(true);
  const opened = useRef(false);
  const [atEnd, setAtEnd] = useState(true);

  const firstId = rows[0]?.message.id;
  const [shownFirstId, setShownFirstId] = useState(firstId);
  const shift = firstId !== shownFirstId && rows.some((row) => row.message.id === shownFirstId);
  useLayoutEffect(() => setShownFirstId(firstId), [firstId]);

  const toEnd = () => virtualizer.current?.scrollToIndex(rows.length - 1, { align: 'end' });

  const onScroll = () => {
    const list = virtualizer.current;
    if (!list || !opened.current) return;
    const below = list.scrollSize - list.scrollOffset - list.viewportSize;
    sticks.current = below < stickDistance && !options.hasNewer;
    setAtEnd(sticks.current);
    if (list.scrollOffset < fetchDistance && options.hasOlder) options.onNeedOlder();
    if (below < fetchDistance && options.hasNewer) options.onNeedNewer();
    const lastVisible = rows[list.findItemIndex(list.scrollOffset + list.viewportSize - 1)];
    if (lastVisible) options.onSeen(lastVisible.message.id);
  };
  const onResize = () => {
    if (sticks.current && opened.current) toEnd();
    onScroll();
  };

  const last = rows.at(-1)?.message;
  const previousLastId = useRef<string | undefined>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the last row changes, and at no other time
  useLayoutEffect(() => {
    const isFirstRun = previousLastId.current === undefined;
    const isNew = previousLastId.current !== last?.id;
    previousLastId.current = last?.id;
    if (isFirstRun) {
      const unread = rows.findIndex((row) => row.startsUnread);
      if (unread === -1) toEnd();
      else virtualizer.current?.scrollToIndex(unread, { align: 'start', offset: -24 });
      sticks.current = unread === -1;
    } else if (isNew && (sticks.current || last?.state === 'queued')) {
      toEnd();
    }
  }, [last?.id]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, after the first place was taken
  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      opened.current = true;
      onScroll();
    });
    return () => cancelAnimationFrame(frame);
  }, []);

  return { virtualizer, atEnd, shift, onScroll, onResize };
}
