/** The place of the focus after an action, and the announcement of its result: a walk by keyboard with a screen reader. */
import type { Locator, Page } from '@playwright/test';
import { PASSPHRASE } from '../../dev/fake/answers/host.ts';
import { lockScreen, openSettings, unlock } from '../e2e/support/pages.ts';
import { expect, type Pages, test } from './support.ts';

const details = (page: Page) => page.getByRole('region', { name: 'Details' });
const announcements = (page: Page) => page.locator('[data-announcements]');
const composer = (page: Page) => page.getByRole('textbox', { name: /^Message to/ });

/** Presses a control by keyboard. */
async function press(control: Locator): Promise<void> {
  await control.focus();
  await control.press('Enter');
}

async function openDetails(page: Page): Promise<Locator> {
  await press(page.getByRole('button', { name: 'Details', exact: true }));
  await expect(page.getByRole('button', { name: 'Close details' })).toBeFocused();
  return details(page);
}

test('a member who becomes an admin is announced, and their row keeps the focus', async ({
  page,
  openScene,
}) => {
  await openScene('group', { open: '1' });
  const panel = await openDetails(page);
  const options = panel.getByRole('button', { name: 'Options for Ann Archer' });
  await press(options);
  await press(page.getByRole('menuitem', { name: 'Make admin' }));
  await expect(announcements(page)).toHaveText('Ann Archer is an admin now');
  await expect(panel.getByRole('listitem').filter({ hasText: 'Ann Archer' })).toContainText('Admin');
  await expect(options).toBeFocused();
});

test('a removed member is announced, and the next row gets the focus, at the end the previous one', async ({
  page,
  openScene,
}) => {
  await openScene('group', { open: '1' });
  const panel = await openDetails(page);
  const options = (name: string) => panel.getByRole('button', { name: `Options for ${name}` });
  const row = (name: string) => panel.getByRole('button', { name: new RegExp(`^${name}`) });
  const remove = async (name: string) => {
    await press(options(name));
    await press(page.getByRole('menuitem', { name: 'Remove member' }));
    await press(page.getByRole('alertdialog').getByRole('button', { name: 'Remove member' }));
    await expect(options(name)).toHaveCount(0);
  };
  await remove('Ann Archer');
  await expect(announcements(page)).toHaveText('Ann Archer was removed from the group');
  await expect(row('陈美玲')).toBeFocused();
  await remove('陈美玲');
  await expect(row('Ben Okafor')).toBeFocused();
});

test('a revoked token is announced, and the next one gets the focus, at the end the previous one', async ({
  page,
  openScene,
}) => {
  await openScene('group', { open: '1' });
  const panel = await openDetails(page);
  const tokens = panel.getByRole('list', { name: 'Bot tokens' });
  const revoke = (name: string) =>
    tokens.getByRole('listitem').filter({ hasText: name }).getByRole('button', { name: 'Revoke' });
  await press(revoke('Old script'));
  await press(page.getByRole('alertdialog').getByRole('button', { name: 'Revoke token' }));
  await expect(announcements(page)).toHaveText('Token “Old script” revoked');
  await expect(revoke('Build')).toBeFocused();
  await press(revoke('Build'));
  await press(page.getByRole('alertdialog').getByRole('button', { name: 'Revoke token' }));
  await expect(tokens.getByRole('button')).toHaveCount(0);
  // The next control after the list.
  await expect(panel.getByRole('button', { name: 'Remove bot' })).toBeFocused();
});

test('a revoked API key is announced in the dialog, and the focus stays near it', async ({
  page,
  openScene,
}) => {
  await openScene('desktop');
  await openSettings(page, 'API Settings');
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await press(settings.getByRole('button', { name: 'Revoke' }));
  await press(page.getByRole('alertdialog').getByRole('button', { name: 'Revoke key' }));
  await expect(settings.getByRole('button', { name: 'Revoke' })).toHaveCount(0);
  await expect(announcements(page)).toContainText('Key “Build notes” revoked');
  await expect(
    page.locator('[aria-hidden=true] [data-announcements], [inert] [data-announcements]'),
  ).toHaveCount(0);
  await expect(settings.locator(':focus')).toHaveText('New API key');
});

test('after unlocking the field of the open chat has the focus', async ({ page, openScene }) => {
  await openScene('one', { open: '1' });
  await expect(composer(page)).toBeFocused();
  await page.keyboard.press('Control+l');
  await expect(lockScreen(page)).toBeVisible();
  await unlock(page, PASSPHRASE);
  await expect(composer(page)).toBeFocused();
});

test('a list without chats refers to the archive', async ({ page, openScene }) => {
  await openScene('one', { open: '' });
  await page.getByRole('option').focus();
  await page.keyboard.press('Shift+F10');
  await press(page.getByRole('menuitem', { name: 'Archive' }));
  const list = page.getByRole('navigation', { name: 'Chats' });
  await expect(list.getByRole('button', { name: 'Archived (1)' })).toBeVisible();
  await expect(list.getByRole('heading')).toHaveText('No other chats');
});

