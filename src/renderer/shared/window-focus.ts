/** The focus of the window: the person's attention. */
import { useSyncExternalStore } from 'react';

/** True while the window has the focus. */
export function useWindowFocus(): boolean {
  return useSyncExternalStore(watchFocus, () => document.hasFocus());
}

/** Calls the function after the window gets or loses the focus. @returns the end of that */
export function watchFocus(onChange: () => void): () => void {
  window.addEventListener('focus', onChange);
  window.addEventListener('blur', onChange);
  return () => {
    window.removeEventListener('focus', onChange);
    window.removeEventListener('blur', onChange);
  };
}
