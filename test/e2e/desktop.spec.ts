/**
 * The desktop app without Electron's binary: the built main process with its threads, relay and engine on a double of
 * the `electron` module, and the built page with the built preload script in Chromium. The same is asked of the real
 * one in test/electron, where its binary is.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { BRIDGE_CHANNEL } from '../../src/bridge/ipc.ts';
import { SECURITY_HEADERS } from '../../src/host/security-headers.ts';
import { trayImagePath } from '../../src/main/tray/images.ts';
import { type Bot, newBot } from '../support/bots.ts';
import type { DesktopState } from '../support/electron/process.ts';
import { DesktopApp } from './support/electron/desktop-app.ts';
import {
  fillNewPassphrase,
  firstRun,
  greetEcho,
  lockScreen,
  openSettings,
  send,
  unlock,
} from './support/pages.ts';
import { expect, test } from './support/watched.ts';

const PASSPHRASE = 'plumage under a warm lamp';

/** Waits until the desktop shows everything expected. */
async function shows(app: DesktopApp, expected: Partial<DesktopState>): Promise<void> {
  await expect.poll(() => app.desktop.state()).toMatchObject(expected);
}

const inFront = { isVisible: true, isFocused: true };
const hidden = { isVisible: false, isFocused: false };

async function write(bot: Bot, to: string, text: string): Promise<void> {
  await bot.client.send(to, text, { automated: false });
}

test('C2, C7, C15, C16: the desktop app from first start through tray, notifications, links and lock to quitting', async ({
  page,
}) => {
  await using app = new DesktopApp(page);
  // With and without a tray.
  writeFileSync(join(app.data, 'settings.json'), JSON.stringify({ keepInTray: true }));
  await app.start();

  await test.step('the page has the app’s headers, and neither Node nor Electron', async () => {
    expect(app.documentHeaders).toMatchObject(SECURITY_HEADERS);
    const found = await page.evaluate(() => ({
      globals: ['process', 'require', 'module', 'Buffer', 'electron'].filter((name) => name in globalThis),
      isFrozen: Object.isFrozen((globalThis as { waxwing?: unknown }).waxwing),
    }));
    expect(found).toEqual({ globals: [], isFrozen: true });
    await shows(app, { window: inFront });
  });

  await test.step('a new account gets a sealed answer from @echo', async () => {
    await firstRun(page, 'desktop');
    await greetEcho(page, 'Hello from the desktop');
  });

  const bot = await newBot({ url: app.relayUrl }, { handle: 'ben' });
  const { address } = bot.identity;

  await test.step('a link asks before it opens a chat', async () => {
    await app.desktop.leaveWindow();
    await app.desktop.startAgain([`waxwing:contact/${address}`]);
    await shows(app, { window: inFront });
    const question = page.getByRole('alertdialog', { name: /Open a chat with 0x/ });
    await expect(question).toContainText(address);
    const letter = page.getByRole('textbox', { name: 'Message to @ben' });
    await expect(letter).toHaveCount(0);
    await question.getByRole('button', { name: 'Open chat' }).click();
    await expect(letter).toBeVisible();
    await send(page, 'Hello Ben');
    await expect(page.getByRole('article', { name: /Your message.*sent/ })).toBeVisible();
  });

  await test.step('closing hides the window; arrivals are notified without their text, and counted', async () => {
    await page.getByRole('option', { name: /Echo/ }).first().click();
    await expect(page.getByRole('textbox', { name: 'Message to Echo' })).toBeVisible();
    // Shown messages are marked as read after a delay.
    await shows(app, { badge: 0 });
    await app.desktop.closeWindow();
    await shows(app, { window: hidden });
    await write(bot, '@desktop', 'the heron is back');
    await shows(app, {
      badge: 1,
      notifications: [{ title: 'Waxwing', body: 'New message' }],
      toolTip: 'Waxwing – 1 unread',
      trayImage: trayImagePath('', 'unread', process.platform),
    });
  });

  await test.step('a click on the notification opens the conversation', async () => {
    await app.desktop.clickNotification('New message');
    await shows(app, { window: inFront });
    await expect(page.getByRole('article').getByText('the heron is back')).toBeVisible();
    await shows(app, { badge: 0, notifications: [] });
  });

  await test.step('notifications show the text if the person chose so', async () => {
    await page.keyboard.press('Control+,');
    const settings = page.getByRole('dialog', { name: 'Settings' });
    await expect(settings).toBeVisible();
    await openSettings(page, 'Notifications');
    await page.getByText('Name and message', { exact: true }).click();
    await expect(page.getByRole('radio', { name: 'Name and message' })).toBeChecked();
    await page.keyboard.press('Escape');
    await expect(settings).toHaveCount(0);
    await write(bot, '@desktop', 'seen at once');
    await expect(page.getByRole('article').getByText('seen at once')).toBeVisible();
    await app.desktop.leaveWindow();
    await write(bot, '@desktop', 'two of them now');
    // No notification for the chat in the foreground.
    await shows(app, { notified: 2, notifications: [{ title: '@ben', body: 'two of them now' }] });
    await app.desktop.pickFromTray('Open Waxwing');
    await shows(app, { window: inFront, badge: 0, notifications: [] });
  });

  await test.step('while locked, page and desktop show only that something has arrived', async () => {
    await turnOnLock(page);
    await shows(app, { toolTip: 'Waxwing' });
    await app.desktop.pickFromTray('Lock Waxwing');
    await expect(lockScreen(page)).toBeVisible();
    await shows(app, { toolTip: 'Waxwing – Locked' });
    await app.desktop.closeWindow();
    await write(bot, '@desktop', 'nobody may see this yet');
    await shows(app, { toolTip: 'Waxwing – Locked, new messages', badge: 0, notifications: [] });
    expect(await page.content()).not.toContain('nobody may see this yet');
  });

  await test.step('unlocking shows the message', async () => {
    await app.desktop.startAgain([]);
    await shows(app, { window: inFront });
    await unlock(page, PASSPHRASE);
    await page.getByRole('option', { name: /ben/ }).first().click();
    await expect(page.getByRole('article').getByText('nobody may see this yet')).toBeVisible();
  });

  await test.step('the page uses one channel only', async () => {
    await shows(app, { channels: [BRIDGE_CHANNEL], unheard: [], errors: [] });
  });

  await test.step('quitting ends everything', async () => {
    await app.desktop.pickFromTray('Quit Waxwing');
    expect(await app.ended(), app.output).toBe(0);
  });
});

