import { expect, test } from '@playwright/test';
import { temporaryFolder } from '../support/engine.ts';
import { expectWhole } from './support/accessible.ts';
import { App } from './support/app.ts';
import { firstRun } from './support/pages.ts';
import { WaxwingProcess } from './support/waxwing.ts';

test('API access is unlocked by the wallet; a key is shown once, works, and is revoked', async ({
  browser,
}) => {
  test.slow();
  using data = temporaryFolder();
  const relay = new WaxwingProcess(['relay', '--port', '0', '--data', data.path]);
  await using resources = new AsyncDisposableStack();
  resources.defer(() => relay.stop());
  const url = await relay.url();
  await using ann = new App(await (await browser.newContext()).newPage(), url);
  const { page } = ann;
  await ann.start();
  await firstRun(page, 'ann');
  const me = (secret: string) =>
    fetch(`${url}/api/v1/me`, { headers: { authorization: `Bearer ${secret}` } });

  await page.getByRole('button', { name: 'Settings' }).click();
  await expect(page.getByRole('list', { name: 'Your devices' }).getByRole('listitem')).toContainText(
    'This device',
  );
  await expect(page.getByText('Developer API access is locked')).toBeVisible();
  await page.getByRole('button', { name: 'Unlock' }).click();
  await expect(page.getByRole('alertdialog')).toContainText('Your wallet signs');
  await page.getByRole('button', { name: 'Sign and unlock' }).click();
  await expect(page.getByText('You have made no key yet.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'How to use the API' })).toHaveAttribute('href', `${url}/`);

  await page.getByRole('button', { name: 'New API key' }).click();
  await page.getByRole('textbox', { name: 'What it is for' }).fill('nightly build');
  await page.getByRole('checkbox', { name: /Post into your groups/ }).uncheck();
  await page.getByText('30 days', { exact: true }).click();
  await expectWhole(page);
  await page.getByRole('button', { name: 'Create key' }).click();

  const dialog = page.getByRole('alertdialog');
  const secret = (await dialog.getByText(/^sk_live_/).innerText()).trim();
  await page.keyboard.press('Escape');
  await page.mouse.click(3, 3);
  await expect(dialog).toBeVisible();
  await expect(dialog).toContainText(`curl ${url}/api/v1/me`);
  await expectWhole(page);
  await dialog.getByRole('checkbox').check();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(dialog).toBeHidden();
  expect(await page.content()).not.toContain(secret);

  const row = page.getByRole('list', { name: 'API keys' }).getByRole('listitem');
  await expect(row).toContainText(secret.slice(0, 12));
  await expect(row).toContainText('expires on');
  await expect(row).not.toContainText('groups:send');
  const answer = await me(secret);
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({ handle: 'ann', credential: { name: 'nightly build' } });

  await row.getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('button', { name: 'Revoke key' }).click();
  await expect(row).toContainText('revoked on');
  expect((await me(secret)).status).toBe(401);

  await page.getByRole('button', { name: 'Lock API access' }).click();
  await page.getByRole('button', { name: 'Lock', exact: true }).click();
  await expect(page.getByText('Developer API access is locked')).toBeVisible();
  await expectWhole(page);
});
