/**
 * Layout of a conversation: long names, code, other scripts, long messages, a window that grows.
 */
import type { Page } from '@playwright/test';
import { expectWhole } from '../e2e/support/accessible.ts';
import { expect, test } from './support.ts';

const composer = (page: Page) => page.locator('form textarea');

test('a text that is too long shows a notice, and is sent in parts on request', async ({
  page,
  openScene,
}) => {
  await openScene('one', { open: '1' });
  const field = composer(page);
  const paragraph = `Paragraph. ${'word '.repeat(1990)}`.trim();
  await field.fill(`${paragraph}\n\n${paragraph}`);
  await expect(page.getByText(/characters over the limit/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeDisabled();
  await field.press('Enter');
  await expect(field).not.toHaveValue('');
  await expectWhole(page);
  await page.getByRole('button', { name: 'Send in 2 parts' }).click();
  await expect(field).toHaveValue('');
  await expect(field).toBeFocused();
  // Two were there before.
  await expect(page.getByRole('article').last()).toHaveAttribute('aria-setsize', '4');
  await field.fill('x'.repeat(70_000));
  await expect(page.getByText('The end of longer text is left out.')).toBeVisible();
});

test('the newest message stays visible while the window is resized', async ({ page, openScene }) => {
  // An open conversation with something unread begins there: this one has been read.
  await openScene('many', { open: '10' });
  for (let line = 1; line <= 20; line++) {
    await composer(page).fill(`Line ${line} of many`);
    await page.keyboard.press('Enter');
  }
  const last = page.getByRole('article').filter({ hasText: 'Line 20 of many' });
  await expect(last).toBeVisible();
  for (const height of [700, 1000, 600, 900]) {
    await page.setViewportSize({ width: 1280, height });
    await expect(last).toBeInViewport({ ratio: 1 });
  }
});

test('a possibly missing message is reported in a line without an author', async ({ page, openScene }) => {
  await openScene('states');
  const messages = page.getByRole('region', { name: 'Messages' });
  const line = messages.getByText('sent may be missing here');
  // Only rows near the window are in the page.
  await messages.hover();
  await expect
    .poll(async () => {
      if ((await line.count()) === 0) await page.mouse.wheel(0, -200);
      return line.count();
    })
    .toBe(1);
  await expect(messages.getByRole('article').filter({ has: line })).toHaveCount(0);
  await expectWhole(page);
});
