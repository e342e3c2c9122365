/** Actions on a person beside their messages. */
import { expect, test } from './support.ts';

test('unblocking in the details keeps the focus there, and above the chat moves it to the message field', async ({
  page,
  openScene,
}) => {
  await openScene('one', { open: '1' });
  const details = page.getByRole('region', { name: 'Details' });
  const field = page.getByRole('textbox', { name: 'Message to Echo' });
  const block = details.getByRole('button', { name: 'Block', exact: true });
  const confirm = page
    .getByRole('alertdialog', { name: 'Block Echo?' })
    .getByRole('button', { name: 'Block' });
  await page.getByRole('button', { name: 'Details' }).click();
  await block.click();
  await confirm.click();
  await expect(details.getByRole('button', { name: 'Unblock' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(field).toBeVisible();
  await expect(block).toBeFocused();
  await page.keyboard.press('Enter');
  await confirm.click();
  await page.getByRole('region', { name: 'Blocked' }).getByRole('button', { name: 'Unblock' }).focus();
  await page.keyboard.press('Enter');
  await expect(field).toBeFocused();
});

test('verifying a contact moves the focus to the button that undoes it', async ({ page, openScene }) => {
  await openScene('one', { open: '1' });
  await page.getByRole('button', { name: 'Details' }).click();
  const verify = page.getByRole('button', { name: 'Verify…', exact: true });
  await verify.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Verify Echo' });
  await dialog.getByRole('button', { name: 'Addresses match' }).click();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(dialog).toBeHidden();
  const undo = page.getByRole('button', { name: 'Undo', exact: true });
  await expect(undo).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(verify).toBeFocused();
});

test('Escape closes a dialog or menu above the details first, then the details', async ({
  page,
  openScene,
}) => {
  await openScene('one', { open: '1' });
  const details = page.getByRole('heading', { name: 'Details' });
  await page.getByRole('button', { name: 'Details' }).click();
  await page.getByRole('button', { name: 'Block', exact: true }).click();
  // The key goes to the focused element; the question takes the focus once it is open.
  await expect(page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('alertdialog')).toBeHidden();
  await expect(details).toBeVisible();
  await expect(page.getByRole('button', { name: 'Block', exact: true })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(details).toBeHidden();
  await expect(page.getByRole('button', { name: 'Details' })).toBeFocused();
});

test('requests have a short title with any number of names; invisible characters cannot be sent', async ({
  page,
  openScene,
}) => {
  await openScene('many');
  await expect(page.getByRole('button', { name: 'Message requests (1)', exact: true })).toBeVisible();
  await openScene('one', { open: '1' });
  await page.getByRole('textbox', { name: 'Message' }).fill('\u200b\u2060');
  await expect(page.getByRole('button', { name: 'Send' })).toBeDisabled();
});

for (const { first, opener, focused } of [
  { first: 'Details', opener: 'Block', focused: 'Cancel' },
  { first: null, opener: 'Insert emoji', focused: 'Search emoji' },
])
  test(`after “${opener}” the next key goes to the opened part, not to the part behind it`, async ({
    page,
    openScene,
  }) => {
    await openScene('one', { open: '1' });
    if (first !== null) await page.getByRole('button', { name: first, exact: true }).click();
    await page.getByRole('button', { name: opener, exact: true }).focus();
    // Without a frame after the press, faster than any person.
    await page.evaluate(() => {
      window.requestAnimationFrame = () => 0;
    });
    await page.keyboard.press('Enter');
    const target = page.getByRole('button', { name: focused }).or(page.getByLabel(focused));
    await expect(target.last()).toBeFocused();
  });

test('a blocked member is marked in the member list, and can be unblocked there', async ({
  page,
  openScene,
}) => {
  await openScene('many', { open: '1' });
  await page.getByRole('button', { name: 'Details' }).click();
  await page.getByRole('button', { name: 'Block', exact: true }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Block' }).click();
  await page.getByRole('option', { name: /Bird watchers/ }).click();
  const details = page.getByRole('region', { name: 'Details' });
  const member = details.getByRole('listitem').filter({ hasText: 'Ann Archer' });
  await expect(member).toContainText('Blocked');
  await expect(details.getByText('Blocked')).toHaveCount(1);
  const options = member.getByRole('button', { name: 'Options for Ann Archer' });
  await options.click();
  await page.getByRole('menuitem', { name: 'Unblock' }).click();
  await expect(member).not.toContainText('Blocked');
  await expect(options).toBeFocused();
});
