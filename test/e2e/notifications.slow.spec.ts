import type { Page } from '@playwright/test';
import { App, OwnRelay } from './support/app.ts';
import { linkComputer } from './support/linking.ts';
import { countNotices, pressNotice, shownNotices, watchNotices } from './support/notices.ts';
import { firstRun, lockScreen, openSettings, send, startChat, unlock } from './support/pages.ts';
import { expect, test } from './support/watched.ts';
import { PASSPHRASE } from './support/waxwing.ts';

const bodies = async (page: Page) => (await shownNotices(page)).map(({ title, body }) => [title, body]);

async function showChat(page: Page, to: string): Promise<void> {
  await startChat(page, to);
  // Until then the previous chat is in the foreground.
  await expect(page.getByRole('heading', { name: to, exact: true })).toBeVisible();
}

test('C15: a page notifies with permission, in one tab, of nothing seen, deleted or locked', async ({
  browser,
}) => {
  await using relay = new OwnRelay();
  const url = await relay.url();
  const context = await browser.newContext();
  await watchNotices(context);
  await using ann = new App(await context.newPage(), url);
  await ann.start();
  await firstRun(ann.page, 'ann');
  await using ben = await App.newcomer(browser, url, 'ben');
  const allow = () => context.grantPermissions(['notifications'], { origin: new URL(ann.page.url()).origin });

  await test.step('nothing is shown before the person has allowed it, with a note in Settings', async () => {
    await showChat(ben.page, '@ann');
    await send(ben.page, 'Hello Ann');
    await expect(ann.page.getByRole('button', { name: /Message requests/ })).toBeVisible();
    const settings = await openSettings(ann.page, 'Notifications');
    await expect(settings.getByText('Your browser asks you once.')).toBeVisible();
    await expect(settings.getByRole('button', { name: 'Allow notifications' })).toBeVisible();
    await context.grantPermissions([]);
    await expect(settings.getByText('Blocked. To change it')).toBeVisible();
    await allow();
    await expect(settings.getByText('Allowed. Keep a Waxwing tab open')).toBeVisible();
    await settings.getByText('Name and message', { exact: true }).click();
    await settings.getByRole('switch', { name: 'Sound' }).click();
    await ann.page.keyboard.press('Escape');
    expect(await countNotices(ann.page)).toBe(0);
  });

  const other = await context.newPage();
  await other.goto(await ann.newLink());
  await expect(other.getByRole('button', { name: /Message requests/ })).toBeVisible();

  const both = async () => [...(await bodies(ann.page)), ...(await bodies(other))];
  const countBoth = async () => (await countNotices(ann.page)) + (await countNotices(other));

  await test.step('messages of strangers are hidden; a click opens the chat', async () => {
    await send(ben.page, 'Buy this');
    await expect.poll(both).toEqual([['@ben', 'Message request']]);
    const page = (await countNotices(other)) > 0 ? other : ann.page;
    const [seen] = await shownNotices(page);
    expect(seen?.isSilent).toBe(true);
    expect(seen?.tag).toMatch(/^chat-\d+$/);
    expect((await page.request.get(seen?.icon ?? '')).headers()['content-type']).toBe('image/png');
    await pressNotice(page);
    await page.getByRole('button', { name: 'Accept' }).click();
    await expect.poll(both).toEqual([]);
    await showChat(page, 'Note to self');
  });

  await test.step('one tab notifies, and dismisses the notification when the message is deleted for everyone', async () => {
    await send(ben.page, 'At four?');
    await expect.poll(both).toEqual([['@ben', 'At four?']]);
    await ben.page.getByRole('article', { name: /At four/ }).focus();
    await ben.page.keyboard.press('Delete');
    await ben.page.getByRole('dialog').getByRole('button', { name: 'Delete for everyone' }).click();
    await expect.poll(both).toEqual([]);
    expect(await countBoth()).toBe(2);
  });

  await test.step('no notification for the chat in front, in whichever tab', async () => {
    await ann.page.getByRole('option', { name: /ben/ }).first().click();
    await send(ben.page, 'You see this');
    await expect(ann.page.getByRole('article', { name: /You see this/ })).toBeVisible();
    await showChat(ann.page, 'Note to self');
    await send(ben.page, 'And this later');
    await expect.poll(both).toEqual([['@ben', 'And this later']]);
    expect(await countBoth()).toBe(3);
  });

  await test.step('reading on another device dismisses the notification', async () => {
    await using phone = new App(await (await browser.newContext()).newPage(), url);
    await phone.start();
    await linkComputer(ann.page, phone.page);
    // This message informs the new device that Ben is accepted.
    await ann.page.getByRole('option', { name: /ben/ }).first().click();
    await send(ann.page, 'I have a new phone');
    await expect(phone.page.getByRole('option', { name: /ben/ }).first()).toBeVisible();
    // Ben learns of the new device by its own message.
    await expect(ben.page.getByText(/devices changed on/)).toBeVisible();
    await showChat(ann.page, 'Note to self');
    await send(ben.page, 'Read me there');
    await expect.poll(both).toEqual([['@ben', 'Read me there']]);
    await phone.page.getByRole('option', { name: /ben/ }).first().click();
    await expect(phone.page.getByRole('article', { name: /Read me there/ })).toBeVisible();
    await expect.poll(both).toEqual([]);
  });

  await test.step('while locked, old notifications are closed and no new ones shown', async () => {
    await send(ben.page, 'Before the lock');
    await expect.poll(both).toEqual([['@ben', 'Before the lock']]);
    const before = await countBoth();
    await ann.page.keyboard.press('Control+L');
    await expect(lockScreen(ann.page)).toBeVisible();
    await expect.poll(both).toEqual([]);
    await send(ben.page, 'While it is locked');
    await expect(ann.page.getByText('New messages')).toBeVisible();
    expect(await countBoth()).toBe(before);
    await unlock(ann.page, PASSPHRASE);
    await expect(ann.page.getByRole('option', { name: /ben/ }).first()).toBeVisible();
    expect(await bodies(other)).toEqual([]);
  });
});
