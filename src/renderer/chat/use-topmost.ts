import { useState } from 'react';

interface Topmost {
  /** Time of the topmost visible message; null before the first movement, and if its day caption is visible. */
  at: number | null;
  /** Grows with each movement that must be shown. */
  movement: number;
  see: (at: number | null) => void;
}

/** The interval between two movements, in milliseconds: not each pixel renders the page. */
const APART = 200;

/** The topmost message during scrolling. */
export function useTopmost(): Topmost {
  const [{ at, movement }, set] = useState<{ at: number | null; movement: number; reportedAt: number }>({
    at: null,
    movement: 0,
    reportedAt: 0,
  });
  const see = (now: number | null) =>
    set((before) => {
      const time = performance.now();
      if (now !== null && time - before.reportedAt < APART) return before;
      if (now === null && before.at === null) return before;
      return { at: now, movement: before.movement + 1, reportedAt: time };
    });
  return { at, movement, see };
}
