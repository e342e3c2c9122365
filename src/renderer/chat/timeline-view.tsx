import { useMemo, useRef, useState } from 'react';
import { Virtualizer } from 'virtua';
import type { Conversation } from '../../bridge/shapes/conversation.ts';
import { timeZone } from '../shared/time.ts';
import { useNow } from '../shared/use-now.ts';
import { t } from '../words.tsx';
import { useActions } from './actions/action-state.tsx';
import { newScrollState, ScrollStateContext } from './actions/scroll-state.ts';
import { DatePill } from './date-pill.tsx';
import { arrange, type TimelineRow } from './grouping.ts';
import { JumpButton } from './jump-button.tsx';
import type { Timeline } from './timeline.ts';
import { articleKeys } from './use-article-keys.ts';
import { useCurrentArticle } from './use-current-article.ts';
import { useHighlight } from './use-highlight.ts';
import { useOneTabStop } from './use-one-tab-stop.ts';
import { useRowElements } from './use-row-elements.tsx';
import type { TimelineControl } from './use-timeline.ts';
import { useTimelineScroll } from './use-timeline-scroll.ts';
import { useTopmost } from './use-topmost.ts';
import { WholeMessages } from './whole-messages.tsx';

/** Reports whether the day caption of a row is visible. */
function hasDayOnScreen(scroller: HTMLElement | null, { message, startsDay }: TimelineRow): boolean {
  if (!scroller || !startsDay) return false;
  const caption = scroller.querySelector(`[data-message="${CSS.escape(message.id)}"] [data-day]`);
  return caption !== null && caption.getBoundingClientRect().bottom > scroller.getBoundingClientRect().top;
}

/**
 * The number of rows at the end that stay in the document while the end is visible: those of a window and of the buffer before
 * it. Rows are measured after they are added: without this, the last ones would leave the document and return within the first
 * frames, and lose a click. And during a scroll to a new message, virtua has no buffer before the window: its rows would
 * leave the document, and be rendered again afterwards.
 */
const rowsAtEnd = 32;
/**
 * Distance around the window in which rows are mounted, in pixels. A row that is first measured inside of the window moves
 * the rows below it: this is more than a quick turn of a wheel.
 */
const bufferSize = 600;

interface TimelineViewProps {
  timeline: Timeline;
  control: TimelineControl;
  conversation: Conversation;
  /** Number of new messages not seen yet. */
  unread: number;
  onSeen: (messageId: string) => void;
}

/** The messages, anchored at the bottom, loading more at both ends during scrolling. */
export function TimelineView({ timeline, control, conversation, unread, onSeen }: TimelineViewProps) {
  const { hasOlder, hasNewer } = timeline;
  const scroller = useRef<HTMLDivElement>(null);
  const feed = useRef<HTMLDivElement>(null);
  const now = useNow(60_000);
  const state = useActions();
  // Not at each frame of a scroll: it takes a third of a millisecond.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a computer may change its zone, which is looked up each minute
  const zone = useMemo(timeZone, [now]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: which messages are of one day depends on the zone
  const rows = useMemo(
    () => arrange(timeline.messages, timeline.firstUnreadId),
    [timeline.messages, timeline.firstUnreadId, zone],
  );
  const { virtualizer, atEnd, shift, jumpToEnd, show, stay, onScroll, onResize } = useTimelineScroll({
    scroller,
    rows,
    targetId: timeline.target?.id ?? null,
    hasOlder,
    hasNewer,
    onNeedOlder: control.loadOlder,
    onNeedNewer: control.loadNewer,
    onSeen,
  });
  const { current, moveTo, onFocus } = useCurrentArticle(rows, show);
  const highlighted = useHighlight(timeline.target, rows, show, moveTo);
  const topmost = useTopmost();
  const [scrollState] = useState(newScrollState);
  useOneTabStop(feed, rows[current]?.message.id);
  const rowElement = useRowElements({ rows, conversation, hasOlder, hasNewer, current, highlighted, now });
  const { firstMentionId, unreadMentions } = conversation;
  const jump = () => {
    if (firstMentionId !== null) control.jumpTo(firstMentionId);
    else if (hasNewer) void control.moveToNewest();
    else jumpToEnd();
  };
  const pageFrom = (index: number, direction: 1 | -1) => {
    const list = virtualizer.current;
    if (!list) return index;
    const found = list.findItemIndex(list.getItemOffset(index) + direction * list.viewportSize);
    // At least one further, if a message is taller than the window.
    const moved = direction === 1 ? Math.max(found, index + 1) : Math.min(found, index - 1);
    return Math.min(rows.length - 1, Math.max(0, moved));
  };
  return (
    <div className="@container/timeline relative flex min-h-24 flex-1 flex-col">
      <section
        aria-label={t('chat.messages')}
        // With a background of its own, Chromium scrolls it as a layer. Otherwise each frame of a scroll draws all texts again.
        className="flex min-h-0 flex-1 flex-col overflow-y-auto overscroll-contain bg-surface [overflow-anchor:none]"
        ref={scroller}
      >
        <div className="grow" />
        <ScrollStateContext value={scrollState}>
          <WholeMessages onToggle={stay}>
            <div
              aria-label={t('chat.messages')}
              onFocus={onFocus}
              onKeyDown={articleKeys({ rows, current, state, onMove: moveTo, pageFrom })}
              ref={feed}
              role="feed"
            >
              <Virtualizer
                bufferSize={bufferSize}
                data={rows}
                keepMounted={[current, ...(atEnd ? lastIndexes(rows.length, rowsAtEnd) : [])]}
                onResize={onResize}
                onScroll={(offset) => {
                  scrollState.move();
                  onScroll();
                  const first = rows[virtualizer.current?.findItemIndex(offset) ?? 0];
                  if (first) topmost.see(hasDayOnScreen(scroller.current, first) ? null : first.at);
                }}
                ref={virtualizer}
                scrollRef={scroller}
                shift={shift}
              >
                {rowElement}
              </Virtualizer>
            </div>
          </WholeMessages>
        </ScrollStateContext>
      </section>
      <DatePill at={topmost.at} movement={topmost.movement} now={now} />
      {(!atEnd || hasNewer) && (
        <JumpButton mentions={firstMentionId === null ? 0 : unreadMentions} onJump={jump} unread={unread} />
      )}
    </div>
  );
}

/** Indexes of the last `count` items of a list of `length`. */
function lastIndexes(length: number, count: number): number[] {
  const first = Math.max(0, length - count);
  return Array.from({ length: length - first }, (_, index) => first + index);
}
