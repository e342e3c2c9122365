/** A computer that was removed from the account: reading, search, export and backup stay; other actions are absent. */
import type { Page } from '@playwright/test';
import { openSettings } from '../e2e/support/pages.ts';
import { dropOn, text } from './files.ts';
import { expect, type Pages, test } from './support.ts';
import { HARBOR, viewer } from './viewer.ts';

const SHUT_OUT = /removed from your account/;

const setRemoved = (page: Page, isRemoved: boolean) =>
  page.evaluate(
    (removed) =>
      window.emit('connection.changed', {
        state: removed ? 'offline' : 'online',
        problem: removed ? { code: 'device_removed', parameters: {} } : null,
        isKeyOverdue: false,
        nextRetryAt: null,
        queued: 0,
      }),
    isRemoved,
  );
const removeComputer = (page: Page) => setRemoved(page, true);

test('a removed computer starts no chats and groups', async ({ page, openScene }) => {
  await openScene('removed-computer', { open: '' });
  const list = page.getByRole('navigation', { name: 'Chats' });
  await expect(page.getByText(SHUT_OUT).filter({ visible: true })).toHaveCount(1);
  for (const name of ['New chat', 'Groups']) await expect(page.getByRole('button', { name })).toHaveCount(0);
  const search = list.getByRole('searchbox');
  await search.fill('nobody has this name');
  await expect(list.getByText(/No results|nobody has this name/).first()).toBeVisible();
  await expect(list.getByRole('button', { name: 'Find people' })).toHaveCount(0);
  await search.fill('');
  await page.keyboard.press('ControlOrMeta+k');
  const palette = page.getByRole('dialog');
  await expect(palette.getByRole('option', { name: 'Settings' })).toBeVisible();
  for (const name of ['New chat', 'New group', 'Groups'])
    await expect(palette.getByRole('option', { name, exact: true })).toHaveCount(0);
  await palette.getByRole('combobox').fill('Ann');
  await expect(palette.getByRole('option', { name: /Ann/ }).first()).toBeVisible();
  await palette.getByRole('combobox').fill('Robin');
  await expect(palette.getByText('No results')).toBeVisible();
});

const DIALOGS: Record<
  string,
  { scene: Parameters<Pages['openScene']>[0]; open: string; show: (page: Page) => Promise<void> }
> = {
  'New chat': {
    scene: 'lists',
    open: '',
    show: (page) => page.getByRole('button', { name: 'New chat' }).first().click(),
  },
  'Block Ann Archer?': {
    scene: 'lists',
    open: '1',
    async show(page) {
      await page.getByRole('button', { name: 'Details' }).click();
      await page.getByRole('region', { name: 'Details' }).getByRole('button', { name: 'Block' }).click();
    },
  },
  'Forward message': {
    scene: 'actions',
    open: '1',
    async show(page) {
      await page.getByRole('article').last().focus();
      await page.keyboard.press('Enter');
      await page.getByRole('menuitem', { name: 'Forward' }).click();
    },
  },
};

for (const [name, { scene, open, show }] of Object.entries(DIALOGS)) {
  test(`the dialog “${name}” closes when the computer is removed, and stays closed when it is accepted again`, async ({
    page,
    openScene,
  }) => {
    await openScene(scene, { open });
    await show(page);
    const dialog = page.locator('[role=dialog], [role=alertdialog]').filter({ visible: true });
    await expect(dialog).toHaveAccessibleName(name);
    await removeComputer(page);
    await expect(dialog).toHaveCount(0);
    await setRemoved(page, false);
    await expect(page.getByText(SHUT_OUT)).toHaveCount(0);
    await expect(dialog).toHaveCount(0);
  });
}

