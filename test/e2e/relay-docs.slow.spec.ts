import { temporaryFolder } from '../support/engine.ts';
import { expectAccessible, ofColours } from './support/accessible.ts';
import { expect, test } from './support/watched.ts';
import { WaxwingProcess } from './support/waxwing.ts';

let folder: ReturnType<typeof temporaryFolder>;
let relay: WaxwingProcess;

test.beforeAll(() => {
  folder = temporaryFolder();
  relay = new WaxwingProcess(['relay', '--port', '0', '--data', folder.path, '--name', 'Docs & <Co>']);
});
test.afterAll(async () => {
  await relay.stop();
  folder[Symbol.dispose]();
});

for (const width of [360, 1440]) {
  test(`the relay’s page fits ${width} pixels, is accessible, and loads nothing else`, async ({ page }) => {
    test.slow(); // axe looks at every one of some thousand elements
    const url = await relay.url();
    await page.setViewportSize({ width, height: 900 });
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await page.goto(url);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Docs & <Co>');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    // The width changes no colour, and a check of some thousand elements needs half a minute.
    const colorScheme = width === 360 ? 'light' : 'dark';
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page, colorScheme === 'light' ? [] : ofColours);
    expect(requests.map((request) => new URL(request).href)).toEqual([new URL(url).href]);
  });
}

test('every link of the relay’s page has a target, and every anchor is unique', async ({ page }) => {
  const url = await relay.url();
  await page.goto(url);
  const { ids, targets } = await page.evaluate(() => ({
    ids: [...document.querySelectorAll('[id]')].map(({ id }) => id),
    targets: [...document.querySelectorAll('a')].map((link) => link.getAttribute('href') ?? ''),
  }));
  expect(ids.length).toBe(new Set(ids).size);
  const anchors = targets.filter((target) => target.startsWith('#')).map((target) => target.slice(1));
  expect(anchors.filter((anchor) => !ids.includes(anchor))).toEqual([]);
  for (const target of targets.filter((other) => !other.startsWith('#'))) {
    expect((await page.request.get(new URL(target, url).href)).status()).toBe(200);
  }
});

test('the contents lead to an endpoint, also on a narrow screen', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 780 });
  await page.goto(await relay.url());
  await page.getByText('Contents', { exact: true }).click();
  await page.getByRole('navigation').getByRole('link', { name: 'POST /envelopes' }).click();
  await expect(page.getByRole('heading', { name: 'POST /api/v1/envelopes' })).toBeInViewport();
});

test('a block of code is copied with one click', async ({ browser }) => {
  const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
  const page = await context.newPage();
  await page.goto(await relay.url());
  const copy = page.getByRole('button', { name: 'Copy: send.mjs' });
  await copy.click();
  await expect(copy).toHaveText('Copied');
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toContain('import {\n  createCipheriv');
  await context.close();
});
