/** Linking a new computer by its code, by a person's actions on both computers. */
import { expect, type Page } from '@playwright/test';
import { openSettings } from './pages.ts';
import { PASSPHRASE } from './waxwing.ts';

/** Goes from the first step of first run to the displayed code of this computer. */
export async function showCode(page: Page): Promise<string> {
  await showLinkStep(page);
  await page.getByRole('button', { name: 'Show code' }).click();
  return readCode(page);
}

/** Chooses to link this computer in first run. */
export async function showLinkStep(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('radio', { name: 'Link this computer' }).check();
  await page.getByRole('button', { name: 'Continue' }).click();
}

/** The code that is shown. */
export async function readCode(page: Page): Promise<string> {
  const code = page.locator('code');
  await expect(code).toHaveText(/^(?:[0-9A-Z]{4}-){6}[0-9A-Z]{4}$/);
  return (await code.innerText()).replace(/\s/g, '');
}

export const linkDialog = (page: Page) => page.getByRole('dialog', { name: 'Link a computer' });

export async function openLinking(page: Page): Promise<void> {
  await openSettings(page, 'Devices');
  await page.getByRole('button', { name: 'Link a computer' }).click();
}

/** Enters a code into the open dialog, up to the question whether to link that computer. */
export async function enterCode(page: Page, code: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Code on the new computer' }).fill(code);
  await linkDialog(page).getByRole('button', { name: 'Continue' }).click();
}

/** Accepts the computer that the open dialog asks about. */
export async function confirmLink(page: Page): Promise<void> {
  await page.getByLabel('Your passphrase').fill(PASSPHRASE);
  await linkDialog(page).getByRole('button', { name: 'Link computer' }).click();
  await expect(linkDialog(page)).toContainText('On the new computer, check that it asks to join');
}

/** The whole procedure, from a newly started computer to a linked one. */
export async function linkComputer(old: Page, fresh: Page): Promise<void> {
  const code = await showCode(fresh);
  await openLinking(old);
  await enterCode(old, code);
  await confirmLink(old);
  await fresh.getByRole('button', { name: 'Join', exact: true }).click();
  await expect(fresh.getByRole('button', { name: 'New chat' }).first()).toBeVisible();
  await expect(linkDialog(old)).toContainText('is linked');
  await linkDialog(old).getByRole('button', { name: 'Done' }).click();
  await expect(linkDialog(old)).toBeHidden();
  await old.keyboard.press('Escape');
  await expect(old.getByRole('dialog', { name: 'Settings' })).toHaveCount(0);
}
