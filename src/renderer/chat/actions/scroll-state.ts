import { createContext, startTransition, useContext, useEffect, useState } from 'react';

/** The time without a movement after which a scroll has ended, in milliseconds. */
const PAUSE = 150;

/** State of the scroll of a list, for parts of its rows that can wait until the scroll has ended. */
interface ScrollState {
  /** Reports a movement. */
  move: () => void;
  /** Calls back at the end of the scroll, at once if there is none. @returns the end of the wait */
  whenEnded: (callback: () => void) => () => void;
}

export function newScrollState(): ScrollState {
  let isScrolling = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const waiting = new Set<() => void>();
  const end = () => {
    isScrolling = false;
    for (const callback of [...waiting]) callback();
  };
  return {
    move: () => {
      isScrolling = true;
      // The virtual list does not report the end of each movement, such as that of added rows in a list that fits.
      clearTimeout(timer);
      timer = setTimeout(end, PAUSE);
    },
    whenEnded: (callback) => {
      waiting.add(callback);
      if (!isScrolling) callback();
      return () => waiting.delete(callback);
    },
  };
}

/** Outside of a list, nothing scrolls. */
export const ScrollStateContext = createContext(newScrollState());

/**
 * Reports whether a row has the parts that only its reader uses. During a scroll, most rows leave the window unread.
 * @returns true since the end of a scroll, and a function that does not wait for it
 */
export function useAfterScroll(): [hasEnded: boolean, skipWait: () => void] {
  const { whenEnded } = useContext(ScrollStateContext);
  const [hasEnded, setEnded] = useState(false);
  useEffect(() => {
    if (!hasEnded) return whenEnded(() => startTransition(() => setEnded(true)));
  }, [hasEnded, whenEnded]);
  return [hasEnded, () => setEnded(true)];
}
