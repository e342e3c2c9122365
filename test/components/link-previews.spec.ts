/** Link previews while a message is written, and in messages. */
import type { Page } from '@playwright/test';
import { expectAccessible } from '../e2e/support/accessible.ts';
import { composer } from './files.ts';
import { answerDelayed, delay, expect, test, untilDelayed } from './support.ts';

const card = (page: Page) => page.getByRole('region', { name: 'Link preview' });
/** The hosts whose pages were fetched: each has its own picture (dev/fake/answers/files.ts). */
let fetched: string[];

test.beforeEach(async ({ page, openScene }) => {
  fetched = [];
  page.on('request', (request) => {
    const [, host] = /\/made\/320x200\/(.+)\.png$/.exec(request.url()) ?? [];
    if (host !== undefined) fetched.push(host);
  });
  await openScene('previews');
});

test('a link that is followed by a space has a preview, which is sent with a redrawn picture', async ({
  page,
}) => {
  await composer(page).pressSequentially('See https://one.example/a ');
  await expect(card(page)).toContainText('one.example');
  await expect(card(page).locator('img')).toBeVisible();
  await expectAccessible(page);
  await composer(page).press('Enter');
  await expect(card(page)).toBeHidden();
  const sent = page.getByRole('article').last();
  await expect(
    sent.getByRole('button', { name: 'Open one.example: Harbor club of one.example' }),
  ).toBeVisible();
  const picture = sent.locator('[data-preview] img');
  await expect(picture).toHaveJSProperty('naturalWidth', 192);
  expect(fetched).toEqual(['one.example']);
});

test('a link at the end has a preview after a pause, and none is fetched for its beginning or for code', async ({
  page,
}) => {
  await composer(page).fill('`https://code.example/` ');
  await composer(page).fill('See https://two.exa');
  await composer(page).fill('See https://two.example');
  await expect(card(page)).toContainText('Harbor club of two.example');
  expect(fetched).toEqual(['two.example']);
});

test('a removed preview does not return for its link, and the focus is in the field', async ({ page }) => {
  await composer(page).fill('https://one.example/ ');
  await card(page).getByRole('button', { name: 'Remove preview' }).click();
  await expect(card(page)).toBeHidden();
  await expect(composer(page)).toBeFocused();
  await composer(page).fill('https://one.example/ and more ');
  await composer(page).fill('https://three.example/ ');
  await expect(card(page)).toContainText('three.example');
  expect(fetched).toEqual(['one.example', 'three.example']);
});

test('a message does not wait for its preview', async ({ page }) => {
  await delay(page, 'links.preview');
  await composer(page).fill('https://one.example/ ');
  await untilDelayed(page);
  await composer(page).press('Enter');
  await expect(page.getByRole('article').last()).toContainText('https://one.example/');
  await answerDelayed(page);
  await expect(card(page)).toBeHidden();
  await expect(page.getByRole('article').last().locator('[data-preview]')).toHaveCount(0);
});

test('C12: nothing is fetched while the setting is off', async ({ page }) => {
  await page.evaluate(() => window.waxwing.calls['settings.set']({ linkPreviews: false }));
  await composer(page).fill('https://one.example/ ');
  await composer(page).press('Enter');
  await expect(page.getByRole('article').last()).toContainText('https://one.example/');
  expect(fetched).toEqual([]);
});

test('a preview in a message asks before it opens its link, and loads nothing', async ({ page }) => {
  const requests: string[] = [];
  page.on('request', (request) => {
    // The font of the address in the question.
    if (!request.url().includes('/assets/')) requests.push(request.url());
  });
  await page
    .getByRole('button', { name: /^Open example.org/ })
    .first()
    .click();
  await expect(page.getByRole('alertdialog')).toContainText('example.org/harbor/tides?month=march');
  expect(requests).toEqual([]);
});
