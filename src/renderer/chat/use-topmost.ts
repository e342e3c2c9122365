import { useState } from 'react';

interface Topmost {
  /** When the topmost message on screen was stored; null before the first movement, and where its day stands above it. */
  at: number | null;
  /** Grows with each movement that has to be shown. */
  movement: number;
  see: (at: number | null) => void;
}

/** Between two movements that are told apart, in milliseconds: not each pixel draws the page. */
const APART = 200;

/** What is at the top while the person scrolls. */
export function useTopmost(): Topmost {
  const [{ at, movement }, set] = useState<{ at: number | null; movement: number; toldAt: number }>({
    at: null,
    movement: 0,
    toldAt: 0,
  });
  const see = (now: number | null) =>
    set((before) => {
      const time = performance.now();
      if (now !== null && time - before.toldAt < APART) return before;
      if (now === null && before.at === null) return before;
      return { at: now, movement: before.movement + 1, toldAt: time };
    });
  return { at, movement, see };
}
