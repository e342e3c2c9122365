import { createContext, startTransition, useContext, useEffect, useState } from 'react';

/** The movement of a list by scrolling, for parts of its rows that can wait until it has ended. */
interface Stillness {
  move: () => void;
  stop: () => void;
  /** Calls back when the list does not move, at once if so. @returns the end of the wait */
  whenStill: (callback: () => void) => () => void;
}

export function newStillness(): Stillness {
  let isMoving = false;
  const waiting = new Set<() => void>();
  return {
    move: () => {
      isMoving = true;
    },
    stop: () => {
      isMoving = false;
      for (const callback of [...waiting]) callback();
    },
    whenStill: (callback) => {
      waiting.add(callback);
      if (!isMoving) callback();
      return () => waiting.delete(callback);
    },
  };
}

/** Outside of a list that scrolls nothing moves. */
export const StillnessContext = createContext(newStillness());

/**
 * Reports whether a row has the parts that only its reader uses. During a scroll, most rows leave the window unread.
 * @returns true since the list stood still, and a function that does not wait for it
 */
export function useStoodStill(): [stoodStill: boolean, skipWait: () => void] {
  const { whenStill } = useContext(StillnessContext);
  const [stoodStill, setStoodStill] = useState(false);
  useEffect(() => {
    if (!stoodStill) return whenStill(() => startTransition(() => setStoodStill(true)));
  }, [stoodStill, whenStill]);
  return [stoodStill, () => setStoodStill(true)];
}
