import type { MouseEvent } from 'react';

/**
 * A listener for the clicks of a button, which acts once at a double click. Otherwise the second click would be the next action of
 * the same button, such as a cancel.
 */
export function onePress(act: () => void): (click: MouseEvent) => void {
  return ({ detail }) => {
    if (detail < 2) act();
  };
}