test('Escape closes details that a key opened, although their tooltip is shown', async ({
  page,
  openScene,
}) => {
  await openScene('one', { open: '1' });
  await expect(composer(page)).toBeFocused();
  await page.keyboard.press('Control+.');
  await expect(page.getByRole('button', { name: 'Close details' })).toBeFocused();
  await expect(page.getByText('Close details', { exact: true })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(details(page)).toHaveCount(0);
  await expect(composer(page)).toBeFocused();
});

test('Escape closes a tooltip that the pointer opened, and the details at the next press', async ({
  page,
  openScene,
}) => {
  await openScene('one', { open: '1' });
  await openDetails(page);
  const tooltip = page.getByText('Close details', { exact: true });
  const button = page.getByRole('button', { name: 'Close details' });
  await composer(page).hover();
  await button.focus();
  await button.blur();
  await expect(tooltip).toBeHidden();
  await button.hover();
  await expect(tooltip).toBeVisible();
  await details(page).getByRole('button').last().focus();
  await page.keyboard.press('Escape');
  await expect(tooltip).toBeHidden();
  await expect(details(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(details(page)).toHaveCount(0);
});

test('the focus moves to the visible part when the window gets narrow', async ({ page, openScene }) => {
  await openScene('one', { open: '1' });
  await openDetails(page);
  await composer(page).focus();
  await page.setViewportSize({ width: 360, height: 800 });
  await expect(page.getByRole('button', { name: 'Close details' })).toBeFocused();
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole('option').focus();
  await page.setViewportSize({ width: 360, height: 800 });
  await expect(composer(page)).toBeFocused();
});

test('the field of a chat is described by existing elements only', async ({ page, openScene }) => {
  const missing = () =>
    composer(page).evaluate((field) =>
      (field.getAttribute('aria-describedby') ?? '').split(' ').filter((id) => !document.getElementById(id)),
    );
  await openScene('one', { open: '1' });
  await expect(composer(page)).toBeVisible();
  expect(await missing()).toEqual([]);
  await openScene('first-contact', { open: '1' });
  await expect(composer(page)).toHaveAccessibleDescription(/request/);
  expect(await missing()).toEqual([]);
});

test('the dialogs of the details have a description', async ({ page, openScene }) => {
  await openScene('group', { open: '1' });
  await openDetails(page);
  await press(page.getByRole('button', { name: 'Export chat…' }));
  await expect(page.getByRole('dialog')).toHaveAccessibleDescription(/The file isn’t encrypted/);
  await page.keyboard.press('Escape');
  await press(page.getByRole('button', { name: 'Change who can join' }));
  await expect(page.getByRole('dialog')).toHaveAccessibleDescription(/Invited people can always join/);
  await openScene('one', { open: '1' });
  await openDetails(page);
  await press(page.getByRole('button', { name: 'Verify…' }));
  await expect(page.getByRole('dialog')).toHaveAccessibleDescription(/read their address aloud/);
});

test('a message that waits for the server is announced once', async ({ page, openScene }) => {
  await openScene('offline', { open: '2' });
  await expect(page.getByRole('article').filter({ hasText: 'Or two' })).toBeVisible();
  await expect(announcements(page)).toHaveText('');
  await composer(page).fill('Soon');
  await composer(page).press('Enter');
  await expect(announcements(page)).toHaveText('Message waiting. It sends when you reconnect.');
  await page.evaluate(() => window.emit('messages.changed', { conversationId: '2' }));
  await expect(announcements(page).locator('p')).toHaveCount(1);
});

/**
 * Opens the list of chats and waits until failures are counted from it. A row can be there before: the number of unread messages in
 * the title is of the same moment as the count.
 */
async function openCountedList(page: Page, openScene: Pages['openScene']): Promise<void> {
  await openScene('refused', { open: '' });
  await expect(page).toHaveTitle(/^\(1\)/);
}

test('a message that failed for good is announced once', async ({ page, openScene }) => {
  await openScene('refused', { open: '1' });
  await composer(page).fill('Never');
  await composer(page).press('Enter');
  await expect(announcements(page)).toHaveText(/^Message not sent: ./);
  await page.evaluate(() => window.emit('messages.changed', { conversationId: '1' }));
  await expect(announcements(page).locator('p')).toHaveCount(1);
});

test('a message that fails in a chat that is not open is announced once, and marked in the list', async ({
  page,
  openScene,
}) => {
  await openCountedList(page, openScene);
  const row = page.locator('[data-row="1"]');
  await expect(row).toBeVisible();
  await expect(row.getByRole('img', { name: 'Not sent' })).toHaveCount(0);
  await page.evaluate(async () => {
    await window.waxwing.calls['messages.send']({ conversationId: '1', text: 'Never' });
  });
  await expect(announcements(page)).toHaveText(/^Message to .*echo.* not sent$/i);
  await expect(row.getByRole('img', { name: 'Not sent' })).toBeVisible();
  await page.evaluate(() => window.emit('conversations.changed', { ids: ['1'] }));
  await expect(announcements(page).locator('p')).toHaveCount(1);
  await page.clock.setFixedTime((await page.evaluate(() => Date.now())) + 1_000);
  await row.click();
  await expect(page.getByRole('article').filter({ hasText: 'Never' })).toBeVisible();
  await expect(announcements(page).getByText(/^Message not sent/), 'not announced again').toHaveCount(0);
});

test('a message that fails again on a retry in a chat that is not open is announced again', async ({
  page,
  openScene,
}) => {
  await openCountedList(page, openScene);
  const id = await page.evaluate(async () => {
    const sent = await window.waxwing.calls['messages.send']({ conversationId: '1', text: 'Never' });
    return sent.ok ? sent.value.id : '';
  });
  const sentences = announcements(page).getByText(/^Message to .*echo.* not sent$/i);
  await expect(sentences).toHaveCount(1);
  await page.evaluate((id) => window.waxwing.calls['messages.retry']({ id }), id);
  await expect(sentences).toHaveCount(2);
});

test('a message that fails in a new chat that is not open is announced', async ({ page, openScene }) => {
  await openCountedList(page, openScene);
  await page.evaluate(async () => {
    const { calls } = window.waxwing;
    // Both before the page has read the list again.
    const address = `0x${'c'.repeat(40)}`;
    await Promise.all([
      calls['conversations.open']({ address }),
      calls['messages.send']({ conversationId: '2', text: 'Never' }),
    ]);
  });
  // First: it is removed after a few seconds.
  await expect(announcements(page)).toHaveText(/^Message to .*0xcc.* not sent$/i);
  await expect(page.locator('[data-row="2"]')).toBeVisible();
});

test('a failed message is marked in the list also after an answer, in place of the state', async ({
  page,
  openScene,
}) => {
  await openScene('lists', { open: '' });
  const row = page.getByRole('option', { name: /^Ben Okafor/ });
  await expect(row).toContainText('Muted for a while');
  await expect(row.getByRole('img', { name: 'Not sent' })).toBeVisible();
});

/** The name or text of the focused control right after a key: in the page, before an animation ends. */
function focusedAfterKey(page: Page, key: string): Promise<string | null | undefined> {
  return page.evaluate(async (pressed) => {
    const event = { key: pressed, bubbles: true, cancelable: true };
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', event));
    const { port1, port2 } = new MessageChannel();
    await new Promise((resolve) => {
      port1.onmessage = resolve;
      port2.postMessage(null);
    });
    return document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent;
  }, key);
}

test('a dialog returns the focus when it begins to close, so that Escape twice also closes the details below it', async ({
  page,
  openScene,
}) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await openScene('one', { open: '1' });
  for (const [name, role] of [
    ['Delete chat', 'alertdialog'],
    ['Export chat…', 'dialog'],
  ] as const) {
    const panel = await openDetails(page);
    await press(panel.getByRole('button', { name }));
    await expect(page.getByRole(role)).toBeVisible();
    const focused = await focusedAfterKey(page, 'Escape');
    expect(focused).toBe(name);
    await page.keyboard.press('Escape');
    await expect(panel).toBeHidden();
  }
});

test('a menu or popover returns the focus when it begins to close, so that the next key is not lost', async ({
  page,
  openScene,
}) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await openScene('group', { open: '1' });
  const panel = await openDetails(page);
  const menu = page.getByRole('menu');
  for (const name of ['Options for Ann Archer', 'Mute', 'Disappearing messages: Off']) {
    await press(panel.getByRole('button', { name, exact: true }));
    await expect(page.getByRole('menuitem').or(page.getByRole('menuitemradio')).first()).toBeFocused();
    expect(await focusedAfterKey(page, 'Escape')).toBe(name);
    await page.keyboard.press('Enter');
    await expect(menu).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(menu).toHaveCount(0);
  }
  await openScene('states');
  const mark = page.getByRole('button', { name: 'API', exact: true }).first();
  await press(mark);
  await expect(page.getByRole('dialog')).toBeFocused();
  expect(await focusedAfterKey(page, 'Escape')).toBe('API');
  await page.getByRole('button', { name: 'Insert emoji', exact: true }).press('Enter');
  await expect(page.getByRole('searchbox', { name: /emoji/i })).toBeFocused();
  expect(await focusedAfterKey(page, 'Escape')).toMatch(/^Message to/);
});
