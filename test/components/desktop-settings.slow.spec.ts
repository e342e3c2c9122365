/**
 * Settings of one system only.
 */
import type { Bridge } from '../../src/bridge/contract.ts';
import { expectWhole } from '../e2e/support/accessible.ts';
import { openSettings } from '../e2e/support/pages.ts';
import { expect, test } from './support.ts';

test('Settings report choices that the desktop refuses, and still save them', async ({ page, openScene }) => {
  await openScene('desktop-limited');
  await openSettings(page, 'Notifications');
  await expect(page.getByText('Your system isn’t showing Waxwing’s notifications.')).toBeVisible();
  const keeps = page.getByRole('switch', { name: 'Keep running when the window is closed' });
  await expect(keeps).not.toBeChecked();
  await expect(page.getByText('closing the window quits Waxwing')).toBeVisible();
  await expect(page.getByText('Opens the window')).toBeVisible();
  await keeps.press('Space');
  await expect(keeps).toBeChecked();
  await expect(page.getByText('start Waxwing again to see the window')).toBeVisible();
  await expectWhole(page);
  await openSettings(page, 'About');
  await expect(page.getByText('Version 0.2.0 is available.')).toBeVisible();
  await expect(page.getByText('and you install it')).toBeVisible();
  await expectWhole(page);
});

test('spelling is checked in the chosen languages', async ({ page, openScene }) => {
  await openScene('desktop-limited');
  await openSettings(page, 'Chats');
  const choice = page.getByRole('switch', { name: 'Check spelling' });
  await expect(choice).not.toBeChecked();
  await expect(page.getByText('from Google once')).toBeVisible();
  const add = page.getByRole('combobox', { name: 'Add a language' });
  await expect(add).toBeHidden();
  await choice.press('Space');
  await expect(page.getByText('The languages of your system')).toBeVisible();
  await add.selectOption({ label: 'British English' });
  await add.selectOption({ label: 'German' });
  const chosen = page.getByRole('list', { name: 'Languages' }).getByRole('listitem');
  await expect(chosen).toHaveText(['British English', 'German']);
  await expect(add.getByRole('option', { name: 'German' })).toHaveCount(0);
  await expectWhole(page);
  await page.getByRole('button', { name: 'Remove British English' }).click();
  await expect(chosen).toHaveText(['German']);
  const kept = await page.evaluate(() =>
    (window as unknown as { waxwing: Bridge }).waxwing.calls['settings.get']({}),
  );
  expect(kept).toMatchObject({ ok: true, value: { spellCheck: true, spellCheckLanguages: ['de'] } });
});

test('App lock can follow the screen lock on Windows and Linux', async ({ page, openScene }) => {
  for (const scene of ['desktop-windows', 'desktop-limited'] as const) {
    await openScene(scene);
    await openSettings(page, 'Privacy & lock');
    const choice = page.getByRole('switch', { name: 'Lock with the screen' });
    await expect(choice).not.toBeChecked();
    await choice.press('Space');
    await expect(choice).toBeChecked();
  }
});
