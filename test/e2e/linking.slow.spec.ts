import type { Browser, Page } from '@playwright/test';
import decodeQR from 'qr/decode.js';
import { type Relay, startRelay } from '../../src/relay/index.ts';
import { temporaryFolder } from '../support/engine.ts';
import { freePort } from '../support/free-port.ts';
import { expectAccessible, expectWhole } from './support/accessible.ts';
import { App } from './support/app.ts';
import {
  confirmLink,
  enterCode,
  linkComputer,
  linkDialog,
  openLinking,
  readCode,
  showCode,
} from './support/linking.ts';
import { acceptRequest, firstRun, messageTexts, openSettings, send, startChat } from './support/pages.ts';
import { expect, test } from './support/watched.ts';
import { PASSPHRASE, WaxwingProcess } from './support/waxwing.ts';

/** A relay whose clock can be advanced, and which can be offline for a while. */
class MovableRelay {
  readonly #folder = temporaryFolder();
  readonly #port: number;
  #relay: Relay | null = null;
  ahead = 0;

  constructor(port: number) {
    this.#port = port;
  }

  async start(): Promise<string> {
    const clock = () => Date.now() + this.ahead;
    this.#relay = await startRelay({ dataDirectory: this.#folder.path, port: this.#port, clock });
    return this.#relay.url;
  }

  async stop(): Promise<void> {
    await this.#relay?.close();
    this.#relay = null;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    this.#folder[Symbol.dispose]();
  }
}

let resources: AsyncDisposableStack;
let relay: MovableRelay;
let url: string;
test.beforeEach(async () => {
  test.slow();
  resources = new AsyncDisposableStack();
  relay = resources.use(new MovableRelay(await freePort()));
  url = await relay.start();
});
test.afterEach(() => resources.disposeAsync());

/** Text of the QR code on the page. */
async function readQrCode(page: Page): Promise<string> {
  const picture = page.getByRole('img', { name: /QR code/ });
  const size = Number((await picture.getAttribute('viewBox'))?.split(' ')[2]);
  const path = (await picture.locator('path').getAttribute('d')) ?? '';
  const scale = 4;
  const width = size * scale;
  const data = new Uint8Array(width * width * 4).fill(255);
  for (const [, x, y] of path.matchAll(/M(\d+) (\d+)h1v1h-1z/g)) {
    for (let row = 0; row < scale; row++) {
      const start = ((Number(y) * scale + row) * width + Number(x) * scale) * 4;
      for (let pixel = 0; pixel < scale; pixel++) data.fill(0, start + pixel * 4, start + pixel * 4 + 3);
    }
  }
  return decodeQR({ width, height: width, data });
}

async function newApp(browser: Browser): Promise<App> {
  const app = resources.use(new App(await (await browser.newContext()).newPage(), url));
  await app.start();
  return app;
}

