import { useEffect, useEffectEvent, useState } from 'react';
import type { TimelineRow } from './grouping.ts';
import type { Target, Timeline } from './timeline.ts';

/** Time of the highlight after a jump, in milliseconds. */
const SHOWN_FOR = 2000;

/**
 * Scrolls to the requested message, and highlights it for a moment.
 * @returns the id of the highlighted one
 */
export function useHighlight(
  target: Timeline['target'],
  rows: readonly TimelineRow[],
  show: (index: number, align: 'center') => void,
  /** Shows and focuses it. */
  moveTo: (index: number, align: 'center') => void,
): string | null {
  const [highlighted, setHighlighted] = useState<string | null>(null);
  const begin = useEffectEvent(({ id, keepsFocus }: Target) => {
    const index = rows.findIndex(({ message }) => message.id === id);
    if (!keepsFocus) moveTo(index, 'center');
    else if (index !== -1) show(index, 'center');
    setHighlighted(id);
  });
  useEffect(() => {
    if (!target) return;
    begin(target);
    const timer = setTimeout(() => setHighlighted(null), SHOWN_FOR);
    return () => clearTimeout(timer);
  }, [target]);
  return highlighted;
}
