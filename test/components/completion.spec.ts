/**
 * Names behind `@` and shortcodes of emoji behind `:` are completed while a message is written, by keys and by pointer.
 */
import type { Page } from '@playwright/test';
import { expectAccessible } from '../e2e/support/accessible.ts';
import { composer, marks, option, people, sent, type } from './completion.ts';
import { expect, test } from './support.ts';

const status = (page: Page, text: string) =>
  page.getByRole('form').locator('p[aria-live]').filter({ hasText: text });

test('a member chosen by keyboard is a mention in the field and in the sent message', async ({
  page,
  openScene,
}) => {
  await openScene('actions');
  await type(page, 'Ask @');
  // The last author comes first, the person last.
  await expect(people(page).getByRole('option')).toHaveText([/^.*Dana|دانا/, /Ann/, /陈/, /Ben/, /Robin/]);
  await expect(status(page, '5 suggestions')).toHaveCount(1);
  await expect(composer(page)).toHaveAttribute('aria-activedescendant', /-0$/);
  await page.keyboard.press('ArrowUp');
  await expect(option(page, /Robin/)).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(option(page, /Ann/)).toHaveAttribute('aria-selected', 'true');
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await expect(composer(page)).toHaveValue('Ask @Ann Archer ');
  await expect(people(page)).toHaveCount(0);
  await expect(marks(page)).toHaveText('@Ann Archer');
  await expect(status(page, 'Ann Archer is mentioned')).toHaveCount(1);
  await expect(composer(page)).not.toHaveAttribute('aria-activedescendant');
  await type(page, 'now');
  await page.keyboard.press('Enter');
  await expect(sent(page).getByRole('button', { name: '@Ann Archer' })).toBeVisible();
  await expect(composer(page)).toHaveValue('');
  await expect(marks(page)).toHaveCount(0);
});

test('both people of a direct chat are listed', async ({ page, openScene }) => {
  await openScene('actions', { open: '2' });
  await type(page, '@');
  await expect(people(page).getByRole('option')).toHaveText([/Ben/, /Robin/]);
});
