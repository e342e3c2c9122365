/**
 * Messages that disappear: their notice, who can set them, and a timer that can’t be set.
 */
import { openSettings } from '../e2e/support/pages.ts';
import { article } from './disappearing.ts';
import { delay, expect, refuse, test } from './support.ts';

test('messages, lines and the header show whether and when messages disappear', async ({
  page,
  openScene,
}) => {
  await openScene('disappearing');
  await expect(page.getByText('You set messages to disappear after 30 seconds')).toBeVisible();
  await expect(page.getByText('You turned disappearing messages off')).toBeVisible();
  await expect(page.getByText('Ann Archer set messages to disappear after 8 hours')).toBeVisible();
  await expect(page.getByRole('img', { name: 'Messages disappear after 30 seconds' })).toBeVisible();
  const own = article(page, 'Thank you');
  await expect(own).toHaveAccessibleName(/^Your message, Thank you, edited, disappears after 8 hours, /);
  await expect(own.getByRole('img', { name: 'Disappears after 8 hours' })).toBeVisible();
  await expect(article(page, 'This stays').getByRole('img', { name: /^Disappears/ })).toHaveCount(0);

  await article(page, 'The code for the gate').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Message info' }).click();
  const dialog = page.getByRole('dialog', { name: 'Message info' });
  await expect(dialog.getByText('Disappears', { exact: true })).toBeVisible();
  await page.keyboard.press('Escape');
  await article(page, 'On my way').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Message info' }).click();
  await expect(dialog.getByText('30 seconds after it’s sent')).toBeVisible();
});

test('a timer of a chat that could not be set is reported', async ({ page, openScene }) => {
  await openScene('disappearing');
  await page.getByRole('button', { name: 'Details' }).click();
  await delay(page, 'conversations.setTimer');
  await page.getByRole('button', { name: 'Disappearing messages: 30 seconds' }).click();
  await page.getByRole('menuitemradio', { name: '1 day' }).click();
  await refuse(page);
  await expect(page.getByText('Couldn’t change disappearing messages')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Disappearing messages: 30 seconds' })).toBeVisible();
});

test('a default timer that could not be set is reported', async ({ page, openScene }) => {
  await openScene('disappearing');
  await openSettings(page, 'Chats');
  await delay(page, 'conversations.setDefaultTimer');
  await page.getByRole('group', { name: 'Disappearing messages' }).getByText('8 hours').click();
  await refuse(page);
  await expect(page.getByText('Couldn’t change disappearing messages')).toBeVisible();
});
