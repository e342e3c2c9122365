import { useSyncExternalStore } from 'react';

const query = globalThis.matchMedia?.('(prefers-reduced-motion: reduce)');

function subscribe(listener: () => void): () => void {
  query?.addEventListener('change', listener);
  return () => query?.removeEventListener('change', listener);
}

/** True if the person prefers less motion. */
export function useReducedMotion(): boolean {
  return useSyncExternalStore(subscribe, () => query?.matches === true);
}
