/** Toasts: one for the same failure, in a place that covers neither the title of an open dialog nor the message field. */
import type { Locator, Page } from '@playwright/test';
import { NOW } from '../../dev/fake/people.ts';
import { settled } from '../e2e/support/accessible.ts';
import { dropOn, text } from './files.ts';
import { delay, expect, refuse, test } from './support.ts';

const toast = (page: Page) =>
  page.getByRole('dialog').filter({ hasText: 'The connection to Waxwing was lost' });

/** Reports whether two parts overlap on the screen. */
async function overlaps(one: Locator, other: Locator): Promise<boolean> {
  const [a, b] = await Promise.all([one.boundingBox(), other.boundingBox()]);
  if (!a || !b) throw new Error('A part is not shown');
  const isApart =
    a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;
  return !isApart;
}

async function openVerifying(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Details' }).click();
  await page.getByRole('button', { name: 'Verify…', exact: true }).click();
}

/** Fails an action in the open dialog to verify a contact. */
async function fail(page: Page): Promise<void> {
  await delay(page, 'people.setVerified');
  await page.getByRole('button', { name: 'Addresses match', exact: true }).click();
  await refuse(page);
}

/** Fails an action in a dialog, and points at its toast, which then stays. */
async function failInDialog(page: Page): Promise<void> {
  await openVerifying(page);
  await fail(page);
  await toast(page).hover();
  await settled(page);
}

for (const [width, height] of [
  [1280, 800],
  [800, 600],
  [360, 640],
] as const)
  test(`a toast covers neither the title of a dialog nor the message field in a window of ${width} × ${height} pixels`, async ({
    page,
    openScene,
  }) => {
    await page.setViewportSize({ width, height });
    await openScene('one', { open: '1' });
    await failInDialog(page);
    expect(await overlaps(toast(page), page.getByRole('heading', { name: /^Verify / }))).toBe(false);
    await expect(toast(page)).toBeInViewport({ ratio: 1 });
    await page
      .getByRole('dialog', { name: /^Verify / })
      .getByRole('button', { name: 'Close' })
      .click();
    // Details cover the chat in a narrow window, and close on Escape once the focus is back in them.
    await expect(page.getByRole('button', { name: 'Verify…', exact: true })).toBeFocused();
    await page.keyboard.press('Escape');
    const field = page.getByRole('textbox', { name: /^Message/ });
    await expect(field).toBeVisible();
    await settled(page);
    expect(await overlaps(toast(page), field)).toBe(false);
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('combobox');
    await expect(palette).toBeVisible();
    await settled(page);
    expect(await overlaps(toast(page), palette)).toBe(false);
  });

test('a toast does not enlarge a dialog in a narrow and high window', async ({ page, openScene }) => {
  await page.setViewportSize({ width: 420, height: 1000 });
  await openScene('one', { open: '1' });
  await failInDialog(page);
  await expect(page.getByRole('dialog', { name: /^Verify / })).toHaveCSS('max-height', '704px');
});

test('the same failure again is one toast, and its time begins again', async ({ page, openScene }) => {
  await page.clock.install({ time: NOW });
  await openScene('one', { open: '1' });
  await openVerifying(page);
  // From now on time passes in this test only.
  await page.clock.pauseAt(NOW + 600_000);
  await fail(page);
  await expect(toast(page)).toHaveCount(1);
  await page.clock.runFor(6_000);
  await fail(page);
  await expect(page.getByRole('button', { name: 'Addresses match', exact: true })).toBeEnabled();
  await page.clock.runFor(1_000);
  await expect(toast(page)).toHaveCount(1);
  await page.clock.runFor(5_000);
  await expect(toast(page)).toHaveCount(1);
  await page.clock.runFor(3_000);
  await expect(toast(page)).toHaveCount(0);
});

test('several toasts do not cover the title of a dialog in a narrow window', async ({ page, openScene }) => {
  await page.clock.install({ time: NOW });
  await page.setViewportSize({ width: 360, height: 640 });
  await openScene('one', { open: '1' });
  await page.getByRole('button', { name: 'Details' }).click();
  await delay(page, 'conversations.setMuted');
  await page.getByRole('button', { name: 'Mute' }).click();
  await page.getByRole('menuitem').first().click();
  // The toasts stay.
  await page.clock.pauseAt(NOW + 600_000);
  await refuse(page);
  await expect(toast(page)).toHaveCount(1);
  await page.getByRole('button', { name: 'Verify…', exact: true }).click();
  await fail(page);
  await dropOn(page.locator('body'), [text('a.txt')]);
  const notices = page.getByRole('region', { name: 'Notices' });
  await expect(notices.getByRole('dialog')).toHaveCount(3);
  const title = page.getByRole('heading', { name: /^Verify / });
  const box = await title.boundingBox();
  expect(box).not.toBeNull();
  // The title is in front at its center, and not a toast.
  const isInFront = await title.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
  });
  expect(isInFront).toBe(true);
  expect(await overlaps(notices, title)).toBe(false);
  await expect(notices.getByRole('dialog').first()).toContainText('Open a chat first');
});
