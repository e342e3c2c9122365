import { useEffect, useEffectEvent, useState } from 'react';
import type { TimelineRow } from './grouping.ts';
import type { Timeline } from './timeline.ts';

/** Time of the highlight after a jump, in milliseconds. */
const SHOWN_FOR = 2000;

/**
 * Scrolls to the requested message, and highlights it for a moment.
 * @returns the id of the highlighted one
 */
export function useHighlight(
  target: Timeline['target'],
  rows: readonly TimelineRow[],
  moveTo: (index: number, align: 'center') => void,
): string | null {
  const [highlighted, setHighlighted] = useState<string | null>(null);
  const begin = useEffectEvent((id: string) => {
    moveTo(
      rows.findIndex(({ message }) => message.id === id),
      'center',
    );
    setHighlighted(id);
  });
  useEffect(() => {
    if (!target) return;
    begin(target.id);
    const timer = setTimeout(() => setHighlighted(null), SHOWN_FOR);
    return () => clearTimeout(timer);
  }, [target]);
  return highlighted;
}
