import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { temporaryFolder } from '../support/engine.ts';
import { waxwing } from '../support/waxwing-command.ts';
import { expectAccessible, expectWhole } from './support/accessible.ts';
import { App, OwnRelay } from './support/app.ts';
import { browserWithCamera } from './support/fake-camera.ts';
import { firstRun, openSettings, send } from './support/pages.ts';
import { expect, test } from './support/watched.ts';

async function verifyDialog(page: Page, name: string): Promise<Locator> {
  await page.getByRole('button', { name: 'Verify…' }).click();
  return page.getByRole('dialog', { name: `Verify ${name}` });
}

/** The address that the app shows as the person's own. */
async function ownAddress(page: Page): Promise<string> {
  const settings = await openSettings(page, 'Account');
  const address = await settings
    .getByText(/^0x[0-9a-fA-F]{40}$/)
    .first()
    .textContent();
  await page.keyboard.press('Escape');
  return address ?? '';
}

test('people are found, requested, muted, blocked and verified', async ({ browser, launchOptions }) => {
  test.slow();
  await using relay = new OwnRelay();
  await using resources = new AsyncDisposableStack();
  const url = await relay.url();
  await using ben = await App.newcomer(browser, url, 'ben');
  const address = await ownAddress(ben.page);
  using video = temporaryFolder();
  const seeing = await browserWithCamera(
    `waxwing:contact/${address}`,
    join(video.path, 'code.y4m'),
    launchOptions,
  );
  resources.defer(() => seeing.close());
  await using ann = new App(await (await seeing.newContext()).newPage(), url);
  await ann.start();
  await firstRun(ann.page, 'ann');

  await test.step('Ann finds Ben in the directory, with his verified handle', async () => {
    await ann.page.getByRole('button', { name: 'New chat' }).first().click();
    const people = ann.page.getByRole('list', { name: 'People on this server' });
    await expect(people.getByRole('button', { name: /^B?@?ben/ })).toBeVisible();
    await ann.page.getByRole('checkbox', { name: 'Only confirmed handles' }).check();
    await expect(ann.page.getByText('No one else is listed. Invite someone.')).toBeVisible();
    const verified = await waxwing(['relay', 'admin', 'verify', '@ben', '--data', relay.folder.path]);
    expect(verified.stderr).toBe('');
    await ann.page.getByRole('textbox', { name: 'To', exact: true }).fill('be');
    await expect(people.getByRole('listitem')).toContainText('confirmed');
    await people.getByRole('button', { name: /ben/ }).first().click();
    await send(ann.page, 'Hello Ben');
  });

  await test.step('Ben previews the request, blocks Ann, and unblocks her in Settings', async () => {
    await ben.page.getByRole('button', { name: /Message requests/ }).click();
    await expect(ben.page.getByRole('button', { name: 'Back to chats' })).toBeFocused();
    await ben.page.getByRole('option', { name: /ann/ }).click();
    await ben.page.getByRole('button', { name: 'Block' }).click();
    await ben.page.getByRole('alertdialog').getByRole('button', { name: 'Block' }).click();
    await expect(ben.page.getByRole('searchbox', { name: 'Search chats' })).toBeFocused();
    await send(ann.page, 'Are you there?');
    await expect(ann.page.getByRole('article', { name: /Your message.*sent/ })).toHaveCount(2);
    // Ben's program sends it while Ann is blocked; later messages are shown.
    await expect.poll(() => relay.waiting()).toBe(0);
    await openSettings(ben.page, 'Privacy & lock');
    await ben.page.getByRole('button', { name: 'Unblock' }).click();
    await ben.page.keyboard.press('Escape');
    await ben.page.getByRole('button', { name: /Message requests/ }).click();
    await ben.page.getByRole('option', { name: /ann/ }).click();
    await expect(ben.page.getByRole('article').getByText('Hello Ben')).toBeVisible();
    await expect(ben.page.getByText('Are you there?')).toHaveCount(0);
    await ben.page.getByRole('button', { name: 'Accept', exact: true }).click();
    // The next step kills Ben's program, which has to store this first.
    await expect(ben.page.getByRole('textbox', { name: /^Message to/ })).toBeVisible();
  });

  await test.step('the line for new messages stays until Ben answers', async () => {
    await ben.killAndStart();
    await send(ann.page, 'Third try');
    const row = ben.page.getByRole('option', { name: /ann.*unread/ });
    await expect(row).toBeVisible();
    await row.click();
    await expect(ben.page.getByRole('heading', { name: 'New messages' })).toBeVisible();
    await send(ben.page, 'Yes, here');
    await expect(ann.page.getByRole('article').getByText('Yes, here')).toBeVisible();
    await expect(ben.page.getByRole('heading', { name: 'New messages' })).toHaveCount(0);
  });

  await test.step('a muted conversation counts quietly, and not in the title', async () => {
    await ann.page.keyboard.press('Control+k');
    await ann.page.getByRole('option', { name: 'Mute @ben' }).click();
    await expect(ann.page.getByRole('img', { name: 'Muted' })).toBeVisible();
    await ann.killAndStart();
    await expect(ann.page.getByRole('option', { name: /ben/ })).toBeVisible();
    await send(ben.page, 'Psst');
    await expect(ann.page.getByRole('option', { name: /ben.*1 unread/ })).toBeVisible();
    await expect(ann.page).toHaveTitle('Waxwing');
    await expectAccessible(ann.page);
    await ann.page.getByRole('option', { name: /ben/ }).click();
    await ann.page.getByRole('button', { name: 'Details' }).click();
    await ann.page.getByRole('button', { name: 'Unmute' }).click();
    await expect(ann.page.getByRole('img', { name: 'Muted' })).toHaveCount(0);
  });

  await test.step('the keyboard moves from the search field into the results', async () => {
    const field = ann.page.getByRole('searchbox', { name: 'Search chats' });
    await field.fill('be');
    await ann.page.keyboard.press('ArrowDown');
    await expect(ann.page.getByRole('navigation').getByRole('option', { name: /ben/ })).toBeFocused();
    await ann.killAndStart();
    await field.fill('be');
    await ann.page.keyboard.press('Enter');
    await expect(ann.page.getByRole('heading', { name: '@ben' })).toBeVisible();
    await field.fill('');
    await ann.page.getByRole('button', { name: 'Details' }).click();
  });

  await test.step('Ann verifies Ben with the camera, and undoes it', async () => {
    const dialog = await verifyDialog(ann.page, '@ben');
    await expectWhole(ann.page);
    await dialog.getByRole('button', { name: 'Scan with the camera' }).click();
    await expect(dialog.getByRole('heading', { name: 'Addresses match' })).toBeVisible();
    await expectAccessible(ann.page);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await expect(ann.page.getByRole('img', { name: 'Verified by you' })).toBeVisible();
    await expect(ann.page.getByText(/Verified by you on/)).toBeVisible();
    await ann.page.getByRole('button', { name: 'Undo' }).click();
    await expect(ann.page.getByRole('img', { name: 'Verified by you' })).toHaveCount(0);
  });

  await test.step('a picture of another code, of no code, and a broken picture are reported', async () => {
    await ben.page.getByRole('button', { name: 'Details' }).click();
    const bens = await verifyDialog(ben.page, '@ann');
    const [code, other] = [join(video.path, 'ben.png'), join(video.path, 'ann.png')];
    await bens.getByRole('img', { name: 'QR code of your address' }).screenshot({ path: code });
    const dialog = await verifyDialog(ann.page, '@ben');
    await dialog.getByRole('img', { name: 'QR code of your address' }).screenshot({ path: other });
    const file = dialog.getByLabel('Picture of their code');
    await file.setInputFiles({ name: 'x.png', mimeType: 'image/png', buffer: Buffer.from('nonsense') });
    await expect(dialog.getByText('This file isn’t a picture.')).toBeVisible();
    const blank = await dialog.getByRole('heading', { name: 'Compare' }).screenshot();
    await file.setInputFiles({ name: 'blank.png', mimeType: 'image/png', buffer: blank });
    await expect(dialog.getByText('No QR code found in this picture')).toBeVisible();
    await file.setInputFiles(other);
    await expect(dialog.getByRole('heading', { name: 'Addresses don’t match' })).toBeVisible();
    await expectAccessible(ann.page);
    await dialog.getByRole('button', { name: 'Compare again' }).click();
    await dialog.getByLabel('Picture of their code').setInputFiles(code);
    await expect(dialog.getByRole('heading', { name: 'Addresses match' })).toBeVisible();
  });
});
