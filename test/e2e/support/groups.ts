/** Groups with a password: made and joined on the page, as a person does it. */
import { expect, type Page } from '@playwright/test';

const openGroups = (page: Page) => page.getByRole('button', { name: 'Groups', exact: true }).click();

/** Makes a group that anyone with the password can join. */
export async function makeGroup(page: Page, name: string, password: string): Promise<void> {
  await openGroups(page);
  await page.getByRole('button', { name: 'New group', exact: true }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
  await page.getByRole('radio', { name: 'Anyone with the password' }).check();
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Create group' }).click();
  await expect(page.getByRole('heading', { name })).toBeVisible();
}

/** Finds a group by the beginning of its name, and sends a password, which may be wrong. */
export async function joinGroup(page: Page, name: string, password: string): Promise<void> {
  await openGroups(page);
  await page.getByRole('textbox', { name: 'Find a group' }).fill(name.slice(0, 4));
  await page.getByRole('button', { name: new RegExp(name) }).click();
  await page.getByRole('textbox', { name: 'Group password' }).fill(password);
  await page.getByRole('button', { name: 'Join group', exact: true }).click();
}
