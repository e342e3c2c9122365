/**
 * Linking another computer by a one-time code, as a person does on the two of them.
 */
import { expect, type Page } from '@playwright/test';
import { PASSPHRASE } from './waxwing.ts';

export async function openLinking(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'Link a computer' }).click();
}

/** Lets an app make a code, and returns it as it is shown. */
export async function showCode(page: Page): Promise<string> {
  await page.getByLabel('Your passphrase').fill(PASSPHRASE);
  await page.getByRole('button', { name: /^(?:Show code|Create new code)$/ }).click();
  const code = page.getByRole('dialog', { name: 'Link a computer' }).locator('code');
  await expect(code).toHaveText(/^(?:[0-9A-Z]{4}-){6}[0-9A-Z]{4}$/);
  return (await code.innerText()).replace(/\s/g, '');
}

/** From the first step of first run to where the code is typed. */
export async function goToLinkStep(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('radio', { name: 'Link this computer' }).check();
  await page.getByRole('button', { name: 'Continue' }).click();
}

export async function tryCode(page: Page, code: string): Promise<void> {
  await page.getByRole('textbox', { name: 'One-time code' }).fill(code);
  await page.getByRole('button', { name: 'Link this computer' }).click();
}