async function turnOnLock(page: Page): Promise<void> {
  await page.keyboard.press('Control+l');
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await settings.getByRole('switch', { name: 'App lock' }).click();
  await fillNewPassphrase(settings, 'Passphrase', PASSPHRASE);
  await settings.getByRole('button', { name: 'Turn on' }).click();
  await expect(settings.getByRole('switch', { name: 'App lock' })).toBeChecked();
  await page.keyboard.press('Escape');
}

test('C4, C6, V3, V4: a page opens no window, navigates nowhere, and answers only to its own frame', async ({
  page,
}) => {
  await using app = new DesktopApp(page);
  await app.start();
  const welcome = page.getByRole('heading', { name: 'Welcome to Waxwing' });
  await expect(welcome).toBeVisible();

  await test.step('a window opened by the page becomes a link for the browser, or is blocked', async () => {
    const urls = ['https://example.org/a', 'http://example.org/', 'https://waxwing/', 'data:text/html,x'];
    for (const url of urls) await page.evaluate((opened) => void window.open(opened), url);
    await page.evaluate(() => {
      const link = Object.assign(document.createElement('a'), {
        href: 'mailto:ann@example.org',
        target: '_blank',
        rel: 'noreferrer',
      });
      document.body.append(link);
      link.click();
      link.remove();
    });
    const wanted = [...urls, 'mailto:ann@example.org'];
    await expect.poll(() => app.opened).toEqual(wanted.map((url) => ({ url: toApp(url), mayOpen: false })));
    await shows(app, { opened: ['https://example.org/a', 'mailto:ann@example.org'] });
    await expect.poll(() => page.context().pages().length).toBe(1);
  });

  await test.step('the page does not navigate', async () => {
    for (const url of ['https://example.org/', 'https://waxwing/elsewhere', 'http://127.0.0.1:9/']) {
      const before = app.navigations.length;
      await page.evaluate((target) => {
        location.href = target;
      }, url);
      await expect.poll(() => app.navigations.slice(before)).toEqual([{ url: toApp(url), mayGo: false }]);
      await expect(welcome).toBeVisible();
    }
    expect(page.url()).toBe('https://waxwing/');
    expect(app.outside).toEqual([]);
  });

  await test.step('a frame inside it has no bridge, and its messages to the main process are ignored', async () => {
    const hasBridge = await page.evaluate(() => {
      const frame = document.createElement('iframe');
      document.body.append(frame);
      return 'waxwing' in (frame.contentWindow ?? {});
    });
    expect(hasBridge).toBe(false);
    const [call] = app.fromPage;
    if (!call || !app.preload) throw new Error('the page has said nothing');
    const answersTo = (id: string) =>
      app.toPage.filter(({ message }) => (message as { i?: string }).i === id).length;
    const asFrame = { ...(call.message as object), i: 'of a frame' };
    const asTop = { ...(call.message as object), i: 'of the page' };
    await app.preload.sendFromFrame('about:blank', BRIDGE_CHANNEL, asFrame);
    await app.preload.sendFromTop(BRIDGE_CHANNEL, asTop);
    await expect.poll(() => answersTo('of the page')).toBe(1);
    expect(app.fromFrames).toHaveLength(1);
    expect(answersTo('of a frame')).toBe(0);
  });
});

const toApp = (url: string) => url.replace('https://waxwing', 'app://waxwing');
