/** Invite links into groups: opened, pasted, and in the details of an own group. */
import type { Locator, Page } from '@playwright/test';
import { chen, NOW } from '../../dev/fake/people.ts';
import { inviteLinks } from '../../dev/scenes/invites.ts';
import { expectAccessible, expectWhole } from '../e2e/support/accessible.ts';
import {
  answerDelayed,
  delay,
  expect,
  refuse,
  setConnection,
  test,
  untilDelayed,
  watchFor,
} from './support.ts';

async function openPanel(page: Page) {
  await page.getByRole('button', { name: 'Details' }).click();
  return page.getByRole('region', { name: 'Details' });
}

const message = (page: Page, name: string) => page.getByRole('textbox', { name: `Message to ${name}` });

test('C7: an opened link into a group is followed only after confirmation', async ({ page, openScene }) => {
  await openScene('opened-invite', { open: '' });
  const dialog = page.getByRole('dialog', { name: 'Join “The Tuesday quiz”?' });
  await expect(dialog).toContainText('On relay.example');
  await expectAccessible(page);
  // Pressing Enter without reading cancels it.
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(message(page, 'The Tuesday quiz')).toHaveCount(0);

  await openScene('opened-invite', { open: '' });
  await dialog.getByRole('button', { name: 'Join group' }).click();
  await expect(message(page, 'The Tuesday quiz')).toBeVisible();
  await expect(dialog).toBeHidden();
});

