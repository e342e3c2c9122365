import { type RefObject, useLayoutEffect, useRef } from 'react';

/**
 * For a button that is replaced by a form: when the form is removed with the focus in it, the button is focused
 * again.
 * @returns the `ref` for the button
 */
export function useFocusReturn(isFormShown: boolean): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null);
  const wasShown = useRef(isFormShown);
  // Before other parts of the page look for a lost focus.
  useLayoutEffect(() => {
    const isGone = wasShown.current && !isFormShown;
    wasShown.current = isFormShown;
    // Removing the focused control leaves the focus on the body.
    if (isGone && document.activeElement === document.body) button.current?.focus();
  }, [isFormShown]);
  return button;
}
