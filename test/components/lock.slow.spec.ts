import type { Page } from '@playwright/test';
import { PASSPHRASE } from '../../dev/fake/answers/host.ts';
import { expectWhole } from '../e2e/support/accessible.ts';
import { openSettings } from '../e2e/support/pages.ts';
import { expect, test } from './support.ts';

const settings = (page: Page) => page.getByRole('dialog', { name: 'Settings' });

test('Settings are complete while changing the passphrase', async ({ page, openScene }) => {
  await openScene('one');
  await openSettings(page, 'Privacy & lock');
  await settings(page).getByRole('button', { name: 'Change passphrase' }).click();
  await expect(settings(page).getByRole('textbox', { name: 'New passphrase' })).toBeVisible();
  await expectWhole(page);
});

for (const [scene, said] of [
  ['unprotected', 'Forgot it? Only your recovery phrase opens your messages.'],
  ['linked', 'Forgot it? Then nothing opens your messages on this computer.'],
] as const) {
  test(`turning App lock on in scene ${scene} explains the other ways to open the messages`, async ({
    page,
    openScene,
  }) => {
    await openScene(scene);
    await openSettings(page, 'Privacy & lock');
    await settings(page).getByRole('switch', { name: 'App lock' }).click();
    await expect(settings(page).getByText(said)).toBeVisible();
    await expectWhole(page);
  });
}

test('Settings recommend a new account after a theft, and lead there by keyboard', async ({
  page,
  openScene,
}) => {
  await openScene('one');
  await openSettings(page, 'Devices');
  await expect(settings(page).getByText('Only a new account ends that.')).toBeVisible();
  const start = settings(page).getByRole('button', { name: 'Start a new account' });
  await page.setViewportSize({ width: 360, height: 780 });
  await start.press('Enter');
  const checkbox = settings(page).getByRole('checkbox', { name: /I saved my recovery phrase/ });
  await expect(checkbox).toBeFocused();
  await expect(checkbox).toBeInViewport();
  const button = settings(page).getByRole('button', { name: 'Delete all data' });
  await expect(button).toBeDisabled();
  await page.keyboard.press('Space');
  await settings(page).getByRole('textbox', { name: 'Your passphrase' }).fill(PASSPHRASE);
  await expect(button).toBeEnabled();
  await expectWhole(page);
});
