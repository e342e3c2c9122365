/** The details of a group. */
import type { Page } from '@playwright/test';
import { ann, echo } from '../../dev/fake/people.ts';
import type { Bridge } from '../../src/bridge/contract.ts';
import { answerDelayed, delay, delayAnswer, expect, refuse, test, untilDelayed } from './support.ts';

test('members that were shown stay without an error under the picture while the server does not answer', async ({
  page,
  openScene,
}) => {
  await openScene('group', { open: '1' });
  await page.getByRole('button', { name: 'Details' }).click();
  const details = page.getByRole('region', { name: 'Details' });
  await expect(details.getByRole('heading', { name: 'Members' })).toBeVisible();
  await delay(page, 'groups.details');
  await page.evaluate(() => window.emit('bridge.resumed', {}));
  await untilDelayed(page);
  await refuse(page);
  // The next answer arrives after the failed one.
  await delay(page, 'groups.details');
  await page.evaluate(() => window.emit('bridge.resumed', {}));
  await untilDelayed(page);
  await expect(details.getByRole('heading', { name: 'Members' })).toBeVisible();
  await expect(details.getByRole('button', { name: 'Try again' })).toHaveCount(0);
});

test('the chat of a new group offers to add people', async ({ page, openScene }) => {
  await openScene('new-group');
  const chat = page.getByRole('region', { name: 'Chat', exact: true });
  const add = chat.getByRole('button', { name: 'Add people' });
  await add.click();
  const dialog = page.getByRole('dialog', { name: 'Add people' });
  await expect(dialog.getByRole('textbox')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(add).toBeFocused();
});

test('a contact is added by the link with their address, and sent invitations are confirmed', async ({
  page,
  openScene,
}) => {
  await openScene('new-group');
  await page
    .getByRole('region', { name: 'Chat', exact: true })
    .getByRole('button', { name: 'Add people' })
    .click();
  const dialog = page.getByRole('dialog', { name: 'Add people' });
  await dialog.getByRole('textbox').fill(`waxwing:contact/${echo.address}`);
  await dialog.getByRole('button', { name: /^Echo/ }).click();
  await dialog.getByRole('button', { name: 'Invite 1 person' }).click();
  const note = page.getByRole('region', { name: 'Notices' }).getByRole('dialog');
  await expect(note).toContainText('Invitation sent');
  // Only failures have the icon of one.
  await expect(note.locator('.lucide-info')).toBeVisible();
  await expect(dialog).toBeHidden();
});

test('the late answer to an invitation does not close a dialog that was opened meanwhile', async ({
  page,
  openScene,
}) => {
  await openScene('new-group');
  const chat = page.getByRole('region', { name: 'Chat', exact: true });
  const add = chat.getByRole('button', { name: 'Add people' });
  const dialog = page.getByRole('dialog', { name: 'Add people' });
  await add.click();
  await dialog.getByRole('textbox').fill(`waxwing:contact/${echo.address}`);
  await dialog.getByRole('button', { name: /^Echo/ }).click();
  await delayAnswer(page, 'groups.invite');
  await dialog.getByRole('button', { name: 'Invite 1 person' }).click();
  await untilDelayed(page);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await add.click();
  await dialog.getByRole('textbox').fill('Ann');
  await answerDelayed(page);
  await expect(page.getByRole('region', { name: 'Notices' })).toContainText('Invitation sent');
  await page.evaluate(() => new Promise(requestAnimationFrame));
  await expect(dialog.getByRole('textbox')).toHaveValue('Ann');
});

test('a member of a group opens their chat and details, by keyboard', async ({ page, openScene }) => {
  await openScene('group', { open: '1' });
  await page.getByRole('button', { name: 'Details' }).click();
  const members = page.getByRole('list', { name: 'Members' });
  await members.getByRole('button', { name: /^Ann Archer/ }).focus();
  await page.keyboard.press('Enter');
  const chat = page.getByRole('region', { name: 'Chat', exact: true });
  await expect(chat.getByRole('heading', { level: 2 })).toContainText('Ann Archer');
  const details = page.getByRole('region', { name: 'Details' });
  await expect(details.getByRole('button', { name: 'Verify…' })).toBeVisible();
  await expect(details.getByRole('button', { name: 'Close details' })).toBeFocused();
});

/** Invites two people to the open new group. */
async function inviteTwo(page: Page): Promise<void> {
  await page.evaluate(
    async (addresses) => {
      const { calls } = (window as unknown as { waxwing: Bridge }).waxwing;
      const all = await calls['conversations.list']({});
      const [group] = all.ok ? all.value.filter(({ kind }) => kind === 'group') : [];
      await calls['groups.invite']({ conversationId: group?.id ?? '', addresses });
    },
    [echo.address, ann.address],
  );
}

test('the header and the empty chat of a group count pending invitations', async ({ page, openScene }) => {
  await openScene('new-group');
  const chat = page.getByRole('region', { name: 'Chat', exact: true });
  await expect(chat.getByText('1 member', { exact: true })).toHaveCount(2);
  await inviteTwo(page);
  await expect(chat.getByText('1 member, 2 invited', { exact: true })).toHaveCount(2);
  await page.getByRole('button', { name: 'Details' }).click();
  const details = page.getByRole('region', { name: 'Details' });
  await expect(details.getByText('1 member, 2 invited', { exact: true })).toBeVisible();
});

test('the header of a group counts pending invitations without its details from the server', async ({
  page,
  openScene,
}) => {
  await openScene('group', { delay: 'groups.details' });
  const chat = page.getByRole('region', { name: 'Chat', exact: true });
  await expect(chat.getByText('4 members, 1 invited', { exact: true })).toHaveCount(2);
});

test('after Cancel invitation the focus is on the next invitation, then on Add people', async ({
  page,
  openScene,
}) => {
  await openScene('new-group');
  await inviteTwo(page);
  await page.getByRole('button', { name: 'Details' }).click();
  const details = page.getByRole('region', { name: 'Details' });
  const cancel = details.getByRole('button', { name: /^Cancel invitation for/ });
  await cancel.first().focus();
  await page.keyboard.press('Enter');
  await expect(cancel).toHaveCount(1);
  await expect(cancel).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(cancel).toHaveCount(0);
  await expect(details.getByRole('button', { name: 'Add people' })).toBeFocused();
});
