import { type RefObject, useEffect } from 'react';
import { focusNextRegion } from './regions.ts';

/** Moves the focus to a visible region when the window gets too narrow for the focused one. */
export function useHiddenFocus(window: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const container = window.current;
    if (!container) return;
    let focused: Element | null = null;
    const note = ({ target }: FocusEvent) => {
      focused = target instanceof Element && container.contains(target) ? target : null;
    };
    const resizes = new ResizeObserver(() => {
      if (!focused?.isConnected || focused.checkVisibility()) return;
      const { activeElement } = document;
      // The browser moves the focus from a hidden element to the body, without an event.
      if (activeElement === focused || activeElement === document.body) focusNextRegion();
    });
    document.addEventListener('focusin', note);
    resizes.observe(container);
    return () => {
      document.removeEventListener('focusin', note);
      resizes.disconnect();
    };
  }, [window]);
}
