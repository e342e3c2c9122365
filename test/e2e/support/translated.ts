/**
 * Faults of a page in the pseudo-locale: words that are not from the catalogue, and words that do not
 * fit.
 */
import { expect, type Page } from '@playwright/test';
import { settled } from './accessible.ts';

/** Texts that Intl adds to sentences, in the language of the machine, not of the catalogue. */
const formatted = ['AM', 'PM', ' at ', 'Today', ...monthsAndDays(), ...units()];

function monthsAndDays(): string[] {
  const name = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en-US', options);
  const months = Array.from({ length: 12 }, (_, month) =>
    name({ month: 'long' }).format(new Date(2026, month)),
  );
  const days = Array.from({ length: 7 }, (_, day) =>
    name({ weekday: 'long' }).format(new Date(2026, 1, day)),
  );
  return [...months, ...days];
}

/** Units of sizes, the longer ones first. */
function units(): string[] {
  const parts = (unit: string, value: number, unitDisplay: 'long' | 'short') =>
    new Intl.NumberFormat('en-US', { style: 'unit', unit, unitDisplay }).formatToParts(value);
  return [
    ...[parts('byte', 2, 'long'), parts('byte', 1, 'long')],
    ...['kilobyte', 'megabyte', 'gigabyte'].map((unit) => parts(unit, 1, 'short')),
  ].flatMap((all) => all.filter(({ type }) => type === 'unit').map(({ value }) => value));
}

interface Faults {
  bare: string[];
  clipped: string[];
}

/** Runs in the page. */
function findFaults(known: readonly string[]): Faults {
  /** Texts by people, programs and the system, which are not from the catalogue. */
  const data = 'bdi, time, code, kbd, pre, [contenteditable], textarea, noscript, script, style, .font-mono';
  const bare = new Set<string>();
  const clipped = new Set<string>();
  const without = (text: string) => known.reduce((rest, each) => rest.replaceAll(each, ''), text);
  const look = (text: string | null) => {
    if (text && /[A-Za-z]{2}/.test(without(text))) bare.add(text.trim());
  };
  for (const element of document.querySelectorAll<HTMLElement>('body *')) {
    if (!element.checkVisibility({ visibilityProperty: true })) continue;
    for (const name of ['aria-label', 'aria-description', 'title', 'placeholder', 'alt']) {
      look(element.getAttribute(name));
    }
    if (element instanceof HTMLInputElement && element.placeholder && !element.value) {
      const style = getComputedStyle(element);
      const pen = new OffscreenCanvas(1, 1).getContext('2d');
      if (!pen) throw new Error('text cannot be measured');
      pen.font = style.font;
      const room =
        element.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight);
      if (pen.measureText(element.placeholder).width > room) clipped.add(element.placeholder);
    }
    if (element.closest(data)) continue;
    for (const node of element.childNodes) {
      if (node.nodeType !== Node.TEXT_NODE || !node.textContent?.trim()) continue;
      look(node.textContent);
      const range = document.createRange();
      range.selectNodeContents(node);
      const { left, right, width } = range.getBoundingClientRect();
      if (width === 0) continue;
      const cutBy = (box: { left: number; right: number }) => left < box.left - 1 || right > box.right + 1;
      for (let around: HTMLElement | null = element; around; around = around.parentElement) {
        const style = getComputedStyle(around);
        // Elements only for screen readers have a box of one pixel.
        if (around.clientWidth <= 1 && style.overflowX !== 'visible') break;
        const hides = style.overflowX !== 'visible' || around === document.body;
        if (hides && cutBy(around.getBoundingClientRect())) clipped.add(node.textContent.trim());
      }
    }
  }
  return { bare: [...bare], clipped: [...clipped] };
}

/**
 * Checks in a narrow and a wide window that all visible and accessible text comes from the catalogue, and that no text is
 * cut off. Leaves the page wide.
 * @param known names and the like, which are no words of the catalogue
 */
export async function expectTranslated(page: Page, known: readonly string[]): Promise<void> {
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    await settled(page);
    // All screens are checked, also after a failure on one of them.
    expect.soft(await page.evaluate(findFaults, [...known, ...formatted])).toEqual({ bare: [], clipped: [] });
  }
}
