/**
 * Names behind `@` and shortcodes of emoji behind `:` are completed while a message is written, by keys and by pointer.
 */
import type { Page } from '@playwright/test';
import { expectAccessible } from '../e2e/support/accessible.ts';
import { composer, marks, option, people, sent, type } from './completion.ts';
import { expect, test } from './support.ts';

const status = (page: Page, text: string) =>
  page.getByRole('form').getByRole('status').filter({ hasText: text });

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

test('Undo removes a mention, and Redo restores it', async ({ page, openScene }) => {
  await openScene('actions');
  await type(page, '@be');
  await expect(option(page, /Ben/)).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Tab');
  await expect(composer(page)).toHaveValue('@Ben Okafor ');
  await page.keyboard.press('ControlOrMeta+Z');
  await expect(composer(page)).toHaveValue('@be');
  await expect(marks(page)).toHaveCount(0);
  await page.keyboard.press('ControlOrMeta+Shift+Z');
  await expect(marks(page)).toHaveText('@Ben Okafor');
});

test('eight of a thousand members are listed; a nickname finds its person and is not sent', async ({
  page,
  openScene,
}) => {
  await openScene('actions', { open: '6' });
  await type(page, '@mem');
  await expect(people(page).getByRole('option')).toHaveCount(8);
  await composer(page).fill('');
  await type(page, '@bo');
  await expect(option(page, /Boss/)).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(composer(page)).toHaveValue('@Zoë Anders ');
  await composer(page).fill('');
  await type(page, '@zoe a');
  await expect(option(page, /Boss/)).toBeVisible();
});

test('both people of a direct chat are listed', async ({ page, openScene }) => {
  await openScene('actions', { open: '2' });
  await type(page, '@');
  await expect(people(page).getByRole('option')).toHaveText([/Ben/, /Robin/]);
});

test('the list fits into a short window, with the active entry visible', async ({ page, openScene }) => {
  await page.setViewportSize({ width: 360, height: 300 });
  await openScene('actions', { open: '6' });
  await composer(page).focus();
  await type(page, '@mem');
  await expect(people(page).getByRole('option')).toHaveCount(8);
  const top = async () => (await people(page).boundingBox())?.y ?? -1;
  await expect.poll(top).toBeGreaterThanOrEqual(0);
  await page.keyboard.press('ArrowUp');
  await expect(people(page).getByRole('option').last()).toBeInViewport({ ratio: 0.9 });
});
