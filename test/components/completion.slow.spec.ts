import { expectAccessible } from '../e2e/support/accessible.ts';
import { composer, emoji, marks, option, type } from './completion.ts';
import { expect, test } from './support.ts';

test('a draft keeps its mentions while another chat is open', async ({ page, openScene }) => {
  await openScene('actions');
  await type(page, '@be');
  await expect(option(page, /Ben/)).toBeVisible();
  await page.keyboard.press('Enter');
  await page
    .getByRole('navigation')
    .getByRole('option', { name: /^Everyone/ })
    .click();
  await expect(page.getByRole('heading', { name: 'Everyone' })).toBeVisible();
  await expect(composer(page)).toHaveValue('');
  await page
    .getByRole('navigation')
    .getByRole('option', { name: /^Weekend hikers/ })
    .click();
  await expect(composer(page)).toHaveValue('@Ben Okafor ');
  await expect(marks(page)).toHaveText('@Ben Okafor');
});

test('an emoji is completed from two letters of its shortcode, and a whole shortcode becomes it', async ({
  page,
  openScene,
}) => {
  await openScene('actions');
  await type(page, ':t');
  await expect(emoji(page)).toHaveCount(0);
  await type(page, 'ada');
  await expect(emoji(page).getByRole('option')).toHaveText([/:tada:/]);
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await expect(composer(page)).toHaveValue('🎉');
  await type(page, ' :smile:');
  await expect(composer(page)).toHaveValue('🎉 😄');
  await page.keyboard.press('ControlOrMeta+Z');
  await expect(composer(page)).toHaveValue('🎉 :smile:');
  await composer(page).fill('');
  await type(page, 'at 10:30: see http://a:80: and `:smile:` or :nothing_so_called:');
  await expect(composer(page)).toHaveValue('at 10:30: see http://a:80: and `:smile:` or :nothing_so_called:');
  await expect(emoji(page)).toHaveCount(0);
});

test('in the pseudo-locale, from right to left, the list is whole', async ({ page, openScene }) => {
  await openScene('actions', { lang: 'en-XB' });
  const field = page.locator('form textarea');
  await expect(field).toBeFocused();
  await page.keyboard.type('@an');
  const list = page.getByRole('listbox').last();
  await expect(list.getByRole('option')).toHaveText([/Ann Archer/, /./]);
  await expectAccessible(page);
});
