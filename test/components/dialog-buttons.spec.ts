/**
 * The buttons of dialogs and forms in a narrow window with large text: each is fully visible, in its own row
 * if necessary.
 */
import type { Page } from '@playwright/test';
import { settled } from '../e2e/support/accessible.ts';
import { expect, test } from './support.ts';

test.use({ viewport: { width: 360, height: 740 } });

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const details = (page: Page) => button(page, 'Details').click();

/** The scene of a dialog, and the steps that open it. The name is that of its action. */
const dialogs = {
  'Create group': [
    'one',
    '',
    (page) =>
      button(page, 'Groups')
        .click()
        .then(() => button(page, 'New group').click()),
  ],
  'Save changes': [
    'group',
    undefined,
    (page) => details(page).then(() => button(page, 'Change who can join').click()),
  ],
  'Addresses don’t match': ['one', '1', (page) => details(page).then(() => button(page, 'Verify…').click())],
  Block: ['one', '1', (page) => details(page).then(() => button(page, 'Block').click())],
} as const satisfies Record<string, readonly [string, string | undefined, (page: Page) => Promise<void>]>;

/** Pixels by which its widest part exceeds its window. */
const excess = (page: Page) =>
  page
    .getByRole('dialog')
    .or(page.getByRole('alertdialog'))
    .last()
    .evaluate((dialog) =>
      Math.max(
        dialog.scrollWidth - dialog.clientWidth,
        ...[...dialog.querySelectorAll('*')].map((part) => part.getBoundingClientRect().right - innerWidth),
      ),
    );

for (const [name, [scene, open, show]] of Object.entries(dialogs))
  test(`the buttons of a dialog are whole at 360 pixels and text of 200 %: ${name}`, async ({
    page,
    openScene,
  }) => {
    await openScene(scene, { text: '200', ...(open !== undefined && { open }) });
    await show(page);
    const action = page
      .getByRole('dialog')
      .or(page.getByRole('alertdialog'))
      .last()
      .getByRole('button', { name })
      .last();
    await action.scrollIntoViewIfNeeded();
    await settled(page);
    expect(await excess(page)).toBeLessThanOrEqual(0);
    await expect(action).toBeInViewport({ ratio: 1 });
  });

test('the confirming buttons of Block and Leave are red, as those that ask', async ({ page, openScene }) => {
  const colorOf = (name: string) =>
    page
      .getByRole('alertdialog')
      .getByRole('button', { name, exact: true })
      .evaluate((element) => getComputedStyle(element).color);
  const dangerOf = (name: string) =>
    button(page, name).evaluate((element) => getComputedStyle(element).color);
  await openScene('one', { open: '1' });
  await details(page);
  const danger = await dangerOf('Block');
  await button(page, 'Block').click();
  expect(await colorOf('Block')).toBe(danger);
  await openScene('group');
  await details(page);
  await button(page, 'Leave group').click();
  expect(await colorOf('Leave group')).toBe(danger);
});
