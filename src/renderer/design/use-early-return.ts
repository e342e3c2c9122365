import { type RefObject, useLayoutEffect, useRef } from 'react';

/**
 * Returns the focus of a dialog, menu or popover when it begins to close. Base UI does so after the animation, and a key in between would have no effect.
 * If the control that opened it is gone, Base UI chooses another one.
 * @param finalFocus the element focused afterwards, if it is not the previous one
 * @returns notes the focused control, before the dialog gets the focus
 */
export function useEarlyReturn(
  open: boolean,
  dialog: RefObject<HTMLElement | null>,
  finalFocus?: () => HTMLElement | true | null,
): () => void {
  const opener = useRef<Element | null>(null);
  const wasOpen = useRef(open);
  useLayoutEffect(() => {
    const closes = wasOpen.current && !open;
    wasOpen.current = open;
    if (!closes || !dialog.current?.contains(document.activeElement)) return;
    const wanted = finalFocus?.();
    const next = wanted instanceof HTMLElement ? wanted : opener.current;
    if (next instanceof HTMLElement && next.isConnected) next.focus({ preventScroll: true });
  }, [open, dialog, finalFocus]);
  return () => {
    opener.current = document.activeElement;
  };
}
