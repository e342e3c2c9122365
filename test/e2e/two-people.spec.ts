import { temporaryFolder } from '../support/engine.ts';
import { freePort } from '../support/free-port.ts';
import { App } from './support/app.ts';
import { firstRun, messageTexts, send, startChat } from './support/pages.ts';
import { expect, test } from './support/watched.ts';
import { WaxwingProcess } from './support/waxwing.ts';

test('two people find each other and lose no message while every process is killed in between', async ({
  browser,
}) => {
  // Six starts of the app and two of the relay.
  test.slow();
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

  await test.step('Ann writes to Ben by his handle', async () => {
    await startChat(ann.page, '@ben');
    await send(ann.page, 'Hello Ben, it is Ann');
    await expect(ann.page.getByRole('article', { name: /Your message.*sent/ })).toBeVisible();
  });

  await test.step('Ben sees a request, also after his app was killed', async () => {
    await expect(ben.page.getByRole('button', { name: /Message requests/ })).toBeVisible();
    await ben.killAndStart();
    await ben.page.getByRole('button', { name: /Message requests/ }).click();
    await ben.page.getByRole('option', { name: /ann/ }).click();
    await expect(ben.page.getByRole('region', { name: 'Message request' })).toBeVisible();
    await expect(ben.page.locator('article[data-trust=verified]')).toBeVisible();
    await ben.page.getByRole('button', { name: 'Accept' }).click();
  });

  await test.step('Ben answers while the relay is down; the message is sent when the relay is back', async () => {
    await relay.stop('SIGKILL');
    await send(ben.page, 'Hello Ann, I was away');
    await expect(ben.page.getByRole('article', { name: /Your message.*sending/ })).toBeVisible();
    await ann.killAndStart();
    relay = startRelay();
    await relay.url();
    // Ann is online, and her status may arrive before anyone looks.
    await expect(ben.page.getByRole('article', { name: /Your message.*(?:sent|delivered)/ })).toBeVisible();
    await ann.page.getByRole('option', { name: /ben/ }).click();
    await expect(ann.page.getByRole('article').getByText('Hello Ann, I was away')).toBeVisible();
  });

  await test.step('every message is there once, on both sides, also after both are killed again', async () => {
    await send(ann.page, 'Now it works');
    await expect(ben.page.getByRole('article').getByText('Now it works')).toBeVisible();
    await ann.killAndStart();
    await ben.killAndStart();
    const all = ['Hello Ben, it is Ann', 'Hello Ann, I was away', 'Now it works'];
    for (const [app, name] of [
      [ann, /ben/],
      [ben, /ann/],
    ] as const) {
      await app.page.getByRole('option', { name }).click();
      await expect.poll(() => messageTexts(app.page)).toEqual(all);
    }
  });
});
