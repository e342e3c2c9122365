/** Recorded voice messages that play one after the other, in the real app, with Chromium's fake microphone. */
import type { Page } from '@playwright/test';
import { inChromium } from '../support/in-chromium.ts';
import { App, OwnRelay } from './support/app.ts';
import { acceptRequest, openSettings, send, startChat } from './support/pages.ts';
import { expect, test } from './support/watched.ts';

declare global {
  interface Window {
    /** Speeds of the sounds that played to their ends. */
    ended: number[];
    /** Length of the file that was broken. */
    broken?: number;
  }
}

test.use({
  launchOptions: {
    ...inChromium.launchOptions,
    args: [
      ...inChromium.launchOptions.args,
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
    ],
  },
});

const voices = (page: Page) => page.getByRole('article', { name: /Voice message/ });
const ended = (page: Page) => page.evaluate(() => window.ended);

/** Counts the sounds that end. */
async function countEnded(page: Page): Promise<void> {
  await page.evaluate(() => {
    window.ended = [];
    const { play } = HTMLMediaElement.prototype;
    const known = new WeakSet<HTMLMediaElement>();
    HTMLMediaElement.prototype.play = function () {
      if (!known.has(this)) this.addEventListener('ended', () => window.ended.push(this.playbackRate));
      known.add(this);
      return play.call(this);
    };
  });
}

/** Records for about a second. */
async function sendVoice(page: Page): Promise<void> {
  const before = await voices(page).count();
  await page.getByRole('button', { name: 'Record voice message' }).click();
  const strip = page.getByRole('group', { name: 'Voice message', exact: true });
  await expect(strip.getByRole('timer')).not.toHaveText('0:00');
  await page.getByRole('button', { name: 'Send voice message' }).click();
  await expect(voices(page)).toHaveCount(before + 1);
}

/** Replaces the bytes behind the first ones of the next file that the page writes, which has one piece. */
async function breakNext(page: Page): Promise<void> {
  await page.evaluate(() => {
    const { fetch } = window;
    window.fetch = async (input, init) => {
      if (init?.method !== 'PUT' || !(init.body instanceof Blob)) return fetch(input, init);
      window.fetch = fetch;
      const body = new Uint8Array(await init.body.arrayBuffer()).fill(7, 64);
      window.broken = body.length;
      return fetch(input, { ...init, body });
    };
  });
}

async function clearFiles(page: Page): Promise<void> {
  const settings = await openSettings(page, 'Storage');
  await settings.getByRole('button', { name: 'Clear all files' }).click();
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /^Clear/ })
    .click();
  await settings.getByRole('button', { name: 'Close settings' }).click();
}

test('voice messages play one after the other at the chosen speed, past deleted and broken ones, also if they are not here', async ({
  browser,
}) => {
  await using relay = new OwnRelay();
  await using ann = await App.newcomer(browser, await relay.url(), 'ann');
  await using ben = await App.newcomer(browser, await relay.url(), 'ben');
  const [first, play] = [voices(ben.page).first(), { name: 'Play voice message', exact: true }];
  await startChat(ann.page, '@ben');
  await send(ann.page, 'Hello');
  await acceptRequest(ben.page, /ann/);
  await countEnded(ben.page);

  await test.step('three that are here', async () => {
    for (let count = 0; count < 3; count++) await sendVoice(ann.page);
    await expect(voices(ben.page)).toHaveCount(3);
    await expect(ben.page.getByRole('button', { name: /^(?:Download|Cancel)/ })).toHaveCount(0);
    await first.getByRole('button', { name: 'Speed 1 times' }).click();
    await first.getByRole('button', play).click();
    await expect.poll(() => ended(ben.page)).toEqual([1.5, 1.5, 1.5]);
    await expect(ben.page.getByRole('button', { name: 'Pause voice message' })).toHaveCount(0);
  });

  await test.step('the second is deleted, the fourth is broken, and none is here', async () => {
    await voices(ann.page).nth(1).focus();
    await ann.page.keyboard.press('Delete');
    await ann.page.getByRole('dialog').getByRole('button', { name: 'Delete for everyone' }).click();
    await expect(voices(ben.page)).toHaveCount(2);
    await breakNext(ann.page);
    await sendVoice(ann.page);
    expect(await ann.page.evaluate(() => window.broken)).toBeGreaterThan(64);
    await sendVoice(ann.page);
    await expect(voices(ben.page)).toHaveCount(4);
    await expect(ben.page.getByRole('button', { name: /^Cancel/ })).toHaveCount(0);
    await clearFiles(ben.page);
    await ben.page.evaluate(() => {
      window.ended = [];
    });
    await expect(first.getByRole('button', { name: /^Download/ })).toBeVisible();
    await first.getByRole('button', play).click();
    await expect.poll(() => ended(ben.page)).toEqual([1.5, 1.5, 1.5]);
    await expect(ben.page.getByRole('button', { name: 'Pause voice message' })).toHaveCount(0);
  });
});
