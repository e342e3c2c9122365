/** Answers that describe the state before a change and arrive after it, and states that are replaced before they are drawn. */
import { openSettings } from '../e2e/support/pages.ts';
import { answerDelayed, delay, expect, test, untilDelayed } from './support.ts';

test('a window that is locked and opened before it is drawn starts again', async ({ page, openScene }) => {
  await openScene('many', { open: '1' });
  const settings = await openSettings(page, 'Appearance');
  await page.evaluate(async () => {
    const lock = await window.waxwing.calls['lock.state']({});
    if (!lock.ok) throw new Error('the lock has no state');
    window.emit('lock.changed', { ...lock.value, phase: 'opening' });
    window.emit('lock.changed', lock.value);
  });
  await expect(settings).toHaveCount(0);
  await expect(page.locator('[data-row]')).not.toHaveCount(0);
});

test('a late answer that opens a chat keeps a dialog that was opened meanwhile', async ({
  page,
  openScene,
}) => {
  await openScene('lists', { open: '' });
  await page.getByRole('button', { name: 'New chat' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'New chat' });
  await dialog.getByRole('textbox', { name: 'To' }).fill('Ann ar');
  await expect(dialog.getByRole('list', { name: 'Contacts' }).getByRole('listitem')).toHaveCount(1);
  await delay(page, 'conversations.open');
  await page.keyboard.press('Enter');
  await untilDelayed(page);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  const settings = await openSettings(page, 'Appearance');
  await answerDelayed(page);
  const chat = page.getByRole('region', { name: 'Chat', exact: true, includeHidden: true });
  await expect(chat.locator('header h2')).toContainText('Ann');
  await expect(settings).toBeVisible();
});
