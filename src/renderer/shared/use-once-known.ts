import { useEffect, useEffectEvent, useState } from 'react';

interface OnceKnown {
  /** Does it: at once if everything is known, else as soon as it is. */
  ask: () => void;
  /** Does it no more, if it was not done yet. For when the person types on or goes elsewhere. */
  forget: () => void;
}

/**
 * For Enter in a field that searches: people who type fast press it before the results are there, and mean the first.
 * @param isKnown whether there is something to act on, or never will be
 */
export function useOnceKnown(isKnown: boolean, act: () => void): OnceKnown {
  const [isAsked, setIsAsked] = useState(false);
  const latest = useEffectEvent(act);
  useEffect(() => {
    if (!isAsked || !isKnown) return;
    setIsAsked(false);
    latest();
  }, [isAsked, isKnown]);
  return { ask: () => setIsAsked(true), forget: () => setIsAsked(false) };
}
