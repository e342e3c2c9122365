import { useEffect, useEffectEvent, useState } from 'react';

interface OnceKnown {
  /** Acts at once if all data is known, else as soon as it is. */
  request: () => void;
  /** Cancels a pending action, when the person types further or goes elsewhere. */
  forget: () => void;
}

/**
 * For Enter in a search field: people who type fast press it before the results arrive, and mean the first.
 * @param isKnown true if there is something to act on, or never will be
 */
export function useOnceKnown(isKnown: boolean, act: () => void): OnceKnown {
  const [isRequested, setIsRequested] = useState(false);
  const latest = useEffectEvent(act);
  useEffect(() => {
    if (!isRequested || !isKnown) return;
    setIsRequested(false);
    latest();
  }, [isRequested, isKnown]);
  return { request: () => setIsRequested(true), forget: () => setIsRequested(false) };
}
