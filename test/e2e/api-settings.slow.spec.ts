import { waxwing } from '../support/waxwing-command.ts';
import { settled } from './support/accessible.ts';
import { App, OwnRelay } from './support/app.ts';
import { openSettings, send } from './support/pages.ts';
import { expect, test } from './support/watched.ts';

test('the account unlocks API access; a key is shown once, works, and is revoked', async ({ browser }) => {
  test.slow();
  await using relay = new OwnRelay();
  const url = await relay.url();
  await using ann = await App.newcomer(browser, url, 'ann');
  const { page } = ann;
  const me = (secret: string) =>
    fetch(`${url}/api/v1/me`, { headers: { authorization: `Bearer ${secret}` } });

  await openSettings(page, 'Devices');
  await expect(page.getByRole('list', { name: 'Your devices' }).getByRole('listitem')).toContainText(
    'This computer',
  );
  await openSettings(page, 'API Settings');
  await expect(page.getByText('Developer API access is locked')).toBeVisible();
  await page.getByRole('button', { name: 'Unlock API access' }).click();
  await expect(page.getByRole('alertdialog')).toContainText('only the server confirms');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Unlock API access' }).click();
  await expect(page.getByText('No API keys yet')).toBeVisible();
  await expect(page.getByRole('link', { name: 'How to use the API' })).toHaveAttribute('href', `${url}/`);

  await page.getByRole('button', { name: 'New API key' }).click();
  await page.getByRole('textbox', { name: 'Key name' }).fill('nightly build');
  await page.getByRole('checkbox', { name: /Post in your groups/ }).uncheck();
  await page.getByText('30 days', { exact: true }).click();
  await page.getByRole('button', { name: 'Create key' }).click();

  const dialog = page.getByRole('alertdialog');
  const secret = (await dialog.getByText(/^sk_live_/).innerText()).trim();
  await page.keyboard.press('Escape');
  await page.mouse.click(3, 3);
  for (const keys of ['Control+,', 'Control+k']) await page.keyboard.press(keys);
  await settled(page);
  await expect(dialog).toBeVisible();
  await expect(dialog).toContainText(`curl ${url}/api/v1/me`);
  await dialog.getByRole('checkbox').check();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(dialog).toBeHidden();
  expect(await page.content()).not.toContain(secret);

  const row = page.getByRole('list', { name: 'API keys' }).getByRole('listitem');
  await expect(row).toContainText(secret.slice(0, 12));
  await expect(row).toContainText('Expires');
  await expect(row).not.toContainText('groups:send');
  const answer = await me(secret);
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({ handle: 'ann', credential: { name: 'nightly build' } });

  await row.getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('button', { name: 'Revoke key' }).click();
  await expect(row).toContainText('Revoked');
  expect((await me(secret)).status).toBe(401);

  await page.getByRole('button', { name: 'Lock API access' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Lock API access' }).click();
  await openSettings(page, 'API Settings');
  await expect(page.getByText('Developer API access is locked')).toBeVisible();
});

test('a message of one’s own program is shown as one’s own, unlike that of the other person', async ({
  browser,
}) => {
  test.slow();
  await using relay = new OwnRelay();
  const url = await relay.url();
  await using _ben = await App.newcomer(browser, url, 'ben');
  await using ann = await App.newcomer(browser, url, 'ann');
  const { page } = ann;
  await page.getByRole('button', { name: 'New chat' }).first().click();
  await page.getByRole('textbox', { name: 'To', exact: true }).fill('ben');
  await page.keyboard.press('Enter');
  await send(page, 'From the app');

  await openSettings(page, 'API Settings');
  await page.getByRole('button', { name: 'Unlock API access' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Unlock API access' }).click();
  await page.getByRole('button', { name: 'New API key' }).click();
  // A character that reverses the text direction, as it may be pasted with a name.
  await page.getByRole('textbox', { name: 'Key name' }).fill('night\u202ely build');
  await page.getByRole('button', { name: 'Create key' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'New API key: nightly build' });
  const secret = (await dialog.getByText(/^sk_live_/).innerText()).trim();
  await dialog.getByRole('checkbox').check();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.keyboard.press('Escape');
  const env = { WAXWING_RELAY: url, WAXWING_API_KEY: secret };
  expect((await waxwing(['send', '@ben', 'From a script'], { env })).code).toBe(0);

  await page
    .getByRole('option', { name: /^@?ben/ })
    .first()
    .click();
  const middle = async (text: string) => {
    const box = await page.getByRole('article').getByText(text).boundingBox();
    return box ? box.x + box.width / 2 : 0;
  };
  const messages = await page.getByRole('region', { name: 'Messages' }).boundingBox();
  const centre = messages ? messages.x + messages.width / 2 : 0;
  await expect(page.getByRole('article', { name: /^Your message/ })).toHaveCount(2);
  expect(await middle('From the app')).toBeGreaterThan(centre);
  expect(await middle('From a script')).toBeGreaterThan(centre);
  await expect(page.getByText('API · No device signed this')).toBeVisible();
});
