/** The player of voice messages and sounds: other chats, the next message, films, erased messages and the lock. */
import type { Locator, Page } from '@playwright/test';
import { PASSPHRASE } from '../../dev/fake/answers/host.ts';
import { lockScreen, unlock } from '../e2e/support/pages.ts';
import { row } from './chat-list.ts';
import { choose, composer, film } from './files.ts';
import { expect, test } from './support.ts';

declare global {
  interface Window {
    sounds: HTMLMediaElement[];
  }
}

const button = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true });
const bar = (page: Page) => page.getByRole('region', { name: 'Now playing' });
const voices = (page: Page) => page.getByRole('article', { name: /Voice message/ });
/** Sources of all elements that play. */
const playing = (page: Page) =>
  page.evaluate(() => window.sounds.filter((each) => !each.paused).map(({ src }) => src.split('/').at(-1)));

test.beforeEach(async ({ page, openScene }) => {
  await page.addInitScript(() => {
    window.sounds = [];
    const { play } = HTMLMediaElement.prototype;
    HTMLMediaElement.prototype.play = function () {
      if (!window.sounds.includes(this)) window.sounds.push(this);
      return play.call(this);
    };
  });
  await openScene('listening');
  await page.getByRole('article').last().focus();
  await page.keyboard.press('Home');
  await button(voices(page).first(), 'Play voice message').click();
  await expect.poll(() => playing(page)).toEqual(['long-first.wav']);
});

test('the next voice message plays in another chat at the chosen speed, and the bar stops it', async ({
  page,
}) => {
  await button(voices(page).first(), 'Speed 1 times').click();
  await row(page, /Ben Okafor/).click();
  await expect(bar(page)).toContainText('Ann Archer');
  await page.evaluate(() => {
    for (const each of window.sounds) each.currentTime = 119.9;
  });
  await expect(bar(page)).toContainText('Your message');
  await expect.poll(() => playing(page)).toEqual(['long-second.wav']);
  expect(await page.evaluate(() => window.sounds.map((each) => each.playbackRate))).toEqual([1.5]);
  await expect(button(bar(page), 'Speed 1.5 times')).toBeVisible();
  await button(bar(page), 'Stop and close').click();
  await expect(bar(page)).toBeHidden();
  await expect(composer(page)).toBeFocused();
  expect(await page.evaluate(() => window.sounds.map((each) => each.getAttribute('src')))).toEqual([null]);
});

test('playing stops after three unplayable voice messages: no more are downloaded', async ({ page }) => {
  await page.evaluate(() => window.waxwing.calls['storage.clear']({ conversationId: null }));
  await row(page, /Ben Okafor/).click();
  const downloads = page.getByRole('button', { name: /^Download/ });
  await expect(downloads).toHaveCount(7);
  await button(voices(page).first(), 'Play voice message').click();
  await expect.poll(() => playing(page)).toEqual(['long-first.wav']);
  await row(page, /Ann Archer/).click();
  await expect(bar(page)).toContainText('Ben Okafor');
  await page.evaluate(() => {
    for (const each of window.sounds) each.currentTime = 119.9;
  });
  await expect(bar(page)).toBeHidden();
  await row(page, /Ben Okafor/).click();
  await expect(downloads).toHaveCount(3);
});

test('the bar is over the chat list while no chat is open', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await button(page, 'Back to chats').click();
  await expect(bar(page)).toBeVisible();
  await button(bar(page), 'Show Ann Archer in chat').click();
  await expect(button(voices(page).first(), 'Pause voice message')).toBeVisible();
});

test('one sound plays at a time, and each keeps its place', async ({ page }) => {
  await page.evaluate(() => {
    for (const each of window.sounds) each.currentTime = 60;
  });
  await expect(voices(page).first().getByText('1:00')).toBeVisible();
  await button(page, 'Jump to latest').click();
  await button(page, 'Play long-song.wav').click();
  await expect.poll(() => playing(page)).toEqual(['long-song.wav']);
  await page.getByRole('article').last().focus();
  await page.keyboard.press('Home');
  const place = voices(page).first().getByRole('slider');
  expect(Number(await place.inputValue())).toBeGreaterThanOrEqual(60);
});

test('a film that plays pauses it', async ({ page }) => {
  await choose(page, await film(page, 'clip.webm'));
  await composer(page).press('Enter');
  await button(page, 'Jump to latest').click();
  await button(page, 'Play clip.webm').click();
  await expect.poll(() => playing(page)).not.toContain('long-first.wav');
  await expect(button(bar(page), 'Play voice message')).toBeVisible();
});

test('an erased message stops', async ({ page }) => {
  const id = (await voices(page).first().getAttribute('data-message')) as string;
  await row(page, /Ben Okafor/).click();
  await expect(bar(page)).toBeVisible();
  await page.evaluate(
    (each) => window.waxwing.calls['messages.delete']({ ids: [each], forEveryone: false }),
    id,
  );
  await expect(bar(page)).toBeHidden();
  expect(await playing(page)).toEqual([]);
});

test('the lock stops it and forgets its bytes', async ({ page }) => {
  await row(page, /Ben Okafor/).click();
  await expect(bar(page)).toBeVisible();
  await page.keyboard.press('Control+l');
  await expect(lockScreen(page)).toBeVisible();
  expect(await page.evaluate(() => window.sounds.map((each) => each.getAttribute('src')))).toEqual([null]);
  await unlock(page, PASSPHRASE);
  await expect(composer(page)).toBeVisible();
  await expect(bar(page)).toBeHidden();
});

test('the menu of a message saves its only file', async ({ page }) => {
  await voices(page)
    .first()
    .click({ button: 'right', position: { x: 5, y: 5 } });
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Save…' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('long-first.wav');
});
