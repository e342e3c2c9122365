import { type RefObject, useEffect } from 'react';

/** Focuses another control when the focused one is removed; otherwise the body of the page would have the focus. */
export function useFocusKept(
  within: RefObject<HTMLElement | null>,
  fallback: RefObject<HTMLElement | null>,
): void {
  useEffect(() => {
    const container = within.current;
    if (!container) return;
    let focused: Node | null = null;
    const note = ({ target }: FocusEvent) => {
      focused = target instanceof Node && container.contains(target) ? target : null;
    };
    // No event reports the removal of the focused element.
    const observer = new MutationObserver(() => {
      if (!focused || focused.isConnected) return;
      focused = null;
      if (document.activeElement === document.body) fallback.current?.focus();
    });
    document.addEventListener('focusin', note);
    observer.observe(container, { childList: true, subtree: true });
    return () => {
      document.removeEventListener('focusin', note);
      observer.disconnect();
    };
  }, [within, fallback]);
}
