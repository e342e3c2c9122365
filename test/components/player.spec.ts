/** The player of voice messages and sounds, which continues without their rows. */
import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from '../e2e/support/accessible.ts';
import { composer } from './files.ts';
import { expect, test } from './support.ts';

const button = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true });
const bar = (page: Page) => page.getByRole('region', { name: 'Now playing' });
const voices = (page: Page) => page.getByRole('article', { name: /Voice message/ });

/** Plays the voice message above the texts. */
async function playFirst(page: Page): Promise<Locator> {
  await page.getByRole('article').last().focus();
  await page.keyboard.press('Home');
  const first = voices(page).first();
  await button(first, 'Play voice message').click();
  await expect(button(first, 'Pause voice message')).toBeVisible();
  return first;
}

test('a voice message plays on while its row is out of view, and the bar leads back to it', async ({
  page,
  openScene,
}) => {
  await openScene('listening');
  const first = await playFirst(page);
  await expect(bar(page)).toBeHidden();
  await button(page, 'Jump to latest').click();
  await expect(bar(page)).toContainText('Ann Archer');
  await expectAccessible(page);
  await composer(page).fill('While it plays');
  await button(bar(page), 'Pause voice message').click();
  await button(bar(page), 'Play voice message').click();
  await expect(button(bar(page), 'Pause voice message')).toBeVisible();
  await button(bar(page), 'Show Ann Archer in chat').click();
  await expect(bar(page)).toBeHidden();
  await expect(button(first, 'Pause voice message')).toBeVisible();
});
