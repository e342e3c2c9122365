import { type RefObject, useLayoutEffect, useRef } from 'react';

/** The element focused after a dialog, menu or popover; true for the previous one. */
type FinalFocus = () => HTMLElement | true | null;

interface EarlyReturn {
  /** Notes the focused control, before the dialog gets the focus. */
  noteOpener: () => void;
  /** For Base UI, which would otherwise move the focus again after the animation, also from where the person has moved it since. */
  finalFocus: (() => HTMLElement | boolean | null) | undefined;
}

/**
 * Returns the focus of a dialog, menu or popover when it begins to close. Base UI does so after the animation, and a key in between would have no effect.
 * If the control that opened it is gone, Base UI chooses another one.
 * @param finalFocus the element focused afterwards, if it is not the previous one
 */
export function useEarlyReturn(
  open: boolean,
  dialog: RefObject<HTMLElement | null>,
  finalFocus?: FinalFocus,
): EarlyReturn {
  const opener = useRef<Element | null>(null);
  const wasOpen = useRef(open);
  const hasReturned = useRef(false);
  useLayoutEffect(() => {
    const closes = wasOpen.current && !open;
    wasOpen.current = open;
    if (open) hasReturned.current = false;
    if (!closes || !dialog.current?.contains(document.activeElement)) return;
    const wanted = finalFocus?.();
    const next = wanted instanceof HTMLElement ? wanted : opener.current;
    if (!(next instanceof HTMLElement && next.isConnected)) return;
    next.focus({ preventScroll: true });
    hasReturned.current = document.activeElement === next;
  }, [open, dialog, finalFocus]);
  return {
    noteOpener: () => {
      opener.current = document.activeElement;
    },
    // Without one, Base UI by itself leaves a moved focus as it is.
    finalFocus: finalFocus && (() => (hasReturned.current ? false : finalFocus())),
  };
}
