import { type ReactElement, useMemo } from 'react';
import type { Conversation } from '../../bridge/shapes/conversation.ts';
import type { TimelineRow } from './grouping.ts';
import { MessageRow } from './message-row.tsx';
import { TimelineStart } from './timeline-start.tsx';

interface RowElementsOptions {
  rows: readonly TimelineRow[];
  conversation: Conversation;
  /** True if earlier messages, and later ones, are not loaded. */
  hasOlder: boolean;
  hasNewer: boolean;
  /** The index of the row in the Tab order. */
  current: number;
  /** Id of the highlighted message, if any. */
  highlighted: string | null;
  now: number;
}

/**
 * The elements of rows, by row and index. The virtual list asks for those of all mounted rows at each frame of a scroll, and
 * renders them again unless they are the same objects.
 */
export function useRowElements(
  options: RowElementsOptions,
): (row: TimelineRow, index: number) => ReactElement {
  const { rows, conversation, hasOlder, hasNewer, current, highlighted, now } = options;
  const { length } = rows;
  const isComplete = !hasOlder && !hasNewer;
  const lastOwn = hasNewer
    ? undefined
    : rows.findLast(({ message }) => message.state !== 'received' && message.event === null)?.message.id;
  return useMemo(() => {
    const known = new WeakMap<TimelineRow, { index: number; element: ReactElement }>();
    return (row, index) => {
      const before = known.get(row);
      if (before?.index === index) return before.element;
      const element = (
        // virtua ignores the pointer until 150 ms after a scroll, and would lose a click.
        <div className="pointer-events-auto px-3 sm:px-6" key={row.message.id}>
          <div className="mx-auto max-w-[54rem]">
            <MessageRow
              count={isComplete ? length : -1}
              inGroup={conversation.kind === 'group'}
              isHighlighted={row.message.id === highlighted}
              isTabStop={index === current}
              now={now}
              place={index + 1}
              row={row}
              start={index === 0 && !hasOlder && <TimelineStart conversation={conversation} />}
              showsState={row.message.id === lastOwn}
            />
            {index === length - 1 && <div className="h-3" />}
          </div>
        </div>
      );
      known.set(row, { index, element });
      return element;
    };
  }, [conversation, current, hasOlder, highlighted, isComplete, lastOwn, length, now]);
}
