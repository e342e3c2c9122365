import { type RefObject, useEffect } from 'react';

const CONTROLS = 'a[href], button, input, [tabindex]';
/** Marks controls outside of the Tab order; the value is their previous `tabindex`. */
const HELD = 'data-held';

/**
 * Leaves one Tab stop in a list of articles: the last focused one, followed by its controls. Otherwise each button
 * and link of the others would be a stop.
 */
export function useOneTabStop(feed: RefObject<HTMLElement | null>, currentId: string | undefined): void {
  useEffect(() => {
    const list = feed.current;
    if (!list) return;
    const settle = () => {
      for (const article of list.querySelectorAll<HTMLElement>('article')) {
        const isCurrent = article.dataset.message === currentId;
        for (const control of article.querySelectorAll<HTMLElement>(CONTROLS)) {
          if (isCurrent && control.hasAttribute(HELD)) {
            const before = control.getAttribute(HELD);
            control.removeAttribute(HELD);
            if (before) control.setAttribute('tabindex', before);
            else control.removeAttribute('tabindex');
          } else if (!isCurrent && control.tabIndex >= 0) {
            control.setAttribute(HELD, control.getAttribute('tabindex') ?? '');
            control.tabIndex = -1;
          }
        }
      }
    };
    settle();
    // Rows and their controls appear and disappear during scrolling.
    const watch = new MutationObserver(settle);
    watch.observe(list, { childList: true, subtree: true });
    return () => watch.disconnect();
  }, [feed, currentId]);
}