test('the viewer on a removed computer does not forward', async ({ page, openScene }) => {
  await openScene('files', { open: '2' });
  await page.getByRole('button', { name: HARBOR }).press('Enter');
  const forward = viewer(page).getByRole('button', { name: 'Forward' });
  await expect(forward).toBeVisible();
  await removeComputer(page);
  await expect(forward).toHaveCount(0);
  await expect(viewer(page).getByRole('button', { name: 'Save picture' })).toBeEnabled();
});

test('files dropped on a chat of a removed computer get an answer', async ({ page, openScene }) => {
  await openScene('removed-computer', { open: '6' });
  await dropOn(page.locator('body'), [text('dropped.txt')]);
  await expect(page.getByText('You can’t send files in this chat.')).toBeVisible();
});

test('clearing files on a removed computer warns that they are lost, and no time for keeping them is offered', async ({
  page,
  openScene,
}) => {
  await openScene('files', { open: '' });
  const settings = await openSettings(page, 'Storage');
  const keeping = settings.getByRole('group', { name: /^Keep files/ });
  await expect(keeping).toBeVisible();
  await removeComputer(page);
  await expect(keeping).toHaveCount(0);
  await settings.getByRole('button', { name: 'Clear all files' }).click();
  await expect(page.getByRole('alertdialog')).toContainText('This computer can’t download files again');
});

test('details on a removed computer have export, without changes of people and groups', async ({
  page,
  openScene,
}) => {
  await openScene('removed-computer', { open: '6' });
  await page.getByRole('button', { name: 'Details' }).click();
  const details = page.getByRole('region', { name: 'Details' });
  await expect(details.getByRole('button', { name: /Export/ })).toBeVisible();
  await expect(details.getByRole('heading', { name: 'Members' })).toBeVisible();
  for (const name of [/Leave/, /^Add/, /Edit/, /picture/i, /Change/, /^Menu|Actions/, /Disappearing/])
    await expect(details.getByRole('button', { name })).toHaveCount(0);
  await expect(details.getByText(/can invite people/)).toHaveCount(0);
  await page.getByRole('listbox', { name: 'Chats' }).getByRole('option', { name: /^Ann/ }).click();
  await expect(details.getByRole('button', { name: /Export/ })).toBeVisible();
  for (const name of ['Block', /Disappearing/])
    await expect(details.getByRole('button', { name })).toHaveCount(0);
});

test('a request on a removed computer can be deleted, not accepted', async ({ page, openScene }) => {
  await openScene('removed-computer', { open: '11' });
  const request = page.getByRole('region', { name: 'Message request' });
  await expect(request.getByRole('button', { name: /Delete/ })).toBeVisible();
  for (const name of ['Accept', 'Block']) await expect(request.getByRole('button', { name })).toHaveCount(0);
});

test('Settings on a removed computer have backup and recovery phrase, without account and devices', async ({
  page,
  openScene,
}) => {
  await openScene('removed-computer', { open: '' });
  const settings = await openSettings(page, 'Account');
  await expect(settings.getByRole('heading', { name: 'Recovery phrase' })).toBeVisible();
  await expect(settings.getByRole('textbox', { name: /Handle|Name/ })).toHaveCount(0);
  await expect(settings.getByRole('button', { name: /Delete account/ })).toHaveCount(0);
  const sections = settings.getByRole('navigation');
  for (const name of ['Devices', 'API']) await expect(sections.getByRole('button', { name })).toHaveCount(0);
  await openSettings(page, 'Storage');
  await expect(settings.getByRole('button', { name: /Back up/ }).first()).toBeVisible();
});

test('a link on a removed computer opens an existing chat', async ({ page, openScene }) => {
  await openScene('removed-computer-link', { open: '' });
  await expect(page.getByRole('heading', { name: /Ann/ }).first()).toBeVisible();
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
});

test('a link to an unknown person on a removed computer shows the reason', async ({ page, openScene }) => {
  await openScene('removed-computer-unknown-link', { open: '' });
  await expect(page.getByText(SHUT_OUT).filter({ visible: true })).toHaveCount(2);
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
});
