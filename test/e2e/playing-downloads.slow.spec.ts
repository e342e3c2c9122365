/** A sound and a film that play while they are downloaded, in the real app with a network that stands still in between. */
import type { Page } from '@playwright/test';
import { choose, composer, type TestFile, tray } from '../components/files.ts';
import { MeteredLink } from '../support/metered-link.ts';
import { ROOMY_RATES } from '../support/rates.ts';
import { TestRelay } from '../support/relay.ts';
import { App } from './support/app.ts';
import { acceptRequest, send, startChat } from './support/pages.ts';
import { expect, test } from './support/watched.ts';

const RATE = 48_000;
const SECONDS = 60;
/** Bytes that arrive before the network stands still. */
const FIRST_BYTES = 900_000;

/** A quiet tone of a minute as WAV, 2.9 MB. */
function song(): TestFile {
  const samples = Buffer.from(
    Array.from({ length: RATE * SECONDS }, (_, index) => 128 + Math.round(20 * Math.sin(index / 20))),
  );
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + samples.length, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(RATE, 24);
  head.writeUInt32LE(RATE, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write('data', 36);
  head.writeUInt32LE(samples.length, 40);
  return { name: 'song.wav', mimeType: 'audio/wav', buffer: Buffer.concat([head, samples]) };
}

/** A film of noise, recorded by the browser until it has two megabytes. */
async function noise(page: Page): Promise<TestFile> {
  const data = await page.evaluate(async () => {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [320, 240];
    const context = canvas.getContext('2d');
    if (!context) throw new TypeError('no context');
    const image = context.createImageData(320, 240);
    const options = { mimeType: 'video/webm', videoBitsPerSecond: 4_000_000 };
    const recorder = new MediaRecorder(canvas.captureStream(30), options);
    const chunks: Blob[] = [];
    recorder.ondataavailable = ({ data }) => chunks.push(data);
    const stopped = new Promise((resolve) => {
      recorder.onstop = resolve;
    });
    recorder.start(100);
    while (chunks.reduce((sum, { size }) => sum + size, 0) < 2_000_000) {
      for (let at = 0; at < image.data.length; at++)
        image.data[at] = at % 4 === 3 ? 255 : Math.random() * 256;
      context.putImageData(image, 0, 0);
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    recorder.stop();
    await stopped;
    const bytes = new Uint8Array(await new Blob(chunks).arrayBuffer());
    let text = '';
    for (let at = 0; at < bytes.length; at += 8192)
      text += String.fromCharCode(...bytes.subarray(at, at + 8192));
    return btoa(text);
  });
  return { name: 'noise.webm', mimeType: 'video/webm', buffer: Buffer.from(data, 'base64') };
}

test('a sound and a film begin before their downloads end, and play on after them', async ({ browser }) => {
  await using link = await MeteredLink.start();
  await using relay = await new TestRelay({ publicUrl: link.url, limits: { rates: ROOMY_RATES } }).start();
  link.target = relay.running.port;
  await using ann = await App.newcomer(browser, link.url, 'ann');
  await using ben = await App.newcomer(browser, link.url, 'ben');
  const button = (name: string) => ben.page.getByRole('button', { name, exact: true });
  await startChat(ann.page, '@ben');
  await send(ann.page, 'Hello');
  await acceptRequest(ben.page, /ann/);
  for (const file of [song(), await noise(ann.page)]) {
    await choose(ann.page, file);
    await expect(tray(ann.page).getByRole('listitem')).toHaveCount(1);
    await composer(ann.page).press('Enter');
    await expect(button(`Download ${file.name}`)).toBeVisible();
  }

  await test.step('a sound', async () => {
    const still = link.pauseAfter('down', FIRST_BYTES);
    await button('Play song.wav').click();
    await still;
    await expect(button('Pause song.wav')).toBeVisible();
    const place = ben.page.getByRole('slider', { name: 'Place in song.wav' });
    await expect.poll(async () => Number(await place.inputValue())).toBeGreaterThan(0.5);
    await expect(button('Cancel song.wav')).toBeVisible();
    link.cut();
    await expect(button('Save song.wav')).toBeVisible();
    await expect(button('Pause song.wav')).toBeVisible();
    await place.fill('58');
    await expect.poll(async () => Number(await place.inputValue())).toBeGreaterThan(58);
  });

  await test.step('a film', async () => {
    const still = link.pauseAfter('down', FIRST_BYTES);
    await button('Play noise.webm').click();
    await still;
    const video = ben.page.getByLabel('noise.webm', { exact: true });
    const at = () => video.evaluate((each: HTMLVideoElement) => each.currentTime);
    await expect.poll(at).toBeGreaterThan(0);
    await expect(button('Cancel noise.webm')).toBeVisible();
    link.cut();
    await expect(button('Cancel noise.webm')).toHaveCount(0);
    await expect.poll(() => video.evaluate((each: HTMLVideoElement) => each.ended)).toBe(true);
  });
});
