import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import type { VirtualizerHandle } from 'virtua';
import type { TimelineRow } from './grouping.ts';

/** The distance from an end at which the next page is fetched, in pixels. */
const fetchDistance = 1200;
/** The distance from the end within which the view sticks to it, in pixels. */
const stickDistance = 48;
/** Time without new heights after which a place is reached, in milliseconds. */
const settleTime = 400;

interface TimelineScrollOptions {
  /** The scrolling element. */
  scroller: RefObject<HTMLElement | null>;
  rows: TimelineRow[];
  /** The message to open at, if any. */
  targetId: string | null;
  hasOlder: boolean;
  hasNewer: boolean;
  /** Called near the start, with the first message of the rows. */
  onNeedOlder: (firstId: string) => void;
  /** Called near the end, with the last message of the rows. */
  onNeedNewer: (lastId: string) => void;
  /** Called with the last visible message. */
  onSeen: (messageId: string) => void;
}

interface TimelineScroll {
  virtualizer: RefObject<VirtualizerHandle | null>;
  atEnd: boolean;
  /** True in the one render in which rows were added at the start, so that virtua keeps the place. */
  shift: boolean;
  jumpToEnd: () => void;
  /** Scrolls to a row; with `center` to the target of the timeline. */
  show: (index: number, align: 'center' | 'nearest') => void;
  /** Keeps the visible rows in place although heights will change. */
  stay: () => void;
  onScroll: () => void;
  onResize: () => void;
}

/**
 * The scroll position of the timeline.
 *
 * While opening, it is anchored at the first unread row or at the requested one; at the end once the end is visible;
 * and free after the person has scrolled elsewhere. While anchored, it returns to its place whenever heights change:
 * rows are measured late, the composer grows, the window is resized.
 */
export function useTimelineScroll(options: TimelineScrollOptions): TimelineScroll {
  const { rows } = options;
  const virtualizer = useRef<VirtualizerHandle>(null);
  const anchor = useRef<'unread' | 'target' | 'end' | 'free'>('end');
  const measured = useRef({ content: 0, viewport: 0, offset: 0 });
  const [atEnd, setAtEnd] = useState(true);

  const shift = useShift(rows);
  // Not by virtua, which stops after 150 ms if rows are not measured by then. Rows measured later call this again.
  const toEnd = () => {
    const { current } = options.scroller;
    current?.scrollTo({ top: current.scrollHeight });
  };
  const place = () => {
    const list = virtualizer.current;
    const unread = rows.findIndex((row) => row.startsUnread);
    if (anchor.current === 'unread') list?.scrollToIndex(unread, { align: 'start', offset: -24 });
    const target = rows.findIndex((row) => row.message.id === options.targetId);
    if (anchor.current === 'target' && target !== -1) list?.scrollToIndex(target, { align: 'center' });
    if (anchor.current === 'end') toEnd();
  };
  const isOpening = () => anchor.current === 'unread' || anchor.current === 'target';
  // Height of the element, not of virtua: when the window grows, the browser scrolls before virtua is notified.
  const viewportHeight = () => options.scroller.current?.clientHeight ?? 0;
  const report = () => {
    const list = virtualizer.current;
    if (!list || isOpening()) return;
    const viewport = viewportHeight();
    const below = list.scrollSize - list.scrollOffset - viewport;
    setAtEnd(anchor.current === 'end');
    const [first, last] = [rows[0], rows.at(-1)];
    if (first && list.scrollOffset < fetchDistance && options.hasOlder) options.onNeedOlder(first.message.id);
    if (last && below < fetchDistance && options.hasNewer) options.onNeedNewer(last.message.id);
    const lastVisible = rows[list.findItemIndex(list.scrollOffset + viewport - 1)];
    if (lastVisible) options.onSeen(lastVisible.message.id);
  };
  const settle = () => {
    const list = virtualizer.current;
    if (!list) return;
    const before = measured.current;
    const now = { content: list.scrollSize, viewport: viewportHeight(), offset: list.scrollOffset };
    const heightsChanged = before.content !== now.content || before.viewport !== now.viewport;
    measured.current = now;
    const below = now.content - now.offset - now.viewport;
    // The view moves to the end while rows are still arriving: only a person may scroll it back.
    const followsEnd = anchor.current === 'end' && (heightsChanged || now.offset >= before.offset);
    if (below < stickDistance && !options.hasNewer) anchor.current = 'end';
    else if (isOpening() || !(heightsChanged || followsEnd)) anchor.current = 'free';
    report();
  };

  const lastId = rows.at(-1)?.message.id;
  const lastState = rows.at(-1)?.message.state;
  const shownLastId = useRef<string | undefined>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another row became the last one, and then only
  useLayoutEffect(() => {
    const opens = shownLastId.current === undefined;
    shownLastId.current = lastId;
    if (opens && options.targetId !== null) anchor.current = 'target';
    else if (opens && hasUnread(rows)) anchor.current = 'unread';
    else if (lastState === 'queued') anchor.current = 'end';
    place();
    const frame = requestAnimationFrame(report);
    return () => cancelAnimationFrame(frame);
  }, [lastId]);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const endOpening = useEffectEvent(() => isOpening() && settle());
  const startTimer = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => endOpening(), settleTime);
  };
  useEffect(() => () => clearTimeout(timer.current), []);

  return {
    virtualizer,
    atEnd,
    shift,
    jumpToEnd: () => {
      anchor.current = 'end';
      toEnd();
    },
    show: (index, align) => {
      // virtua stops looking for a row after 150 ms: until the heights are known, `place` does.
      anchor.current = align === 'center' ? 'target' : 'free';
      virtualizer.current?.scrollToIndex(index, { align });
      startTimer();
    },
    stay: () => {
      anchor.current = 'free';
    },
    onScroll: () => !isOpening() && settle(),
    onResize: () => {
      startTimer();
      // Before the frame is drawn: heights of rows are in the document by now.
      place();
      // The height of the window is not, until the next commit.
      requestAnimationFrame(() => {
        place();
        report();
      });
    },
  };
}

function hasUnread(rows: TimelineRow[]): boolean {
  return rows.some((row) => row.startsUnread);
}

function useShift(rows: TimelineRow[]): boolean {
  const firstId = rows[0]?.message.id;
  const [shownFirstId, setShownFirstId] = useState(firstId);
  useLayoutEffect(() => setShownFirstId(firstId), [firstId]);
  return firstId !== shownFirstId && rows.some((row) => row.message.id === shownFirstId);
}