test('a new computer is linked by its code, gets the messages, and both show later ones of either', async ({
  browser,
}) => {
  const laptop = await newApp(browser);
  const noted: string[] = [];
  await firstRun(laptop.page, 'ann', noted);
  const ben = await newApp(browser);
  await firstRun(ben.page, 'ben');
  await startChat(laptop.page, '@ben');
  await send(laptop.page, 'Before the link');
  await acceptRequest(ben.page, /ann/);

  const desktop = await newApp(browser);
  const code = await showCode(desktop.page);
  expect(await readQrCode(desktop.page)).toBe(`waxwing:link/${code}`);
  await expect(desktop.page.getByRole('timer')).toHaveText(/^The code expires in (?:10:00|9:\d\d)\.$/);
  await expectAccessible(desktop.page);
  await expectWhole(desktop.page);

  await openLinking(laptop.page);
  const dialog = linkDialog(laptop.page);
  await expect(dialog).toContainText(url);
  const field = dialog.getByRole('textbox', { name: 'Code on the new computer' });
  const submit = dialog.getByRole('button', { name: 'Continue' });
  await field.fill(code.slice(0, 12));
  await expect(dialog.getByText('A code has 28 letters and digits. This one has 10.')).toBeVisible();
  await field.fill(code.slice(0, -1) + (code.endsWith('0') ? '1' : '0'));
  await expect(dialog.getByText(/is mistyped\. Compare it/)).toBeVisible();
  await expect(submit).toBeDisabled();
  await field.fill(code.toLowerCase().replaceAll('-', ' '));
  await expect(dialog.getByText('Code complete')).toBeVisible();
  await expectWhole(laptop.page);
  await submit.click();
  await expect(dialog).toContainText('A computer named Waxwing (');
  await expect(dialog).toContainText(
    'That computer will read and write as you. Link only one in front of you.',
  );
  await expectAccessible(laptop.page);
  await expectWhole(laptop.page);
  await laptop.page.getByLabel('Your passphrase').fill('something else');
  await dialog.getByRole('button', { name: 'Link computer' }).click();
  await expect(laptop.page.getByLabel('Your passphrase')).toHaveAccessibleDescription(/passphrase/);
  await confirmLink(laptop.page);
  await expectWhole(laptop.page);

  await expect(desktop.page.getByRole('heading', { name: 'Join as @ann?' })).toBeVisible();
  const address = await dialog.locator('code .sr-only').innerText();
  await expect(desktop.page.locator('code .sr-only')).toHaveText(address);
  await expectAccessible(desktop.page);
  await expectWhole(desktop.page);
  await desktop.page.getByRole('button', { name: 'Join', exact: true }).click();
  await expect(desktop.page.getByRole('button', { name: 'New chat' }).first()).toBeVisible();
  const strip = desktop.page.getByRole('complementary', { name: 'Messages from your other computer' });
  await expect(strip).toContainText('The messages of your other computer are here.');
  await expectWhole(desktop.page);
  await strip.getByRole('button', { name: 'Hide' }).click();
  await expect(strip).toBeHidden();
  await expect(dialog).toContainText(/Waxwing \(.*\) \([\w-]{8}\) is linked/);
  await expectWhole(laptop.page);
  await dialog.getByRole('button', { name: 'Done' }).click();

  const devices = laptop.page.getByRole('list', { name: 'Your devices' }).getByRole('listitem');
  await expect(devices).toHaveCount(2);
  await expect(devices.first()).toContainText('Keeps recovery phrase');
  await laptop.page.setViewportSize({ width: 1280, height: 800 });
  await laptop.page.keyboard.press('Escape');
  await send(laptop.page, 'From the laptop');
  await desktop.page.getByRole('option', { name: /ben/ }).click();
  await expect.poll(() => messageTexts(desktop.page)).toEqual(['Before the link', 'From the laptop']);
  await send(desktop.page, 'From the desktop');
  const all = ['Before the link', 'From the laptop', 'From the desktop'];
  await expect.poll(() => messageTexts(laptop.page)).toEqual(all);
  await expect.poll(() => messageTexts(desktop.page)).toEqual(all);
  await expect.poll(() => messageTexts(ben.page)).toEqual(all);
  await expect(ben.page.getByText(/^@?ann’s devices changed on/)).toBeVisible();

  // The linked computer has no recovery phrase: the person enters the written one to remove the other computer.
  await openSettings(desktop.page, 'Account');
  await expect(desktop.page.getByText('Your recovery phrase isn’t kept on this computer.')).toBeVisible();
  await openSettings(desktop.page, 'Devices');
  const itsDevices = desktop.page.getByRole('list', { name: 'Your devices' }).getByRole('listitem');
  await expect(itsDevices.first()).toContainText('No recovery phrase');
  await itsDevices.getByRole('button', { name: /^Remove / }).click();
  await desktop.page.getByLabel('Recovery phrase or private key').fill(noted.join(' '));
  await expectAccessible(desktop.page);
  await expectWhole(desktop.page);
  await itsDevices.getByRole('button', { name: 'Remove device' }).click();
  await expect(itsDevices).toHaveCount(1);
});

test('an expired code links nothing, and a new one does', async ({ browser }) => {
  const laptop = await newApp(browser);
  await firstRun(laptop.page, 'ann');
  const desktop = await newApp(browser);
  const expired = await showCode(desktop.page);
  // The page's clock stops here: the engine's clock was not advanced, so the new code would be expired as
  // soon as it is shown.
  await desktop.page.clock.setFixedTime(Date.now() + 10 * 60_000);
  await expect(desktop.page.getByText('This code expired.')).toBeVisible();
  await expectWhole(desktop.page);
  relay.ahead += 10 * 60_000;
  await openLinking(laptop.page);
  await enterCode(laptop.page, expired);
  await expect(
    laptop.page.getByRole('textbox', { name: 'Code on the new computer' }),
  ).toHaveAccessibleDescription(/No computer waits with this code/);
  await desktop.page.getByRole('button', { name: 'Show new code' }).click();
  await expect(desktop.page.getByRole('timer')).toBeVisible();
  expect(await readCode(desktop.page)).not.toBe(expired);
  await enterCode(laptop.page, await readCode(desktop.page));
  await expect(linkDialog(laptop.page)).toContainText('A computer named');
});

