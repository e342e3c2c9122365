/** The regions that F6 visits, in page order. */
const REGIONS = 'main > div > nav, main > section';
/** The focus target of a region: its last Tab stop, else its first control. */
const FIRST = ['textarea', '[data-row][tabindex="0"]', 'input, button:not(:disabled), a[href]'];

const isShown = (element: HTMLElement) => element.checkVisibility();

/** Moves the focus to the next visible region. */
export function focusNextRegion(): void {
  const regions = [...document.querySelectorAll<HTMLElement>(REGIONS)].filter(isShown);
  const current = regions.findIndex((region) => region.contains(document.activeElement));
  const next = regions[(current + 1) % regions.length];
  if (!next) return;
  const controls = FIRST.flatMap((selector) => [...next.querySelectorAll<HTMLElement>(selector)]);
  controls.find(isShown)?.focus();
}
