/** The parts of the window that F6 goes through, in the order of the page. */
const REGIONS = 'main > div > nav, main > section';
/** What of a part takes the focus: what was left to the Tab key there, else its first control. */
const FIRST = ['textarea', '[data-row][tabindex="0"]', 'input, button:not(:disabled), a[href]'];

const isShown = (element: HTMLElement) => element.checkVisibility();

/** Moves the focus to the next part that is shown. */
export function focusNextRegion(): void {
  const regions = [...document.querySelectorAll<HTMLElement>(REGIONS)].filter(isShown);
  const current = regions.findIndex((region) => region.contains(document.activeElement));
  const next = regions[(current + 1) % regions.length];
  if (!next) return;
  const controls = FIRST.flatMap((selector) => [...next.querySelectorAll<HTMLElement>(selector)]);
  controls.find(isShown)?.focus();
}
