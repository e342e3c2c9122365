import { type RefObject, useEffect } from 'react';

const CONTROLS = 'a[href], button, input, [tabindex]';
/** Set on controls that Tab passes by for now; says what their `tabindex` was. */
const HELD = 'data-held';

/**
 * Leaves one stop for the Tab key in a list of articles: the one with the focus last, and from it its controls. The
 * others would take a press of the key for each button and link in them.
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
    // Rows come and go as it scrolls, and controls in them.
    const watch = new MutationObserver(settle);
    watch.observe(list, { childList: true, subtree: true });
    return () => watch.disconnect();
  }, [feed, currentId]);
}
