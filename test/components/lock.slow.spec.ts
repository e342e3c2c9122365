/**
 * The pages of the lock, and its rows in Settings: whole and accessible in the states that a person can cause.
 */
import type { Page } from '@playwright/test';
import { PASSPHRASE } from '../../dev/fake/answers/host.ts';
import { expectWhole } from '../e2e/support/accessible.ts';
import { lockScreen, openSettings, unlock } from '../e2e/support/pages.ts';
import { noteOf } from './notes.ts';
import { expect, test } from './support.ts';

const settings = (page: Page) => page.getByRole('dialog', { name: 'Settings' });

test('Settings are complete while changing the passphrase', async ({ page, openScene }) => {
  await openScene('one');
  await openSettings(page, 'Privacy & lock');
  await settings(page).getByRole('button', { name: 'Change passphrase' }).click();
  await expect(settings(page).getByRole('textbox', { name: 'New passphrase' })).toBeVisible();
  await expectWhole(page);
});

for (const [scene, sentence] of [
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
    await expect(settings(page).getByText(sentence)).toBeVisible();
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

const field = (page: Page) => page.getByRole('textbox', { name: 'Passphrase', exact: true });

test('a passphrase is rated while typing, and shown on request', async ({ page, openScene }) => {
  await openScene('choose-passphrase');
  await expect(field(page)).toBeFocused();
  await expect(page.getByText('At least 8 characters')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Continue' })).toBeDisabled();
  await field(page).fill('sparrow');
  await expect(page.getByText('1 more character')).toBeVisible();
  await page.getByRole('button', { name: 'Show passphrase' }).click();
  await expect(field(page)).toHaveAttribute('type', 'text');
  const next = page.getByRole('button', { name: 'Continue' });
  await field(page).fill('sparrows');
  await expect(next).toBeEnabled();
  for (const [guessed, why] of [
    ['aaaaaaaa', 'Too repetitive. Try four random words.'],
    ['12345678', 'Too easy to guess: it follows the alphabet or the keyboard.'],
    ['Password1', 'Too common. Try four random words.'],
  ] as const) {
    await field(page).fill(guessed);
    await expect(noteOf(field(page))).toHaveText(why);
    await expect(next).toBeDisabled();
  }
  await expectWhole(page);
});

test('a hidden passphrase is typed twice before it is set', async ({ page, openScene }) => {
  await openScene('choose-passphrase');
  const repeat = page.getByRole('textbox', { name: 'Repeat passphrase', exact: true });
  const next = page.getByRole('button', { name: 'Continue' });
  await field(page).fill('plumage under a lamp');
  await expect(next).toBeDisabled();
  await repeat.fill('plumage');
  await expect(noteOf(repeat)).toHaveText('Enter it again, or show it to check it');
  await repeat.fill('plumage over');
  await expect(noteOf(repeat)).toHaveText('The passphrases don’t match');
  await expect(next).toBeDisabled();
  await expectWhole(page);
  await page.getByRole('button', { name: 'Show passphrase' }).click();
  await expect(repeat).toHaveCount(0);
  await expect(next, 'shown, it needs no second time').toBeEnabled();
  await page.getByRole('button', { name: 'Hide passphrase' }).click();
  await expect(next).toBeDisabled();
  await repeat.fill('plumage under a lamp');
  await expect(noteOf(repeat)).toHaveText('The passphrases match');
  await repeat.press('Enter');
  await expect(page.getByRole('heading', { name: 'Choose a passphrase' })).toHaveCount(0);
});

test('each lock screen is complete: locked, after a wrong passphrase, and with the recovery phrase', async ({
  page,
  openScene,
}) => {
  await openScene('locked');
  await expect(lockScreen(page)).toBeVisible();
  await unlock(page, 'not this one');
  await expect(page.getByText('Wrong passphrase. Try again.')).toBeVisible();
  await expectWhole(page);
  await page.getByRole('button', { name: 'Forgot your passphrase?' }).click();
  await expect(page.getByRole('textbox', { name: 'Recovery phrase or private key' })).toBeFocused();
  await expectWhole(page);
  await page.getByRole('button', { name: 'Back' }).click();
  await unlock(page, PASSPHRASE);
  await expect(page.getByRole('button', { name: 'New chat' }).first()).toBeVisible();
});

test('with a locked keychain the desktop app offers a restart, which asks the keychain again', async ({
  page,
  openScene,
}) => {
  await openScene('key-store-refused');
  await expect(page.getByText('The keychain isn’t available.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Restart Waxwing' })).toBeEnabled();
});

test('the second host names the host with the key, and how to open it here', async ({ page, openScene }) => {
  await openScene('key-store-of-app');
  await expect(page.getByText('The desktop app keeps the key to your messages.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Try again' })).toBeEnabled();
});
