/**
 * Messages that disappear: their notice, who can set them, and open parts of a deleted message.
 */

import { NOW } from '../../dev/fake/people.ts';
import { expectWhole } from '../e2e/support/accessible.ts';
import { openSettings } from '../e2e/support/pages.ts';
import { article } from './disappearing.ts';
import { writing } from './message-actions.ts';
import { expect, test } from './support.ts';

test('a member without the right to set the timer of a group can read it', async ({ page, openScene }) => {
  await openScene('disappearing', { open: '2' });
  await expect(page.getByText('Ann Archer set messages to disappear after 90 minutes')).toBeVisible();
  await page.getByRole('button', { name: 'Details' }).click();
  await expect(page.getByText('Only the owner and admins can change this.')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Disappearing messages/ })).toHaveCount(0);
  await expectWhole(page);
});

test('the default timer for new chats is in Settings, and the search finds it', async ({
  page,
  openScene,
}) => {
  await openScene('disappearing');
  await openSettings(page, 'Chats');
  await page.getByRole('searchbox', { name: 'Search settings' }).fill('expire');
  await page.keyboard.press('Enter');
  const choices = page.getByRole('group', { name: 'Disappearing messages' });
  await expect(choices.getByRole('radio', { name: '1 week' })).toBeChecked();
  await choices.getByText('8 hours').click();
  await expect(choices.getByRole('radio', { name: '8 hours' })).toBeChecked();
  await expectWhole(page);
});

test('the timer of a chat is set in its details by keyboard, and reported in a line', async ({
  page,
  openScene,
}) => {
  await openScene('disappearing');
  await page.getByRole('button', { name: 'Details' }).click();
  const button = page.getByRole('button', { name: 'Disappearing messages: 30 seconds' });
  await button.focus();
  await page.keyboard.press('Enter');
  const choices = page.getByRole('menuitemradio');
  await expect(choices).toHaveText([
    'Off',
    '30 seconds',
    '5 minutes',
    '1 hour',
    '8 hours',
    '1 day',
    '1 week',
    '4 weeks',
  ]);
  await expect(page.getByRole('menuitemradio', { checked: true })).toHaveText('30 seconds');
  await expectWhole(page);
  await page.getByRole('menuitemradio', { name: '1 day' }).click();
  await expect(page.getByText('You set messages to disappear after 1 day')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Disappearing messages: 1 day' })).toBeFocused();
});

test('a disappearing message closes its menu and dialogs', async ({ page, openScene }) => {
  await openScene('disappearing');
  await article(page, 'Be quick').focus();
  await page.keyboard.press('r');
  await expect(writing(page).getByText('Replying to Ann Archer')).toBeVisible();
  await expect(page.getByRole('textbox', { name: /^Message to/ })).toBeFocused();
  await page.clock.setFixedTime(NOW + 61_000);
  await page.keyboard.type('An answer that is kept');
  await expect(article(page, 'Be quick')).toHaveCount(0);
  await expect(writing(page).getByText('Replying to Ann Archer')).toHaveCount(0);
  await expect(page.getByRole('textbox', { name: /^Message to/ })).toHaveText('An answer that is kept');
  await expect(article(page, 'The code for the gate')).toBeVisible();
});
