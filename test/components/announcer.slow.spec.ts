import { ann } from '../../dev/fake/people.ts';
import { arrive, listen, log } from './announcer.ts';
import { expect, test } from './support.ts';

test.beforeEach(async ({ page, openScene }) => {
  await openScene('one', { open: '1' });
  await expect(page.getByRole('textbox', { name: /^Message to/ })).toBeVisible();
});

test('many messages at once are announced by their number, expired ones not at all', async ({ page }) => {
  const announced = await listen(page);
  const many = Array.from({ length: 500 }, (_, place) => `number ${place}`);
  await arrive(page, '1', ann, many);
  await expect.poll(announced).toEqual(['500 new messages']);
  await arrive(page, '1', ann, ['gone before it is read']);
  await page.evaluate(() => window.emit('messages.expired', { conversationId: '1', ids: ['1000'] }));
  await expect(log(page)).toHaveText('');
  await arrive(page, '1', ann, ['after it']);
  await expect.poll(announced).toEqual(['500 new messages', 'Ann Archer: after it']);
});

test('an announced message leaves the page', async ({ page }) => {
  const announced = await listen(page);
  await arrive(page, '1', ann, ['read out']);
  await expect.poll(announced).toEqual(['Ann Archer: read out']);
  await expect(log(page)).toHaveText('');
});
