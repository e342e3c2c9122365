/**
 * Finding people and chats: with the server and without, by handle and by name.
 */
import type { Page } from '@playwright/test';
import { echo, person } from '../../dev/fake/people.ts';
import { expectWhole } from '../e2e/support/accessible.ts';
import { dialog, openNewChat, title } from './finding-people.ts';
import { answerDelayed, delay, expect, refuse, test } from './support.ts';

const contacts = (page: Page) => dialog(page).getByRole('list', { name: 'Contacts' });

test('New chat finds known chats by name while the server is silent, and Enter opens the first', async ({
  page,
  openScene,
}) => {
  await openScene('offline', { open: '' });
  for (const name of ['people.search', 'people.resolve'] as const) await delay(page, name);
  await openNewChat(page);
  await dialog(page).getByRole('textbox', { name: 'To' }).fill('Ann ar');
  await expect(contacts(page).getByRole('listitem')).toHaveCount(1);
  await expectWhole(page);
  await page.keyboard.press('Enter');
  await expect(dialog(page)).toHaveCount(0);
  await expect(title(page)).toContainText('Ann');
});

test('the whole handle of a contact opens their chat without asking the server', async ({
  page,
  openScene,
}) => {
  await openScene('offline', { open: '' });
  await delay(page, 'people.resolve');
  await openNewChat(page);
  await dialog(page).getByRole('textbox', { name: 'To' }).fill('@ann');
  await page.keyboard.press('Enter');
  await expect(title(page)).toContainText('Ann');
});

test('the link of a contact opens their chat, and an incomplete one is refused as an address', async ({
  page,
  openScene,
}) => {
  await openScene('one', { open: '' });
  await openNewChat(page);
  const field = dialog(page).getByRole('textbox', { name: 'To' });
  await field.fill('waxwing:contact/0x12');
  await page.keyboard.press('Enter');
  await expect(dialog(page)).toContainText('No one with this address uses this server.');
  await field.fill(` waxwing:contact/${echo.address}`);
  await page.keyboard.press('Enter');
  await expect(title(page)).toContainText('Echo');
});

test('New chat offers to repeat a search that the server did not answer', async ({ page, openScene }) => {
  await openScene('empty');
  await delay(page, 'people.search');
  await openNewChat(page);
  await refuse(page);
  await expect(dialog(page).getByRole('alert')).toContainText('The connection to Waxwing was lost');
  const retry = dialog(page).getByRole('button', { name: 'Try again' });
  await delay(page, 'people.search');
  await retry.click();
  await expect(retry).toHaveCount(0);
  await expect(dialog(page).getByRole('textbox', { name: 'To' })).toBeFocused();
  await answerDelayed(page);
  const found = dialog(page).getByRole('list', { name: 'People on this server' });
  await expect(found.getByRole('listitem')).not.toHaveCount(0);
});

test('a search without an answer is not shown as one without results when people are added to a group', async ({
  page,
  openScene,
}) => {
  await openScene('new-group');
  await page.getByRole('button', { name: 'Add people' }).first().click();
  const adding = page.getByRole('dialog', { name: 'Add people' });
  const field = adding.getByRole('textbox', { name: 'Name, handle or address' });
  for (const text of ['zed', person('zed', 'Zed').address]) {
    const procedure = text === 'zed' ? 'people.search' : 'people.resolve';
    await delay(page, procedure);
    await field.fill(text);
    await refuse(page);
    await expect(adding.getByRole('alert')).toContainText('The connection to Waxwing was lost');
    await expect(adding.getByText('No one found')).toHaveCount(0);
    await delay(page, procedure);
    await adding.getByRole('button', { name: 'Try again' }).click();
    await expect(field).toBeFocused();
    await answerDelayed(page);
    await expect(adding.getByText('No one')).toBeVisible();
  }
});

test('the command palette shows the failure of its search', async ({ page, openScene }) => {
  await openScene('empty');
  await delay(page, 'people.search');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('zed');
  await refuse(page);
  await expect(page.getByRole('alert')).toContainText('The connection to Waxwing was lost');
  await expect(page.getByText('No results')).toHaveCount(0);
  const again = page.getByRole('button', { name: 'Try again' });
  await page.keyboard.press('Tab');
  await expect(again).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByText('No results')).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(page.getByRole('combobox')).toBeFocused();
});

test('the command palette shows the failure of its search beside other results', async ({
  page,
  openScene,
}) => {
  await openScene('many', { open: '' });
  await delay(page, 'people.search');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('ann');
  await refuse(page);
  await expect(page.getByRole('option', { name: /Ann/ }).first()).toBeVisible();
  await expect(page.getByRole('alert')).toContainText('The connection to Waxwing was lost');
  await expectWhole(page);
});

test('a search for groups that failed is announced', async ({ page, openScene }) => {
  await openScene('group');
  await delay(page, 'groups.browse');
  await page.getByRole('button', { name: 'Groups', exact: true }).click();
  await refuse(page);
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText(
    'The connection to Waxwing was lost',
  );
});

test('a handle that no one has is reported once, without the advice to try a whole handle', async ({
  page,
  openScene,
}) => {
  await openScene('empty');
  await openNewChat(page);
  await dialog(page).getByRole('textbox', { name: 'To' }).fill('@nobody_here');
  await page.keyboard.press('Enter');
  await expect(dialog(page).getByText('No one on this server has the handle @nobody_here.')).toBeVisible();
  await expect(dialog(page).getByText('Try a whole handle')).toHaveCount(0);
});

test('an answer that a repetition does not change is shown without a button to try again', async ({
  page,
  openScene,
}) => {
  await openScene('new-group');
  const { address } = person('zed', 'Zed');
  await openNewChat(page);
  await dialog(page).getByRole('textbox', { name: 'To' }).fill(address);
  await expect(dialog(page).getByText('No one with this address')).toBeVisible();
  await expect(dialog(page).getByRole('button', { name: 'Try again' })).toHaveCount(0);
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Add people' }).first().click();
  const adding = page.getByRole('dialog', { name: 'Add people' });
  await adding.getByRole('textbox', { name: 'Name, handle or address' }).fill(address);
  await expect(adding.getByText('No one with this address')).toBeVisible();
  await expect(adding.getByRole('button', { name: 'Try again' })).toHaveCount(0);
});
