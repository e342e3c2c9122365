import { ann, ben } from '../../dev/fake/people.ts';
import { announcements, arrive, listen, log } from './announcer.ts';
import { expect, test } from './support.ts';

test.beforeEach(async ({ page, openScene }) => {
  await openScene('one', { open: '1' });
  await expect(page.getByRole('textbox', { name: /^Message to/ })).toBeVisible();
});

test('each message is announced once, also with equal text; other chats announce only the sender', async ({
  page,
}) => {
  const announced = await listen(page);
  await arrive(page, '1', ann, ['**ok**']);
  await expect.poll(announced).toEqual(['Ann Archer: ok']);
  await arrive(page, '1', ann, ['ok']);
  await arrive(page, '99', ben, ['not said']);
  await expect.poll(announced).toEqual(['Ann Archer: ok', 'Ann Archer: ok', 'New message from Ben Okafor']);
});

test('attempts to connect again are shown, and announce nothing until one succeeds', async ({ page }) => {
  const row = page.getByRole('navigation', { name: 'Chats' }).locator('footer');
  const connection = (state: 'online' | 'connecting' | 'offline') =>
    page.evaluate(
      (now) =>
        window.emit('connection.changed', {
          state: now,
          problem: now === 'online' ? null : { code: 'relay_unreachable', parameters: {} },
          isKeyOverdue: false,
          nextRetryAt: null,
          queued: 0,
        }),
      state,
    );
  await expect(row).toContainText('Connection: Online');
  await expect(announcements(page)).toHaveText('');
  await connection('offline');
  await expect(announcements(page)).toHaveText('Connection: Offline');
  await connection('connecting');
  await expect(row.getByText('Connecting…', { exact: true })).toBeVisible();
  await expect(row).toContainText('Connection: Offline');
  await expect(announcements(page)).toHaveText('Connection: Offline');
  await connection('online');
  await expect(announcements(page)).toHaveText('Connection: OfflineConnection: Online');
});

test('a message is announced while a dialog is open, and a closed dialog leaves no status to repeat', async ({
  page,
}) => {
  await expect(page.locator('main').getByRole('status')).toHaveCount(0);
  await page.keyboard.press('Control+,');
  await expect(page.getByRole('dialog')).toBeVisible();
  await arrive(page, '1', ann, ['ok']);
  await expect(log(page)).toHaveText('Ann Archer: ok');
});
