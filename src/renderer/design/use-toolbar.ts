import { type KeyboardEvent, useState } from 'react';

/** Attributes of a toolbar's button. */
interface Item {
  onFocus: () => void;
  tabIndex: 0 | -1;
}

interface Toolbar {
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
  /** @param place of the button, from 0 */
  item: (place: number) => Item;
}

/**
 * The keys of a toolbar: one Tab stop, with arrow keys between its buttons.
 * https://www.w3.org/WAI/ARIA/apg/patterns/toolbar/
 * @param count number of buttons
 * @param start place of the button with the first focus
 */
export function useToolbar(count: number, start = 0): Toolbar {
  const [current, setCurrent] = useState(start);
  return {
    onKeyDown(event) {
      if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
      const forward = getComputedStyle(event.currentTarget).direction === 'rtl' ? -1 : 1;
      const next = {
        ArrowRight: (current + forward + count) % count,
        ArrowLeft: (current - forward + count) % count,
        Home: 0,
        End: count - 1,
      }[event.key];
      if (next === undefined) return;
      event.preventDefault();
      event.currentTarget.querySelectorAll<HTMLElement>('button')[next]?.focus();
    },
    item: (place) => ({ onFocus: () => setCurrent(place), tabIndex: place === current ? 0 : -1 }),
  };
}
