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
