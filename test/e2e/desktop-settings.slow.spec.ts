import { expectAccessible } from './support/accessible.ts';
import { DesktopPage } from './support/desktop-page.ts';
import { firstRun, openSettings } from './support/pages.ts';
import { expect, test } from './support/watched.ts';

test('C7, C14: the desktop app follows its notification settings, and confirms links', async ({ page }) => {
  await using desktop = new DesktopPage();
  await page.goto(await desktop.start());
  await firstRun(page, 'ann');

  await test.step('notifications, quiet hours and the background are set by keyboard', async () => {
    await page.keyboard.press('Control+,');
    await openSettings(page, 'Notifications');
    await page.getByRole('radio', { name: 'Name only' }).focus();
    await page.keyboard.press('Space');
    await page.getByRole('switch', { name: 'Sound' }).press('Space');
    await page.getByRole('switch', { name: 'Quiet hours' }).press('Space');
    await page.getByLabel('From', { exact: true }).fill('23:30');
    await page.getByRole('switch', { name: 'Start when you log in' }).press('Space');
    await expect(page.getByRole('switch', { name: 'Start when you log in' })).toBeChecked();
    expect(desktop.settings.store).toMatchObject({
      notifications: 'name',
      notificationSound: false,
      quietHours: { from: '23:30', to: '07:00' },
      startAtLogin: true,
      keepInTray: null,
    });
    await page.getByText('No notifications', { exact: true }).click();
    await expect(page.getByRole('switch', { name: 'Quiet hours' })).toBeDisabled();
    // C14: this desktop runs on Linux, which cannot do it.
    await openSettings(page, 'Privacy & lock');
    await expect(page.getByRole('switch', { name: 'App lock' })).toBeVisible();
    await expect(page.getByText('screenshots')).toHaveCount(0);
    await page.keyboard.press('Escape');
  });

  await test.step('a link opens nothing before confirmation', async () => {
    const { address } = await desktop.findPerson('@echo');
    desktop.openLink({ kind: 'contact', address });
    const question = page.getByRole('alertdialog', { name: /Open a chat with 0x/ });
    await expect(question).toContainText(address);
    await expectAccessible(page);
    await question.getByRole('button', { name: 'Cancel' }).click();
    await expect(question).toBeHidden();
    await expect(page.getByRole('textbox', { name: /^Message to/ })).toHaveCount(0);

    desktop.openLink({ kind: 'contact', address });
    await question.getByRole('button', { name: 'Open chat' }).click();
    await expect(page.getByRole('heading', { name: /echo/i }).first()).toBeVisible();
    await expect(page.getByRole('textbox', { name: /^Message to/ })).toHaveValue('');
  });

  await test.step('a link to an unknown person is reported', async () => {
    desktop.openLink({ kind: 'contact', address: `0x${'12'.repeat(20)}` });
    await page.getByRole('button', { name: 'Open chat' }).click();
    await expect(page.getByText('No one with this address uses this server.')).toBeVisible();
  });
});
