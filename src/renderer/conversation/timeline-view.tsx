import { ArrowDown } from 'lucide-react';
import { useMemo, useRef } from 'react';
import { Virtualizer } from 'virtua';
import type { Conversation } from '../../bridge/shapes.ts';
import { badgeCount } from '../shared/count.ts';
import { useNow } from '../shared/use-now.ts';
import { t } from '../words.tsx';
import { arrange } from './grouping.ts';
import { MessageRow } from './message-row.tsx';
import type { Timeline } from './timeline.ts';
import { TimelineStart } from './timeline-start.tsx';
import type { TimelineControl } from './use-timeline.ts';
import { useTimelineScroll } from './use-timeline-scroll.ts';
import { WholeMessages } from './whole-messages.tsx';

interface TimelineViewProps {
  timeline: Timeline;
  control: TimelineControl;
  conversation: Conversation;
  /** Messages that came in and were not on screen yet. */
  unread: number;
  onSeen: (messageId: string) => void;
}

/** The messages, anchored at the bottom, with more at both ends as the person scrolls. */
export function TimelineView({ timeline, control, conversation, unread, onSeen }: TimelineViewProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const now = useNow(60_000);
  const rows = useMemo(
    () => arrange(timeline.messages, timeline.firstUnreadId),
    [timeline.messages, timeline.firstUnreadId],
  );
  const { virtualizer, atEnd, shift, jumpToEnd, stay, onScroll, onResize } = useTimelineScroll({
    scroller,
    rows,
    hasOlder: timeline.hasOlder,
    hasNewer: timeline.hasNewer,
    onNeedOlder: control.loadOlder,
    onNeedNewer: control.loadNewer,
    onSeen,
  });
  const jump = () => {
    if (timeline.hasNewer) void control.moveToNewest();
    else jumpToEnd();
  };
  return (
    <div className="relative min-h-0 flex-1">
      <section
        aria-label={t('chat.messages')}
        className="flex h-full flex-col overflow-y-auto overscroll-contain [overflow-anchor:none]"
        ref={scroller}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        tabIndex={0}
      >
        <div className="grow" />
        <WholeMessages onToggle={stay}>
          <Virtualizer
            data={rows}
            onResize={onResize}
            onScroll={onScroll}
            ref={virtualizer}
            scrollRef={scroller}
            shift={shift}
          >
            {(row, index) => (
              <div className="px-3 sm:px-6" key={row.message.id}>
                <div className="mx-auto max-w-[54rem]">
                  {index === 0 && !timeline.hasOlder && <TimelineStart conversation={conversation} />}
                  <MessageRow
                    now={now}
                    onChanged={control.put}
                    onRemoved={control.remove}
                    inGroup={conversation.kind === 'group'}
                    row={row}
                  />
                  {index === rows.length - 1 && <div className="h-3" />}
                </div>
              </div>
            )}
          </Virtualizer>
        </WholeMessages>
      </section>
      {!atEnd && <JumpButton onJump={jump} unread={unread} />}
    </div>
  );
}

function JumpButton({ unread, onJump }: { unread: number; onJump: () => void }) {
  return (
    <button
      aria-label={unread > 0 ? t('chat.jumpNew', { count: unread }) : t('chat.jump')}
      className="rise absolute inset-e-4 bottom-3 grid size-10 place-items-center rounded-full border border-line bg-raised text-ink shadow-menu hover:bg-sunken"
      onClick={onJump}
      type="button"
    >
      <ArrowDown aria-hidden="true" className="size-5" />
      {unread > 0 && (
        <span className="absolute -top-2 rounded-full bg-unread px-1.5 font-semibold text-on-unread forced-colors:bg-[Highlight] forced-colors:text-[HighlightText] py-0.5 text-meta">
          {badgeCount(unread)}
        </span>
      )}
    </button>
  );
}
