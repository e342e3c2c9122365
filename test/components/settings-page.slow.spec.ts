/**
 * Settings as a page: its sections, the search, one pane at a time in a narrow window, and the way back.
 */
import { expectWhole, settled } from '../e2e/support/accessible.ts';
import { openSettings } from '../e2e/support/pages.ts';
import { expect, test } from './support.ts';

const sections = [
  'Account',
  'Notifications',
  'Appearance',
  'Chats',
  'Privacy & lock',
  'Devices',
  'Server',
  'Storage',
  'API Settings',
  'Shortcuts',
  'About',
];

test('every section of Settings is complete and accessible', async ({ page, openScene }) => {
  test.slow();
  await openScene('desktop-windows');
  for (const section of sections) {
    await page.setViewportSize({ width: 1440, height: 900 });
    await openSettings(page, section);
    await expectWhole(page);
  }
});

test('every section of Settings fits in the pseudo-locale, from right to left', async ({
  page,
  openScene,
}) => {
  await openScene('desktop-windows', { lang: 'en-XB' });
  await expect(page.locator('[data-row]')).not.toHaveCount(0);
  await page.keyboard.press('Control+,');
  const places = page.getByRole('dialog').getByRole('navigation').getByRole('button');
  await expect(places).toHaveCount(sections.length);
  for (const place of await places.all()) {
    await page.setViewportSize({ width: 1440, height: 900 });
    await place.click();
    for (const width of [360, 800, 2560]) {
      await page.setViewportSize({ width, height: 900 });
      await settled(page);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      const panes = page.getByRole('dialog').locator('nav, nav + div');
      for (const pane of await panes.all()) {
        expect(await pane.evaluate((each) => each.scrollWidth - each.clientWidth)).toBe(0);
      }
    }
  }
});

/** Two words, and their results. */
const found = [
  ['display name', 'profile'],
  ['qr code', 'profile'],
  ['invite people', 'invites'],
  ['recovery phrase', 'phrase'],
  ['delete account', 'accountEnd'],
  ['hide message', 'notifications'],
  ['notify sound', 'sound'],
  ['not disturb', 'quietHours'],
  ['close window', 'keepRunning'],
  ['start login', 'startAtLogin'],
  ['dark mode', 'theme'],
  ['larger text', 'textSize'],
  ['compact rows', 'density'],
  ['lock minutes', 'appLock'],
  ['hide screenshots', 'screenshots'],
  ['unblock people', 'blocked'],
  ['who read', 'readers'],
  ['remove device', 'devices'],
  ['link computer', 'link'],
  ['lost laptop', 'stolen'],
  ['server status', 'serverAddress'],
  ['http proxy', 'proxy'],
  ['save backup', 'backup'],
  ['disk space', 'diskUse'],
  ['keep files', 'keepFiles'],
  ['import chat', 'importChat'],
  ['erase data', 'wipe'],
  ['api key', 'api'],
  ['keyboard shortcuts', 'shortcuts'],
  ['enter key', 'sendWith'],
  ['spell check', 'spelling'],
  ['delivered receipts', 'delivered'],
  ['read receipts', 'read'],
  ['link preview', 'linkPreviews'],
  ['disappearing default', 'timer'],
  ['badge number', 'badgeCounts'],
  ['muted mention', 'mentions'],
  ['version number', 'version'],
  ['beta releases', 'updates'],
  ['copy logs', 'help'],
] as const;

test('two words find any setting, and the result leads to it', async ({ page, openScene }) => {
  await openScene('desktop');
  await expect(page.locator('[data-row]')).not.toHaveCount(0);
  await page.keyboard.press('Control+,');
  const settings = page.getByRole('dialog', { name: 'Settings' });
  const search = settings.getByRole('searchbox', { name: 'Search settings' });
  await expect(search).toBeFocused();
  const names = new Set<string>();
  for (const [words, name] of found) {
    await search.fill(words);
    await search.press('Enter');
    const setting = settings.locator(`[data-setting=${name}]`);
    await expect(setting).toBeInViewport();
    await expect(setting.locator(':focus').or(setting.and(page.locator(':focus')))).toHaveCount(1);
    names.add(name);
  }
  for (const section of sections) {
    await search.fill('');
    await openSettings(page, section);
    const there = await settings
      .locator('[data-setting]')
      .evaluateAll((all) => all.map(({ dataset }) => dataset.setting));
    for (const name of there) expect(names, 'what the words lead to').toContain(name);
  }
});

for (const options of [{}, { lang: 'en-XB' }] as const)
  test(`the thumb of a switch stays in its track, with ${JSON.stringify(options)}`, async ({
    page,
    openScene,
  }) => {
    await openScene('desktop', options);
    await expect(page.locator('[data-row]')).not.toHaveCount(0);
    await page.keyboard.press('Control+,');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('navigation').getByRole('button').nth(sections.indexOf('Chats')).click();
    const choice = dialog.getByRole('switch').first();
    await expect(choice).toBeVisible();
    for (let press = 0; press < 2; press++) {
      await settled(page);
      const track = await choice.boundingBox();
      const thumb = await choice.locator('*').first().boundingBox();
      if (!track || !thumb) throw new Error('the switch is not drawn');
      expect(thumb.x).toBeGreaterThanOrEqual(track.x);
      expect(thumb.x + thumb.width).toBeLessThanOrEqual(track.x + track.width);
      await choice.press('Space');
    }
  });

test('locking without a passphrase opens the passphrase setting', async ({ page, openScene }) => {
  await openScene('unprotected');
  await expect(page.locator('[data-row]')).not.toHaveCount(0);
  await page.keyboard.press('Control+l');
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await expect(settings.getByRole('switch', { name: 'App lock' })).toBeFocused();
});
