import { type RefObject, useEffect, useRef } from 'react';

/**
 * For a button that makes room for a form: when the form is gone, the focus that went with it comes back to the button.
 * @returns what the button takes as its `ref`
 */
export function useFocusReturn(isFormShown: boolean): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null);
  const wasShown = useRef(isFormShown);
  useEffect(() => {
    const isGone = wasShown.current && !isFormShown;
    wasShown.current = isFormShown;
    // Removing the focused control leaves the focus on the body.
    if (isGone && document.activeElement === document.body) button.current?.focus();
  }, [isFormShown]);
  return button;
}
