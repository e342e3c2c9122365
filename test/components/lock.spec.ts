/**
 * The pages of the lock, and its rows in Settings: whole and accessible in the states that a person can cause.
 */
import type { Page } from '@playwright/test';
import { fillNewPassphrase, openSettings } from '../e2e/support/pages.ts';
import { expect, test } from './support.ts';

const settings = (page: Page) => page.getByRole('dialog', { name: 'Settings' });

test('messages that arrive while locked are announced', async ({ page, openScene }) => {
  await openScene('locked');
  await expect(page.getByRole('status').filter({ hasText: 'You have new messages' })).toBeVisible();
});

test('Settings refuse the own handle as a passphrase, with the reason', async ({ page, openScene }) => {
  await openScene('unprotected');
  await openSettings(page, 'Privacy & lock');
  await settings(page).getByRole('switch', { name: 'App lock' }).click();
  await fillNewPassphrase(settings(page), 'Passphrase', 'robinreed1');
  await expect(
    settings(page).getByRole('textbox', { name: 'Passphrase', exact: true }),
  ).toHaveAccessibleDescription('Too easy to guess: it’s your own handle or name.');
  await expect(settings(page).getByRole('button', { name: 'Turn on App lock' })).toBeDisabled();
  await fillNewPassphrase(settings(page), 'Passphrase', 'plumage under a lamp');
  await settings(page).getByRole('button', { name: 'Turn on App lock' }).click();
  await expect(settings(page).getByRole('textbox', { name: 'Passphrase', exact: true })).toHaveCount(0);
});

test('an update of large data is shown with its progress and the room that it needs', async ({
  page,
  openScene,
}) => {
  await openScene('updating');
  await expect(page.getByRole('heading', { name: 'Updating your data' })).toBeVisible();
  await expect(page.getByRole('progressbar', { name: 'Updating your data' })).toHaveJSProperty('value', 43);
  await expect(page.getByText('129 MB')).toBeVisible();
});

for (const [scene, name] of [
  ['not-opened', 'Waxwing couldn’t start'],
  ['not-unlocked', 'Waxwing is locked'],
] as const) {
  test(`without room for an update, the page states the needed and the free room (${scene})`, async ({
    page,
    openScene,
  }) => {
    await openScene(scene);
    await expect(page.getByRole('heading', { name })).toBeVisible();
    await expect(page.getByText('up to 129 MB of free disk space')).toContainText(
      '87 MB is free. Free some space, then start Waxwing again.',
    );
  });
}