test('C7: a link that is opened during a question waits for its answer, and is asked then', async ({
  page,
  openScene,
}) => {
  await openScene('opened-invites', { open: '' });
  const first = page.getByRole('dialog', { name: 'Join “The Tuesday quiz”?' });
  await expect(first).toBeVisible();
  await page.evaluate(() => {
    for (const _ of ['nameless', 'expired']) window.emit('link.waiting', {});
  });
  await first.getByRole('button', { name: 'Join group' }).click();
  // Of two, the newest.
  const second = page.getByRole('dialog', { name: 'Invite link' });
  await expect(second.getByRole('alert')).toContainText('This invite link has expired.');
  await expect(second.locator(':focus')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(message(page, 'The Tuesday quiz')).toBeVisible();
});

test('a join that ends after its dialog was closed does not close the dialog of another link', async ({
  page,
  openScene,
}) => {
  await openScene('opened-invites', { open: '', delay: 'invites.accept' });
  await page.getByRole('button', { name: 'Join group' }).click();
  await untilDelayed(page);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.evaluate(() => window.emit('link.waiting', {}));
  const other = page.getByRole('dialog', { name: 'Join this group?' });
  await expect(other).toBeVisible();
  await answerDelayed(page);
  await expect(page.getByText('The Tuesday quiz').first()).toBeAttached();
  await expect(other).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(message(page, 'The Tuesday quiz')).toHaveCount(0);
});

test('a removed computer shows the reason instead of a question', async ({ page, openScene }) => {
  await openScene('opened-invite', { open: '' });
  const dialog = page.getByRole('dialog', { name: 'Join “The Tuesday quiz”?' });
  await expect(dialog).toBeVisible();
  await page.evaluate(() =>
    window.emit('connection.changed', {
      ...{ state: 'offline', isKeyOverdue: false, nextRetryAt: null, queued: 0 },
      problem: { code: 'device_removed', parameters: {} },
    }),
  );
  await expect(dialog.getByRole('alert')).toContainText('removed from your account');
  await expect(dialog.getByRole('button', { name: 'Join group' })).toHaveCount(0);
});

test('the opened link of an own group opens its chat, and a notice states the reason', async ({
  page,
  openScene,
}) => {
  await openScene('opened-own-invite', { open: '', delay: 'invites.accept' });
  const isShown = await watchFor(page, 'You’re already in this group');
  await answerDelayed(page);
  await expect(message(page, 'Bird watchers')).toBeVisible();
  await isShown();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('a link to a person shows the handle by the server’s statement, and the address', async ({
  page,
  openScene,
}) => {
  await openScene('opened-person-invite', { open: '' });
  const dialog = page.getByRole('dialog', { name: '@chen invited you' });
  await expect(dialog).toContainText(chen.address);
  await expect(dialog).toContainText('Only the server states that @chen has this address.');
  await expectWhole(page);
  await dialog.getByRole('button', { name: 'Open chat' }).click();
  await expect(dialog).toBeHidden();
});

test('a link to a person without a known handle shows the address alone', async ({ page, openScene }) => {
  await openScene('opened-address-invite', { open: '' });
  const dialog = page.getByRole('dialog', { name: /^0x.{4}….{4} invited you$/ });
  await expect(dialog).toContainText(chen.address);
  await expect(dialog).not.toContainText('Only the server states');
});

test('a link to another server is not followed', async ({ page, openScene }) => {
  await openScene('opened-invite-elsewhere', { open: '' });
  const dialog = page.getByRole('dialog', { name: 'Invite link' });
  await expect(dialog).toContainText('works only on the server other.example');
  await expect(dialog.getByRole('button', { name: 'Join group' })).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await expect(dialog).toBeHidden();
});

test('an invite link is pasted in New chat; an invalid one stays in the field', async ({
  page,
  openScene,
}) => {
  await openScene('invite-links', { open: '' });
  await page.getByRole('button', { name: 'New chat' }).first().click();
  const field = page.getByRole('textbox', { name: 'To' });
  for (const [text, sentence] of [
    [inviteLinks.expired, 'This invite link has expired. Ask for a new one.'],
    [inviteLinks.damaged, 'This invite link is incomplete.'],
    ['waxwing:i/unknown', 'This isn’t an invite link.'],
  ] as const) {
    await field.fill(text);
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Invite link' });
    await expect(dialog.getByRole('alert')).toContainText(sentence);
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(field).toHaveValue(text);
  }
  await field.fill(`Join us: ${inviteLinks.nameless}.`);
  await page.getByRole('button', { name: 'Open invite link' }).click();
  const question = page.getByRole('dialog', { name: 'Join this group?' });
  await expect(question).toContainText('The group’s name is shown after joining.');
  await question.getByRole('button', { name: 'Join group' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(message(page, 'a-group-of-others')).toBeVisible();
});

test('an invite link is pasted in the list of groups', async ({ page, openScene }) => {
  await openScene('invite-links', { open: '' });
  await page.getByRole('button', { name: 'Groups', exact: true }).click();
  await page.getByRole('textbox', { name: 'Find a group' }).fill(inviteLinks.group);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: /^Join/ }).getByRole('button', { name: 'Join group' }).click();
  await expect(message(page, 'The Tuesday quiz')).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('the owner creates, copies, shows and cancels links', async ({ page, context, openScene }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await openScene('invite-links', { open: '1' });
  const details = await openPanel(page);
  const links = details.getByRole('list', { name: 'Invite links' });
  await expect(links.getByRole('listitem')).toHaveText([
    /Expires in 5 hours/,
    /Expires in 6 days.*Copy it on the computer where you created it/,
    /Expires in 30 days/,
  ]);
  await expect(details.getByRole('radio', { name: '7 days' })).toBeChecked();
  await details.getByText('1 day', { exact: true }).click();
  const create = details.getByRole('button', { name: 'New link' });
  await create.click();
  await expect(links.getByRole('listitem')).toHaveCount(4);
  const last = links.getByRole('listitem').filter({ hasText: 'Expires in 1 day' });
  await last.getByRole('button', { name: /^Copy link that/ }).click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toMatch(/^https:\/\/relay\.example\/i#/);

  await last.getByRole('button', { name: /^QR code/ }).click();
  const code = page.getByRole('dialog', { name: 'QR code' });
  await expect(code.getByRole('img', { name: 'QR code with the invite link' })).toBeVisible();
  await page.keyboard.press('Escape');

  await last.getByRole('button', { name: /^Cancel link that/ }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel link' }).click();
  await expect(links.getByRole('listitem')).toHaveCount(3);
  // The focus is in the list, and not lost with the row.
  await expect(details.locator(':focus')).toHaveCount(1);
  await expectAccessible(page);
});

test('a failure to create a link is shown until the connection returns', async ({ page, openScene }) => {
  await openScene('invite-links', { open: '1' });
  const details = await openPanel(page);
  await delay(page, 'groups.createLink');
  await details.getByRole('button', { name: 'New link' }).click();
  await refuse(page);
  const failure = details.locator('form [aria-live]').filter({ hasText: /./ });
  await expect(failure).toHaveCount(1);
  await setConnection(page, 'offline');
  await expect(failure).toHaveCount(1);
  await setConnection(page, 'online');
  await expect(failure).toHaveCount(0);
});

test('the timeline shows new and canceled links', async ({ page, openScene }) => {
  await openScene('invite-links', { open: '1' });
  for (const line of [
    'Ann Archer made an invite link',
    'Ann Archer canceled an invite link',
    'You made an invite link',
  ])
    await expect(page.getByText(line)).toBeVisible();
});

/** Adds links to the three of the scene, up to the limit. */
async function createAll(details: Locator) {
  const links = details.getByRole('list', { name: 'Invite links' });
  const create = details.getByRole('button', { name: 'New link' });
  for (let count = 4; count <= 8; count++) {
    await create.click();
    await expect(links.getByRole('listitem')).toHaveCount(count);
  }
  await expect(create).toBeDisabled();
  return { links, create };
}

test('a group with eight links has no room for another one', async ({ page, openScene }) => {
  await openScene('invite-links', { open: '1' });
  const details = await openPanel(page);
  const { links } = await createAll(details);
  await expect(details).toContainText('A group can have 8 invite links. Cancel one to create another.');
  // Links that end in the same minute have different names.
  const names = await links
    .getByRole('button', { name: /^Cancel link that/ })
    .evaluateAll((all) => all.map((each) => each.getAttribute('aria-label')));
  expect(new Set(names).size).toBe(8);
});

test('a link that expires while the details are open makes room for another one', async ({
  page,
  openScene,
}) => {
  await page.clock.install({ time: NOW });
  await openScene('invite-links', { open: '1' });
  const details = await openPanel(page);
  const { links, create } = await createAll(details);
  await page.clock.fastForward('05:01:00');
  await expect(links.getByRole('listitem')).toHaveCount(7);
  await expect(create).toBeEnabled();
});

test('a link of a server on this computer would work nowhere else', async ({ page, openScene }) => {
  await openScene('invite-links-here', { open: '1' });
  const details = await openPanel(page);
  await expect(details).toContainText('Your server runs on this computer');
  await expect(details.getByRole('button', { name: 'New link' })).toHaveCount(0);
});

test('members and admins do not see the links', async ({ page, openScene }) => {
  await openScene('opened-invite', { open: '' });
  await page.getByRole('button', { name: 'Join group' }).click();
  await expect(message(page, 'The Tuesday quiz')).toBeVisible();
  const details = await openPanel(page);
  await expect(details.getByRole('heading', { name: 'Members' })).toBeVisible();
  await expect(details.getByRole('heading', { name: 'Invite links' })).toHaveCount(0);
});

test('a link that is still being read can be canceled', async ({ page, openScene }) => {
  await openScene('opened-invite', { open: '', delay: 'invites.read' });
  await untilDelayed(page);
  const dialog = page.getByRole('dialog', { name: 'Invite link' });
  await expect(dialog.getByRole('status')).toHaveText('Reading the invite link…');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await answerDelayed(page);
  await expect(page.getByRole('dialog')).toHaveCount(0);
});
