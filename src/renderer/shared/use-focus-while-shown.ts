import { type RefObject, useEffect } from 'react';

/** Moves the focus to a control when its pane appears, and back when the pane is removed with the focus in it. */
export function useFocusWhileShown(control: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const before = document.activeElement;
    control.current?.focus();
    return () => {
      // Removing the focused control leaves the focus on the body.
      if (document.activeElement === document.body && before instanceof HTMLElement) before.focus();
    };
  }, [control]);
}
