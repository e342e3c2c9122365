/** Sounds and films that play while they are downloaded. */
import type { Page } from '@playwright/test';
import { expectAccessible } from '../e2e/support/accessible.ts';
import { choose, composer, film } from './files.ts';
import { article, button } from './showing-files.ts';
import { answerDelayed, expect, test } from './support.ts';

const toRelay = (page: Page) =>
  page.evaluate(() => window.waxwing.calls['storage.clear']({ conversationId: null }));

test('playing a sound downloads it, and it plays on when it is complete', async ({ page, openScene }) => {
  await openScene('listening', { delay: 'files.arrival' });
  await expect(button(page, 'Play long-song.wav')).toBeVisible();
  await toRelay(page);
  const row = article(page, 'long-song.wav');
  await expect(button(row, 'Download long-song.wav')).toBeVisible();
  await button(row, 'Play long-song.wav').click();
  await expect(button(row, 'Pause long-song.wav')).toBeVisible();
  await expect(page.getByRole('progressbar', { name: 'Downloading long-song.wav' })).toBeVisible();
  await answerDelayed(page);
  await expect(button(row, 'Save long-song.wav')).toBeVisible();
  await expect(button(row, 'Pause long-song.wav')).toBeVisible();
  // Its row stays in view.
  await expect(page.getByRole('region', { name: 'Now playing' })).toBeHidden();
});

test('canceling the download of a sound that plays stops it', async ({ page, openScene }) => {
  await openScene('listening', { delay: 'files.arrival' });
  await expect(button(page, 'Play long-song.wav')).toBeVisible();
  await toRelay(page);
  await expect(button(page, 'Download long-song.wav')).toBeVisible();
  await button(page, 'Play long-song.wav').click();
  await expect(button(page, 'Pause long-song.wav')).toBeVisible();
  await button(page, 'Cancel long-song.wav').click();
  await expect(button(page, 'Download long-song.wav')).toBeVisible();
  await expect(button(page, 'Play long-song.wav')).toBeVisible();
});

test('playing a film downloads it, and canceling the download stops it', async ({ page, openScene }) => {
  await openScene('one', { open: '1', delay: 'files.arrival' });
  await choose(page, await film(page, 'film.webm'));
  await composer(page).press('Enter');
  await expect(button(page, 'Play film.webm')).toBeVisible();
  await toRelay(page);
  await expect(button(page, 'Download film.webm')).toBeVisible();
  const video = page.locator('video');
  await expect(video).toHaveCount(0);
  await button(page, 'Play film.webm').click();
  await expect.poll(() => video.evaluate((each: HTMLVideoElement) => each.played.length)).toBe(1);
  await expect(video).toBeFocused();
  await expectAccessible(page);
  await button(page, 'Cancel film.webm').click();
  await expect(video).toHaveCount(0);
  await expect(button(page, 'Play film.webm')).toBeVisible();
  await button(page, 'Play film.webm').click();
  await expect(video).toHaveCount(1);
  await video.evaluate((each) => each.setAttribute('data-kept', ''));
  await answerDelayed(page);
  await expect(button(page, 'Cancel film.webm')).toHaveCount(0);
  await expect(page.locator('video[data-kept]')).toHaveCount(1);
});

test('a film whose reading has failed plays again during the next download', async ({ page, openScene }) => {
  await openScene('one', { open: '1', delay: 'files.arrival' });
  await choose(page, await film(page, 'film.webm'));
  await composer(page).press('Enter');
  await expect(button(page, 'Play film.webm')).toBeVisible();
  await toRelay(page);
  await expect(button(page, 'Download film.webm')).toBeVisible();
  const video = page.locator('video');
  await button(page, 'Play film.webm').click();
  await expect(video).toHaveCount(1);
  // The bytes did not arrive in time.
  await video.evaluate((each) => each.dispatchEvent(new Event('error')));
  await expect(video).toHaveCount(0);
  await button(page, 'Cancel film.webm').click();
  await button(page, 'Play film.webm').click();
  await expect(video).toHaveCount(1);
});

test('the focus goes from Play of a film to its message when the download ends, or the file is removed', async ({
  page,
  openScene,
}) => {
  await openScene('one', { open: '1', delay: 'files.arrival' });
  await choose(page, await film(page, 'film.webm'));
  await composer(page).press('Enter');
  await expect(button(page, 'Play film.webm')).toBeVisible();
  await toRelay(page);
  await button(page, 'Download film.webm').click();
  await expect(button(page, 'Cancel film.webm')).toBeVisible();
  await button(page, 'Play film.webm').focus();
  await answerDelayed(page);
  await expect(button(page, 'Cancel film.webm')).toHaveCount(0);
  const message = page.getByRole('article').last();
  await expect(message).toBeFocused();
  await button(page, 'Play film.webm').focus();
  await toRelay(page);
  await expect(button(page, 'Download film.webm')).toBeVisible();
  await expect(message).toBeFocused();
});
