/**
 * Settings as a page: its sections, the search, one pane at a time in a narrow window, and the way back.
 */
import { expectWhole } from '../e2e/support/accessible.ts';
import { announcements } from './announcer.ts';
import { expect, test } from './support.ts';

test('search results are counted, marked and reachable by keyboard; Escape empties the field, then leads back', async ({
  page,
  openScene,
}) => {
  await openScene('desktop');
  const opener = page.getByRole('button', { name: 'Settings' });
  await opener.focus();
  await page.keyboard.press('Control+,');
  const settings = page.getByRole('dialog', { name: 'Settings' });
  const search = settings.getByRole('searchbox');
  await search.fill('lock');
  await expect(settings.getByRole('status').first()).toHaveText(/^\d+ results$/);
  await expectWhole(page);
  await search.press('ArrowDown');
  const first = settings.getByRole('list', { name: 'Results' }).getByRole('button').first();
  await expect(first).toBeFocused();
  // The mark disappears by itself, so the test watches for it from before.
  const marked = await page.evaluateHandle(() => {
    const seen: { name: string | undefined } = { name: undefined };
    new MutationObserver((_, observer) => {
      const found = document.querySelector<HTMLElement>('[data-found]');
      if (!found) return;
      observer.disconnect();
      seen.name = found.dataset.setting;
    }).observe(document.body, { childList: true, subtree: true, attributes: true });
    return seen;
  });
  await page.keyboard.press('Enter');
  await expect(settings.getByRole('heading', { name: 'Privacy & lock', level: 3 })).toBeVisible();
  await expect.poll(() => marked.evaluate(({ name }) => name)).toBe('appLock');
  await expect(settings.locator('[data-found]')).toHaveCount(0);
  await page.setViewportSize({ width: 1440, height: 900 });
  await search.fill('no such thing');
  await expect(settings.getByRole('status').first()).toHaveText('No results for “no such thing”');
  await search.press('Escape');
  await expect(search).toHaveValue('');
  await search.press('Escape');
  await expect(settings).toHaveCount(0);
  await expect(opener).toBeFocused();
});

test('a section that is chosen in the list is announced, and the focus stays in the list', async ({
  page,
  openScene,
}) => {
  await openScene('desktop');
  await page.keyboard.press('Control+,');
  const settings = page.getByRole('dialog', { name: 'Settings' });
  const section = settings.getByRole('button', { name: 'Appearance' });
  await section.press('Enter');
  await expect(announcements(page)).toHaveText('Appearance');
  await expect(section).toBeFocused();
});

test('the address of the server can be copied', async ({ page, openScene }) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await openScene('one');
  await page.keyboard.press('Control+,');
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await settings.getByRole('button', { name: 'Server', exact: true }).press('Enter');
  const copy = settings.getByRole('button', { name: 'Copy server address' });
  const heights = await settings
    .locator('dt')
    .evaluateAll((all) => all.map(({ clientHeight }) => clientHeight));
  // The button makes its line no higher than the others.
  expect(new Set(heights).size).toBe(1);
  await copy.press('Enter');
  await expect(settings.getByRole('button', { name: 'Copied' })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^https?:\/\//);
});

test('a narrow window has one pane at a time, and going back keeps the place in the list', async ({
  page,
  openScene,
}) => {
  await page.setViewportSize({ width: 360, height: 780 });
  await openScene('desktop');
  await page.getByRole('button', { name: 'Settings' }).click();
  const settings = page.getByRole('dialog', { name: 'Settings' });
  const appearance = settings.getByRole('button', { name: 'Appearance' });
  for (const way of ['Back', 'Escape']) {
    await appearance.press('Enter');
    const title = settings.getByRole('heading', { name: 'Appearance', level: 3 });
    await expect(title).toBeFocused();
    await expect(appearance).toBeHidden();
    if (way === 'Back') await settings.getByRole('button', { name: 'Back' }).click();
    else await page.keyboard.press('Escape');
    await expect(title).toBeHidden();
    await expect(appearance).toBeFocused();
  }
  await page.keyboard.press('Escape');
  await expect(settings).toHaveCount(0);
});
