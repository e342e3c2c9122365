/** Pictures and files between two people, in the real app under its own policy. */
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { choose, composer, picture, type TestFile, tray } from '../components/files.ts';
import { temporaryFolder } from '../support/engine.ts';
import { freePort } from '../support/free-port.ts';
import { App } from './support/app.ts';
import { firstRun, send, startChat } from './support/pages.ts';
import { expect, test } from './support/watched.ts';
import { WaxwingProcess } from './support/waxwing.ts';

/** Adds files, and waits for the tray. */
async function add(page: Page, ...files: TestFile[]): Promise<void> {
  await choose(page, ...files);
  await expect(tray(page).getByRole('listitem')).toHaveCount(files.length);
}

/** Waits until pictures are drawn from bytes of their files. */
async function expectDrawn(page: Page, count: number): Promise<void> {
  const drawn = page.locator('article img[src^="/files/"], article img[src*="://"][src*="/files/"]');
  await expect(drawn).toHaveCount(count);
  await expect
    .poll(() =>
      drawn.evaluateAll((all) => all.every((image) => (image as HTMLImageElement).naturalWidth > 0)),
    )
    .toBe(true);
}

test('a picture, an album and a document reach the other person, also after a kill and without the relay', async ({
  browser,
}) => {
  using relayData = temporaryFolder();
  const port = await freePort();
  const startRelay = () => new WaxwingProcess(['relay', '--port', String(port), '--data', relayData.path]);
  let relay = startRelay();
  await using resources = new AsyncDisposableStack();
  resources.defer(() => relay.stop());
  const url = await relay.url();
  await using ann = new App(await (await browser.newContext()).newPage(), url);
  await using ben = new App(await (await browser.newContext()).newPage(), url);
  await ann.start();
  await firstRun(ann.page, 'ann');
  await ben.start();
  await firstRun(ben.page, 'ben');
  await startChat(ann.page, '@ben');

  await test.step('a request shows no picture', async () => {
    await add(ann.page, await picture(ann.page, 'first.jpg', 'image/jpeg', [400, 300]));
    await composer(ann.page).press('Enter');
    await ben.page.getByRole('button', { name: /Message requests/ }).click();
    await ben.page.getByRole('option', { name: /ann/ }).click();
    await expect(ben.page.getByText('Accept the message request to see files.')).toBeVisible();
    await expect(ben.page.locator('article img')).toHaveCount(0);
    await ben.page.getByRole('button', { name: 'Accept' }).click();
  });

  await test.step('an album with a caption is drawn on both sides', async () => {
    const wide = await picture(ann.page, 'panorama.jpg', 'image/jpeg', [1_600, 400]);
    const tall = await picture(ann.page, 'tower.jpg', 'image/jpeg', [300, 900]);
    await add(ann.page, wide, tall);
    await composer(ann.page).fill('Two **views**');
    await composer(ann.page).press('Enter');
    const received = ben.page.getByRole('article').filter({ hasText: 'Two views' });
    await expect(received.locator('strong')).toHaveText('views');
    await expect(received.locator('img[src*="/files/"]')).toHaveCount(2);
  });

  await test.step('a document written while the relay is down arrives when it is back, byte by byte', async () => {
    await relay.stop('SIGKILL');
    const buffer = Buffer.from('%PDF-1.7 '.repeat(300_000));
    await add(ann.page, { name: 'report.pdf', mimeType: 'application/pdf', buffer });
    await composer(ann.page).press('Enter');
    await expect(ann.page.getByRole('article').filter({ hasText: 'report.pdf' })).toBeVisible();
    await send(ann.page, 'After the report');
    await expect(ann.page.getByRole('article').getByText('After the report')).toBeVisible();
    await ann.killAndStart();
    relay = startRelay();
    await relay.url();
    await expect(ben.page.getByRole('article').getByText('After the report')).toBeVisible();
    await ben.page.getByRole('button', { name: 'Download report.pdf' }).click();
    const [download] = await Promise.all([
      ben.page.waitForEvent('download'),
      ben.page.getByRole('button', { name: 'Save report.pdf' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('report.pdf');
    expect((await readFile(await download.path())).equals(buffer)).toBe(true);
  });

  await test.step('pictures are drawn again after both apps were killed', async () => {
    await ann.killAndStart();
    await ann.page.getByRole('option', { name: /ben/ }).click();
    await expectDrawn(ann.page, 3);
    await ben.killAndStart();
    await ben.page.getByRole('option', { name: /ann/ }).click();
    await expect(
      ben.page.getByRole('article').filter({ hasText: 'Two views' }).locator('img[src*="/files/"]'),
    ).toHaveCount(2);
  });
});
