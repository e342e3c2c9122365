/** The page of an invite link at a relay, in a browser. */
import { formatInvite } from '../../src/protocol/invite.ts';
import { temporaryFolder } from '../support/engine.ts';
import { expectAccessible } from './support/accessible.ts';
import { expect, test } from './support/watched.ts';
import { WaxwingProcess } from './support/waxwing.ts';

const NAME = 'Invites & <Co>';
let folder: ReturnType<typeof temporaryFolder>;
let relay: WaxwingProcess;
let url: string;

test.beforeAll(async () => {
  folder = temporaryFolder();
  relay = new WaxwingProcess(['relay', '--port', '0', '--data', folder.path, '--name', NAME]);
  url = new URL(await relay.url()).origin;
});
test.afterAll(async () => {
  await relay.stop();
  folder[Symbol.dispose]();
});

const inviteWith = (invitation: string | null) =>
  formatInvite({
    ...{ to: 'person', address: `0x${'1a'.repeat(20)}`, token: 'A'.repeat(22), relay: url },
    ...{ relayKey: null, invitation },
  });

for (const [width, colorScheme] of [
  [360, 'light'],
  [1280, 'dark'],
] as const) {
  test(`fits ${width} pixels in ${colorScheme} colours, and loads only its own files`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    const invite = inviteWith(`inv_${'b'.repeat(43)}`);
    await page.goto(invite.url);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('You are invited to Waxwing');
    await expect(page.getByRole('link', { name: 'Open in Waxwing' })).toHaveAttribute('href', invite.app);
    await expect(page.getByText(NAME)).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    await expectAccessible(page);
    expect(requests.map((request) => new URL(request).pathname).sort()).toEqual(['/i', '/i.css', '/i.js']);
    expect(requests.every((request) => new URL(request).origin === url)).toBe(true);
  });
}

test('copies the link', async ({ page }) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const invite = inviteWith(null);
  await page.goto(invite.url);
  await page.getByRole('button', { name: 'Copy link' }).click();
  await expect(page.getByRole('status')).toHaveText('Link copied');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(invite.url);
});

test('copies the link without a query that another site has added', async ({ page }) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const invite = inviteWith(null);
  await page.goto(invite.url.replace('#', '?fbclid=1#'));
  await page.getByRole('button', { name: 'Copy link' }).click();
  await expect(page.getByRole('status')).toHaveText('Link copied');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(invite.url);
});

test('a link without a code, and a malformed one, are explained', async ({ page }) => {
  const open = page.getByText('Open in Waxwing');
  const good = inviteWith(null).url.split('#')[1] ?? '';
  const bad = [
    '"><img src=x>',
    `${good}/../x`,
    `${good}.inv_short`,
    `${good}?x=1`,
    `${good}.inv_${'b'.repeat(43)}.x`,
    good.slice(0, -8),
    good.slice(0, 30),
    'A'.repeat(2_049),
    'javascript:alert(1)',
  ];
  for (const [code, heading] of [
    ['', 'This page needs an invite link'],
    ...bad.map((code) => [code, 'This invite link does not work'] as const),
  ] as const) {
    await page.goto('about:blank');
    await page.goto(`${url}/i#${code}`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
    await expect(open).toBeHidden();
    expect(await page.locator('a[href^="waxwing"]').count()).toBe(0);
  }
  // Another link in the same tab.
  await page.evaluate((code) => {
    location.hash = code;
  }, good);
  await expect(open).toBeVisible();
  // The app explains it.
  await page.evaluate(() => {
    location.hash = 'CQwMDAwM';
  });
  await expect(page.getByRole('link', { name: 'Open in Waxwing' })).toHaveAttribute(
    'href',
    'waxwing:i/CQwMDAwM',
  );
});
