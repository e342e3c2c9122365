import { ann, ben } from '../../dev/fake/people.ts';
import { arrive, listen } from './announcer.ts';
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
  const status = page.getByRole('status', { name: 'Connection' });
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
  await connection('offline');
  await expect(status).toMatchAriaSnapshot(`- status: Offline`);
  await connection('connecting');
  await expect(status.getByText('Connecting…')).toBeVisible();
  await expect(status).toMatchAriaSnapshot(`- status: Offline`);
  await connection('online');
  await expect(status).toMatchAriaSnapshot(`- status: Online`);
});
