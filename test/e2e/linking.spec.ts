import { type Browser, expect, type Page, test } from '@playwright/test';
import decodeQR from 'qr/decode.js';
import { deriveLink, parseLinkCode } from '../../src/protocol/link.ts';
import { type Relay, startRelay } from '../../src/relay/index.ts';
import { temporaryFolder } from '../support/engine.ts';
import { expectAccessible, expectWhole } from './support/accessible.ts';
import { App } from './support/app.ts';
import { goToLinkStep, openLinking, showCode, tryCode } from './support/linking.ts';
import { firstRun, messageTexts, send } from './support/pages.ts';
import { freePort, PASSPHRASE, WaxwingProcess } from './support/waxwing.ts';

/** A relay whose clock can be moved, and which can be away for a while. */
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

/** What the code on the page says to a camera. */
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

test('another computer is linked by a code; it begins empty, and both show what either writes', async ({
  browser,
}) => {
  const laptop = await newApp(browser);
  await firstRun(laptop.page, 'ann');
  const ben = await newApp(browser);
  await firstRun(ben.page, 'ben');
  await laptop.page.getByRole('button', { name: 'New chat' }).first().click();
  await laptop.page.getByRole('textbox', { name: 'To', exact: true }).fill('@ben');
  await laptop.page.getByRole('button', { name: 'Start chat', exact: true }).click();
  await send(laptop.page, 'Before the link');
  await ben.page.getByRole('button', { name: /Message requests/ }).click();
  await ben.page.getByRole('button', { name: /ann/ }).click();
  await ben.page.getByRole('button', { name: 'Accept' }).click();

  await openLinking(laptop.page);
  const dialog = laptop.page.getByRole('dialog', { name: 'Link a computer' });
  await expect(dialog).toContainText('Anyone who has the code within ten minutes can use your account.');
  await expect(dialog).toContainText(url);
  const code = await showCode(laptop.page);
  expect(await readQrCode(laptop.page)).toBe(`waxwing:link/${code}`);
  await expect(dialog.getByRole('timer')).toHaveText(/^The code expires in (?:10:00|9:\d\d)\.$/);

  const desktop = await newApp(browser);
  await goToLinkStep(desktop.page);
  const field = desktop.page.getByRole('textbox', { name: 'One-time code' });
  const submit = desktop.page.getByRole('button', { name: 'Link this computer' });
  await field.fill(code.slice(0, 12));
  await expect(desktop.page.getByText('A code has 28 letters and digits. This one has 10.')).toBeVisible();
  await field.fill(code.slice(0, -1) + (code.endsWith('0') ? '1' : '0'));
  await expect(desktop.page.getByText(/is mistyped\. Compare it/)).toBeVisible();
  await expect(submit).toBeDisabled();
  await field.fill(code.toLowerCase().replaceAll('-', ' '));
  await expect(desktop.page.getByText('Code complete')).toBeVisible();
  await desktop.page.keyboard.press('Enter');
  await expect(desktop.page.getByRole('button', { name: 'New chat' }).first()).toBeVisible();
  await expect(desktop.page.getByText('Before the link')).toHaveCount(0);

  await expect(dialog).toContainText(/Another computer \([\w-]{8}\) is linked/);
  await expectWhole(laptop.page);
  await dialog.getByRole('button', { name: 'Done' }).click();
  const devices = laptop.page.getByRole('list', { name: 'Your devices' }).getByRole('listitem');
  await expect(devices).toHaveCount(2);
  await devices.getByRole('button', { name: 'Remove' }).click();
  const question = laptop.page.getByRole('alertdialog', { name: 'Remove this device?' });
  await expect(question).toContainText('removing it isn’t enough');
  await expect(question).toContainText('start a new account');
  await expectAccessible(laptop.page);
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(question).toBeHidden();
  await expectWhole(laptop.page);
  await laptop.page.setViewportSize({ width: 1280, height: 800 });
  await laptop.page.keyboard.press('Escape');

  await send(laptop.page, 'From the laptop');
  await desktop.page.getByRole('button', { name: /ben/ }).click();
  await expect.poll(() => messageTexts(desktop.page)).toEqual(['From the laptop']);
  await send(desktop.page, 'From the desktop');
  const all = ['Before the link', 'From the laptop', 'From the desktop'];
  await expect.poll(() => messageTexts(laptop.page)).toEqual(all);
  await expect.poll(() => messageTexts(ben.page)).toEqual(all);
  await expect(ben.page.getByText(/^@?ann’s devices changed on/)).toBeVisible();

  const third = await newApp(browser);
  await goToLinkStep(third.page);
  await tryCode(third.page, code);
  await expect(third.page.getByRole('alert')).toContainText('This code was used, canceled or expired');
});

