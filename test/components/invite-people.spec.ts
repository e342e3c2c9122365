/** Invite links to the person: in Settings, from New chat and from an empty chat list; and one at first run. */
import type { Page } from '@playwright/test';
import { ownLink } from '../../dev/fake/answers/invites.ts';
import { ann } from '../../dev/fake/people.ts';
import { expectWhole } from '../e2e/support/accessible.ts';
import { openSettings } from '../e2e/support/pages.ts';
import { noteOf } from './notes.ts';
import { answerDelayed, delay, expect, refuse, runAtOnce, setConnection, test } from './support.ts';

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Invite people' });
const continueButton = (page: Page) => page.getByRole('button', { name: 'Continue' });

test('a new link is shown once made, with its QR code, and is copied and canceled', async ({
  page,
  openScene,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await openScene('one');
  const settings = await openSettings(page, 'Account');
  await expect(settings.getByRole('list', { name: 'Your invite links' })).toHaveCount(0);
  await settings.getByRole('button', { name: 'New link' }).click();
  const link = settings.getByRole('list', { name: 'Your invite links' }).getByRole('listitem');
  await expect(link).toHaveCount(1);
  await expect(page.getByText('Invite link created')).toBeAttached();
  await expect(link).toContainText('https://relay.example/i#');
  await expect(link).toContainText('Works once, expires in 7 days');
  await expect(link.getByRole('img', { name: 'QR code of the invite link' })).toBeVisible();
  await expectWhole(page);
  await link.getByRole('button', { name: 'Copy link' }).click();
  await expect(link.getByRole('status')).toHaveText('Link copied');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(ownLink(1).url);
  await link.getByRole('button', { name: 'QR code' }).click();
  await expect(link.getByRole('img')).toHaveCount(0);
  await link.getByRole('button', { name: 'Cancel link' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel link' }).click();
  await expect(link).toHaveCount(0);
});

test('links of other days are listed with their remaining time, and New chat leads to them', async ({
  page,
  openScene,
}) => {
  await openScene('inviting');
  await page.getByRole('button', { name: 'New chat' }).first().click();
  await page.getByRole('dialog', { name: 'New chat' }).getByRole('button', { name: 'Invite people' }).click();
  const links = dialog(page).getByRole('listitem');
  await expect(links).toHaveCount(2);
  await expect(links.nth(1)).toContainText('Works once, expires in 5 hours');
  const names = await links
    .getByRole('button')
    .evaluateAll((buttons) => buttons.map((button) => button.getAttribute('aria-label')));
  expect(names).toContain('Copy link that expires on Wednesday, March 4, 2026 at 5:00 PM');
  expect(new Set(names).size).toBe(6);
  await expectWhole(page);
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toHaveCount(0);
});

test('a failure to make a link is shown beside the button until the connection returns', async ({
  page,
  openScene,
}) => {
  await openScene('inviting');
  await delay(page, 'invites.create');
  const settings = await openSettings(page, 'Account');
  await settings.getByRole('button', { name: 'New link' }).click();
  await refuse(page);
  const failure = settings.getByRole('alert').filter({ hasText: /./ });
  await expect(failure).toHaveCount(1);
  await expect(settings.getByRole('button', { name: 'New link' })).toBeEnabled();
  await setConnection(page, 'offline');
  await expect(failure).toHaveCount(1);
  await setConnection(page, 'online');
  await expect(failure).toHaveCount(0);
});

test('without another server there is no link, and a sentence explains why', async ({ page, openScene }) => {
  await openScene('own-server');
  await page.getByRole('button', { name: 'Invite people' }).filter({ visible: true }).click();
  await expect(dialog(page)).toContainText('Your server runs on this computer');
  await expect(dialog(page).getByRole('button', { name: 'New link' })).toHaveCount(0);
});

for (const [scene, time, sentence] of [
  [
    'followed-invite',
    'before',
    'If the invite link is no longer valid, @ann sees this as a message request.',
  ],
  [
    'followed-invite-sent',
    'after',
    'Waiting for @ann. If the invite link was used before, canceled or expired, they see this as a message request.',
  ],
] as const)
  test(`${time} the first message to the maker of a link, the chat explains when it is a request`, async ({
    page,
    openScene,
  }) => {
    await openScene(scene);
    await expect(page.getByRole('textbox', { name: /^Message to/ })).toHaveAccessibleDescription(sentence);
    await expectWhole(page);
  });

test('the test contact @echo is offered only on the server of this computer', async ({ page, openScene }) => {
  const hello = page.getByRole('button', { name: 'Say hello to @echo' }).filter({ visible: true });
  await openScene('own-server');
  await expect(hello).toBeVisible();
  await openScene('empty');
  await expect(page.getByRole('button', { name: 'Invite people' }).filter({ visible: true })).toBeVisible();
  await expect(hello).toHaveCount(0);
});

test('a pasted link fills the server only after the person agrees, with its code', async ({
  page,
  openScene,
}) => {
  await openScene('invited');
  await page.getByRole('button', { name: 'I have an invite link' }).click();
  const field = page.getByRole('textbox', { name: 'Invite link' });
  await expect(field).toBeFocused();
  await field.fill('https://relay.example/somewhere');
  await expect(noteOf(field)).toHaveText(
    'This isn’t an invite link. Copy the whole link and paste it again.',
  );
  await field.fill(ownLink(1).url);
  await expect(page.getByRole('status')).toHaveText(/^Invited by 0x.{4}….{4}, on the server relay\.example$/);
  await expect(page.getByRole('radio', { name: 'This computer' })).toBeChecked();
  await expectWhole(page);
  await page.getByRole('button', { name: 'Use relay.example' }).click();
  await expect(page.getByRole('textbox', { name: 'Server address' })).toHaveValue('https://relay.example');
  await expect(page.getByRole('status')).toHaveText(/The chat opens after setup\.$/);
  await expect(continueButton(page)).toBeEnabled();
  await page.getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByRole('button', { name: 'I have an invite link' })).toBeFocused();
});

const CODE = `inv_${'c'.repeat(43)}`;

test('an invitation code in the field of the link is named, and used where the server requires one', async ({
  page,
  openScene,
}) => {
  await openScene('invited');
  await page.getByRole('button', { name: 'I have an invite link' }).click();
  const field = page.getByRole('textbox', { name: 'Invite link' });
  await field.fill(`Your code: ${CODE}`);
  await expect(noteOf(field)).toHaveText(
    'This is an invitation code, not an invite link. First enter the address of its server above, then use the code.',
  );
  await expectWhole(page);
  const useCode = page.getByRole('button', { name: 'Use code' });
  await expect(useCode).toHaveCount(0);
  await page.getByRole('radio', { name: 'Server address' }).check();
  await page.getByRole('textbox', { name: 'Server address' }).fill('https://invite.example');
  await useCode.click();
  const code = page.getByRole('textbox', { name: 'Invitation code' });
  await expect(code).toHaveValue(CODE);
  await expect(code).toBeFocused();
  await expect(field).toHaveCount(0);
  await expect(continueButton(page)).toBeEnabled();
});

test('the address of a person in the field of the link is named, with its place', async ({
  page,
  openScene,
}) => {
  await openScene('invited');
  await page.getByRole('button', { name: 'I have an invite link' }).click();
  const field = page.getByRole('textbox', { name: 'Invite link' });
  for (const text of [ann.address, `waxwing:contact/${ann.address}`]) {
    await field.fill(text);
    await expect(noteOf(field)).toHaveText(
      'This is a person’s address, not an invite link. Paste it in New chat after setup.',
    );
  }
});

test('Continue does not drop a pasted link that is not used yet, and Cancel removes it', async ({
  page,
  openScene,
}) => {
  await openScene('invited');
  await page.getByRole('button', { name: 'I have an invite link' }).click();
  const field = page.getByRole('textbox', { name: 'Invite link' });
  await field.fill(ownLink(1).url);
  await expect(page.getByRole('button', { name: 'Use relay.example' })).toBeVisible();
  await field.press('Tab');
  await expect(page.getByRole('button', { name: 'Use relay.example' })).toBeFocused();
  for (const _ of ['first', 'second']) {
    await continueButton(page).click();
    await expect(field).toBeFocused();
    await expect(noteOf(field)).toHaveText('To continue, use this invite link or choose Cancel.');
  }
  await field.fill('an invite link');
  await expect(noteOf(field)).toContainText('This isn’t an invite link.');
  await continueButton(page).click();
  await expect(field).toBeFocused();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('button', { name: 'I have an invite link' })).toBeFocused();
  await continueButton(page).click();
  await expect(page.getByRole('heading', { name: 'Your account' })).toBeVisible();
});

test('a link opened before set-up waits for agreement, too', async ({ page, openScene }) => {
  await openScene('invited-link');
  await expect(page.getByRole('textbox', { name: 'Invite link' })).toHaveValue(ownLink(1).url);
  await page.getByRole('button', { name: 'Use relay.example' }).click();
  await expect(page.getByRole('textbox', { name: 'Server address' })).toHaveValue('https://relay.example');
});

/** Continues from the choice of the server to the end of a recovery. */
async function recover(page: Page) {
  await continueButton(page).click();
  await page.getByRole('radio', { name: 'Recover my account' }).check();
  await continueButton(page).click();
  await page.getByLabel('Recovery phrase or private key').fill('word '.repeat(12));
  await page.getByRole('button', { name: 'Recover account' }).click();
  await expect(page.getByRole('heading', { name: 'Your other devices' })).toBeVisible();
  await page.getByRole('button', { name: 'Recover account' }).click();
}

test('a link that is opened while the field has another one does not replace it unnoticed', async ({
  page,
  openScene,
}) => {
  await openScene('invited-links');
  const field = page.getByRole('textbox', { name: 'Invite link' });
  await expect(field).toHaveValue(ownLink(1).url);
  const notice = page.getByText('Another invite link was opened.');
  // The same one, in the form that opens the app.
  await delay(page, 'host.receiveLink');
  await page.evaluate(() => window.emit('link.waiting', {}));
  await answerDelayed(page);
  await runAtOnce(page, 'host.receiveLink');
  await expectWhole(page);
  await expect(notice).toHaveCount(0);
  await page.evaluate(() => window.emit('link.waiting', {}));
  await expect(notice).toHaveCount(1);
  await expect(field).toHaveValue(ownLink(1).url);
  await expectWhole(page);
  await page.getByRole('button', { name: 'Use that link instead' }).click();
  await expect(field).toHaveValue(ownLink(2).url);
  await expect(field).toBeFocused();
  await expect(notice).toHaveCount(0);
});

test('links of one first start wait together, and each is asked after set-up in their order', async ({
  page,
  openScene,
}) => {
  await openScene('invited-links');
  await page.getByRole('button', { name: 'Use relay.example' }).click();
  // The agreed one in its other form, an invite to a group, and a link to a person.
  for (let opened = 0; opened < 3; opened++) await page.evaluate(() => window.emit('link.waiting', {}));
  await recover(page);
  await page.getByRole('button', { name: 'Continue without a backup' }).click();
  const group = page.getByRole('dialog', { name: 'Invite link' });
  await expect(group).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(group).toHaveCount(0);
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('a link that is opened after the agreement to another one is asked after set-up', async ({
  page,
  openScene,
}) => {
  await openScene('invited-link');
  await page.getByRole('button', { name: 'Use relay.example' }).click();
  await page.evaluate(() => window.emit('link.waiting', {}));
  await recover(page);
  await page.getByRole('button', { name: 'Continue without a backup' }).click();
  await expect(page.getByRole('dialog', { name: 'Invite link' })).toBeVisible();
});

test('a waiting link that is pasted and used instead is not asked about again', async ({
  page,
  openScene,
}) => {
  await openScene('invited-twice');
  const field = page.getByRole('textbox', { name: 'Invite link' });
  await field.fill(ownLink(2).url);
  const notice = page.getByText('Another invite link was opened.');
  await page.evaluate(() => window.emit('link.waiting', {}));
  await expect(notice).toHaveCount(1);
  // The waiting one, in its other form.
  await field.fill(ownLink(1).url);
  await expect(notice).toHaveCount(0);
  await page.getByRole('button', { name: 'Use relay.example' }).click();
  await recover(page);
  await page.getByRole('button', { name: 'Continue without a backup' }).click();
  await expect(page.getByRole('textbox', { name: /^Message to/ })).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('a link of another server than the given one is refused', async ({ page, openScene }) => {
  await openScene('invited-fixed');
  await page.getByRole('button', { name: 'I have an invite link' }).click();
  const field = page.getByRole('textbox', { name: 'Invite link' });
  await field.fill(ownLink(2).url);
  await expect(noteOf(field)).toContainText(
    'is for the server relay.example, and this app uses another.example',
  );
  await expect(page.getByRole('button', { name: 'Use relay.example' })).toHaveCount(0);
});
