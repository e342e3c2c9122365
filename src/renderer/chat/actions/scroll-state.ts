import { createContext, startTransition, useContext, useEffect, useState } from 'react';

/** Whether a list scrolls, for parts of its rows that can wait until the scroll has ended. */
interface ScrollState {
  begin: () => void;
  end: () => void;
  /** Calls back at the end of the scroll, at once if there is none. @returns the end of the wait */
  whenEnded: (callback: () => void) => () => void;
}

export function newScrollState(): ScrollState {
  let isScrolling = false;
  const waiting = new Set<() => void>();
  return {
    begin: () => {
      isScrolling = true;
    },
    end: () => {
      isScrolling = false;
      for (const callback of [...waiting]) callback();
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