test('linking without the relay does nothing and loses nothing', async ({ browser }) => {
  const laptop = await newApp(browser);
  await firstRun(laptop.page, 'ann');
  const desktop = await newApp(browser);
  const code = await showCode(desktop.page);
  await openLinking(laptop.page);
  await enterCode(laptop.page, code);
  await expect(linkDialog(laptop.page)).toContainText('A computer named');
  await relay.stop();
  const passphrase = laptop.page.getByLabel('Your passphrase');
  await passphrase.fill(PASSPHRASE);
  await linkDialog(laptop.page).getByRole('button', { name: 'Link computer' }).click();
  await expect(passphrase).toHaveAccessibleDescription(/server/);
  await expectWhole(laptop.page);
  await relay.start();
  await confirmLink(laptop.page);
  await desktop.page.getByRole('button', { name: 'Join', exact: true }).click();
  await expect(desktop.page.getByRole('button', { name: 'New chat' }).first()).toBeVisible();
});

test('removing the recovery phrase from this computer takes two steps, and needs the phrase', async ({
  browser,
}) => {
  const laptop = await newApp(browser);
  const noted: string[] = [];
  await firstRun(laptop.page, 'ann', noted);
  const { page } = laptop;
  await openSettings(page, 'Account');
  await page.getByRole('button', { name: 'Remove recovery phrase' }).click();
  await expect(page.getByText('your notes are the only copy')).toBeVisible();
  await expectWhole(page);
  await page.getByRole('button', { name: 'Continue' }).click();
  const phrase = page.getByLabel('Recovery phrase or private key');
  const passphrase = page.getByLabel('Your passphrase');
  const remove = page.getByRole('button', { name: 'Remove recovery phrase', exact: true });
  await phrase.fill('abandon ability');
  await passphrase.fill(PASSPHRASE);
  await remove.click();
  await expect(passphrase).toHaveAccessibleDescription(/A recovery phrase has 12 or 24 words/);
  await phrase.fill(noted.join(' '));
  await passphrase.fill('something else');
  await remove.click();
  await expect(passphrase).toHaveAccessibleDescription(/isn’t the passphrase/);
  await expectAccessible(page);
  await passphrase.fill(PASSPHRASE);
  await remove.click();
  await expect(page.getByText('Your recovery phrase isn’t kept on this computer.')).toBeVisible();
  await expectWhole(page);
});

test('recovery by phrase on a new computer asks which devices stay', async ({ browser }) => {
  const laptop = await newApp(browser);
  const noted: string[] = [];
  await firstRun(laptop.page, 'ann', noted);
  const desktop = await newApp(browser);
  await linkComputer(laptop.page, desktop.page);
  const { page } = await newApp(browser);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('radio', { name: 'Recover my account' }).check();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('Recovery phrase or private key').fill(noted.join(' '));
  await page.getByRole('button', { name: 'Recover account' }).click();
  await expect(page.getByRole('heading', { name: 'Your other devices' })).toBeVisible();
  const boxes = page.getByRole('checkbox');
  await expect(boxes).toHaveCount(2);
  await boxes.first().uncheck();
  await expectAccessible(page);
  await expectWhole(page);
  await page.getByRole('button', { name: 'Recover account' }).click();
  await expect(page.getByRole('heading', { name: 'Restore your messages' })).toBeVisible();
  await expectAccessible(page);
  await expectWhole(page);
  await page.getByRole('button', { name: 'Continue without a backup' }).click();
  await expect(page.getByRole('button', { name: 'New chat' }).first()).toBeVisible();
  await openSettings(page, 'Devices');
  await expect(page.getByRole('list', { name: 'Your devices' }).getByRole('listitem')).toHaveCount(2);
});

test('starting with the relay on this computer explains how to choose the other one', async ({ page }) => {
  const folder = resources.use(temporaryFolder());
  const serve = resources.use(new WaxwingProcess(['serve', '--data', folder.path]));
  await page.goto(await serve.url());
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('radio', { name: 'Link this computer' }).check();
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('alert')).toContainText(
    'Go back to the first step and choose the server that your other computer uses.',
  );
  await expect(page.getByRole('button', { name: 'Show code' })).toBeDisabled();
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByRole('radio', { name: 'Server address' }).check();
  await page.getByRole('textbox', { name: 'Server address' }).fill(url);
  await expect(page.getByText(/^Found /)).toBeVisible();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Show code' }).click();
  await readCode(page);
});
