/** Shared by the quick and the slow tests of adding-files. */
import type { Page } from '@playwright/test';
import { PASSPHRASE } from '../../dev/fake/answers/host.ts';
import { expect } from './support.ts';

export const NOT_SENT = 'Waxwing locked before your files were sent. Add them again.';

export async function lockAndUnlock(page: Page): Promise<void> {
  await page.keyboard.press('Control+l');
  await expect(page.getByRole('button', { name: 'Unlock' })).toBeVisible();
  await unlock(page);
}

export async function unlock(page: Page): Promise<void> {
  await page.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE);
  await page.keyboard.press('Enter');
  await page.getByText('Echo').first().click();
}
