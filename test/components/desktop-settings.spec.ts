/**
 * Settings of one system only.
 */
import type { Bridge } from '../../src/bridge/contract.ts';
import { openSettings } from '../e2e/support/pages.ts';
import { expect, test } from './support.ts';

for (const [scene, limit] of [
  ['desktop', 'Newer macOS recorders still capture it.'],
  ['desktop-windows', 'Remote Desktop still shows it.'],
] as const) {
  test(`C14: scene ${scene} keeps the window out of screenshots, and explains the limits`, async ({
    page,
    openScene,
  }) => {
    await openScene(scene);
    await openSettings(page, 'Privacy & lock');
    const choice = page.getByRole('switch', { name: 'Hide Waxwing from screenshots' });
    await expect(choice).not.toBeChecked();
    await expect(page.getByText(limit)).toBeVisible();
    await choice.press('Space');
    await expect(choice).toBeChecked();
    const kept = () =>
      page.evaluate(() => (window as unknown as { waxwing: Bridge }).waxwing.calls['settings.get']({}));
    await expect.poll(kept).toMatchObject({ ok: true, value: { contentProtection: true } });
  });
}

test('macOS checks spelling in its own languages', async ({ page, openScene }) => {
  await openScene('desktop');
  await openSettings(page, 'Chats');
  const choice = page.getByRole('switch', { name: 'Check spelling' });
  await expect(choice).toBeChecked();
  await expect(page.getByText('macOS checks it')).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Add a language' })).toHaveCount(0);
  await choice.press('Space');
  await expect(choice).not.toBeChecked();
});

test('About shows the date of the newest version on the update server', async ({ page, openScene }) => {
  await openScene('desktop');
  await openSettings(page, 'About');
  await expect(page.getByRole('status').filter({ hasText: 'Waxwing is up to date.' })).toContainText(
    'The newest version is from February 2, 2026.',
  );
});