test('a code that was cancelled, replaced by leaving, or has expired opens nothing', async ({ browser }) => {
  const laptop = await newApp(browser);
  await firstRun(laptop.page, 'ann');
  const desktop = await newApp(browser);
  await goToLinkStep(desktop.page);
  const refused = async (code: string) => {
    await tryCode(desktop.page, code);
    await expect(desktop.page.getByRole('alert')).toContainText('This code was used, canceled or expired');
  };

  await openLinking(laptop.page);
  const cancelled = await showCode(laptop.page);
  await laptop.page.getByRole('button', { name: 'Cancel code' }).click();
  await refused(cancelled);

  await laptop.page.getByRole('button', { name: 'Link a computer' }).click();
  const left = await showCode(laptop.page);
  await laptop.page.keyboard.press('Control+k');
  await expect(laptop.page.getByRole('dialog', { name: 'Link a computer' })).toBeHidden();
  await expect(async () => refused(left)).toPass();
  await laptop.page.keyboard.press('Escape');

  await laptop.page.clock.install();
  await openLinking(laptop.page);
  const expired = await showCode(laptop.page);
  await laptop.page.clock.fastForward('10:00');
  await expect(laptop.page.getByText('This code expired.')).toBeVisible();
  await expectWhole(laptop.page);
  relay.ahead += 10 * 60_000;
  await refused(expired);
});

test('a code that someone took and that no device shows for is not passed over in silence', async ({
  browser,
}) => {
  const laptop = await newApp(browser);
  await firstRun(laptop.page, 'ann');
  await openLinking(laptop.page);
  const code = await showCode(laptop.page);
  const { id } = deriveLink(parseLinkCode(code));
  expect((await fetch(`${url}/api/v1/links/${id}`)).status).toBe(200);
  await laptop.page.getByRole('button', { name: 'Cancel code' }).click();
  await expect(laptop.page.getByText('The code was used before you canceled it.')).toBeVisible();
  await expectWhole(laptop.page);
});

test('offline, no code is made and none is lost; a code works when the relay is back', async ({
  browser,
}) => {
  const laptop = await newApp(browser);
  await firstRun(laptop.page, 'ann');
  const desktop = await newApp(browser);
  await goToLinkStep(desktop.page);
  await openLinking(laptop.page);
  await relay.stop();
  const passphrase = laptop.page.getByLabel('Your passphrase');
  await passphrase.fill('something else');
  await laptop.page.getByRole('button', { name: 'Show code' }).click();
  await expect(passphrase).toHaveAccessibleDescription(/passphrase/);
  await passphrase.fill(PASSPHRASE);
  await laptop.page.getByRole('button', { name: 'Show code' }).click();
  await expect(passphrase).toHaveAccessibleDescription(/server/);
  await relay.start();
  const code = await showCode(laptop.page);
  await relay.stop();
  await tryCode(desktop.page, code);
  await expect(desktop.page.getByRole('alert')).toContainText('No server answers at this address.');
  await expect(
    laptop.page.getByRole('dialog', { name: 'Link a computer' }).getByRole('status'),
  ).toContainText('server');
  await expectWhole(laptop.page);
  await relay.start();
  await desktop.page.getByRole('button', { name: 'Link this computer' }).click();
  await expect(desktop.page.getByRole('button', { name: 'New chat' }).first()).toBeVisible();
  await expect(laptop.page.getByText(/Another computer .* is linked/)).toBeVisible();
});

test('who begins with the relay on this computer is told to choose the other one, and goes on from there', async ({
  browser,
  page,
}) => {
  const laptop = await newApp(browser);
  await firstRun(laptop.page, 'ann');
  const folder = resources.use(temporaryFolder());
  const serve = resources.use(new WaxwingProcess(['serve', '--data', folder.path]));
  await page.goto(await serve.url());
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('radio', { name: 'Link this computer' }).check();
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('alert')).toContainText('Choose the same server as on your other computer.');
  await openLinking(laptop.page);
  const code = await showCode(laptop.page);
  await page.getByRole('textbox', { name: 'One-time code' }).fill(code);
  await expect(page.getByText('Code complete')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Link this computer' })).toBeDisabled();

  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByRole('radio', { name: 'Server address' }).check();
  await page.getByRole('textbox', { name: 'Server address' }).fill(url);
  await expect(page.getByText(/^Found /)).toBeVisible();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('textbox', { name: 'One-time code' })).toHaveValue(code);
  await page.getByRole('button', { name: 'Link this computer' }).click();
  await expect(page.getByRole('button', { name: 'New chat' }).first()).toBeVisible();
  await expect(laptop.page.getByText(/Another computer .* is linked/)).toBeVisible();
});
