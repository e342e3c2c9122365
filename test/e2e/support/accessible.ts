/**
 * Runs axe on a page when all animations have ended: a text that fades in has no contrast yet.
 */
import { expect, type Page } from '@playwright/test';
import axe, { type NodeResult } from 'axe-core';
import { runs } from '../../support/runs.ts';

declare global {
  interface Window {
    /** Present in pages that were checked before. */
    axe: typeof axe;
  }
}

/** Waits until all animations have ended, including those of content that loads later. */
export async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const ending = () =>
      document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY);
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    // Content loaded later fades in later.
    for (let quiet = 0; quiet < 4; quiet++) {
      const moving = ending();
      if (moving.length > 0) quiet = 0;
      await Promise.allSettled(moving.map(({ finished }) => finished));
      await new Promise((resolve) => setTimeout(resolve, 50));
      // A change of the window or the colours begins its animations with the next frame, which is late on a busy machine.
      await frame();
      await frame();
    }
  });
}

/**
 * Fails the test with the violations and their places. axe is loaded once into each page: a fresh copy for each check,
 * and a second page for its results, would make a check several times slower.
 * @param rules of axe; all of them if none is given
 */
export async function expectAccessible(page: Page, rules: readonly string[] = []): Promise<void> {
  await settled(page);
  expect(page.frames(), 'axe sees into no frame').toHaveLength(1);
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  const violations = await page.evaluate(async (only) => {
    // Only violations have places, and all of them.
    // A popover that traps the focus has spans at its ends, which pass it on at once. axe ignores them
    // while it sees the popover, but not after its anchor was scrolled out of view.
    const found = await window.axe.run(
      { exclude: [['[data-base-ui-focus-guard]']] },
      {
        resultTypes: ['violations'],
        ...(only.length > 0 && { runOnly: [...only] }),
      },
    );
    const textAt = ([target]: NodeResult['target']) =>
      (typeof target === 'string' && document.querySelector(target)?.textContent?.slice(0, 80)) || 'no text';
    const shown = ({ html, target, any, all, none }: NodeResult) =>
      `${html} with “${textAt(target)}” (${[...any, ...all, ...none].map(({ message }) => message).join('; ')})`;
    return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(shown).join(' ')}`);
  }, rules);
  expect(violations).toEqual([]);
}

/** Results of axe about colours, the only ones that depend on the colour scheme. */
export const ofColours = ['color-contrast', 'link-in-text-block'] as const;

/** Colours and width (in pixels) of a page, and the rules of axe for it; null for none. */
interface Look {
  colorScheme: 'light' | 'dark';
  width: number;
  rules: readonly string[] | null;
}

/** Parts of a page at 800 pixels are there at another width, too, in the same colours: axe need not look again. */
const EVERY_LOOK: readonly Look[] = [
  { colorScheme: 'light', width: 360, rules: [] },
  { colorScheme: 'light', width: 800, rules: null },
  { colorScheme: 'light', width: 1440, rules: [] },
  { colorScheme: 'dark', width: 360, rules: ofColours },
  { colorScheme: 'dark', width: 1440, rules: ofColours },
];

/** axe needs most of the time of a test. In the first set it runs once, at the width with most parts of the page. */
const FEW_LOOKS: readonly Look[] = [
  { colorScheme: 'light', width: 360, rules: null },
  { colorScheme: 'light', width: 1440, rules: [] },
];

/**
 * Checks that no text is cut off and that axe finds no violation: light and dark, narrow, medium and wide; with fewer checks
 * in the first set. Leaves the page wide.
 */
export async function expectWhole(page: Page): Promise<void> {
  // The tooltip of a control that a change of the width moves below the pointer is outside of all landmarks.
  await page.mouse.move(-1, -1);
  for (const { colorScheme, width, rules } of runs({
    quick: FEW_LOOKS,
    all: EVERY_LOOK,
    nightly: EVERY_LOOK,
  })) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    // The page updates its layout shortly after a change of the window's width.
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    if (rules !== null) await expectAccessible(page, rules);
  }
}
