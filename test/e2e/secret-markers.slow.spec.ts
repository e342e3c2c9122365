/**
 * C17: unique strings of each kind of secret go through everything; then none of them is anywhere where it could be
 * readable: not in the programs' output, not in any byte of their files.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { temporaryFolder } from '../support/engine.ts';
import { waxwing } from '../support/waxwing-command.ts';
import { App } from './support/app.ts';
import { firstRun, openSettings, send, startChat } from './support/pages.ts';
import { expect, test } from './support/watched.ts';
import { PASSPHRASE, WaxwingProcess } from './support/waxwing.ts';

/** Every byte below a folder, by file. */
function filesBelow(folder: string): { path: string; bytes: Buffer }[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => ({ path, bytes: readFileSync(path) }));
}

/** Forms of a secret: as it is, and as databases and logs may encode it. */
function formsOf(secret: string): Buffer[] {
  const bytes = Buffer.from(secret);
  return [
    bytes,
    Buffer.from(secret, 'utf16le'),
    Buffer.from(bytes.toString('hex')),
    Buffer.from(bytes.toString('base64url')),
  ];
}

function places(secret: string, kept: { path: string; bytes: Buffer }[]): string[] {
  return kept
    .filter(({ bytes }) => formsOf(secret).some((form) => bytes.includes(form)))
    .map(({ path }) => path);
}

async function revealed(page: Page, pattern: RegExp): Promise<string> {
  const dialog = page.getByRole('alertdialog');
  const secret = (await dialog.getByText(pattern).innerText()).trim();
  await dialog.getByRole('checkbox').check();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(dialog).toBeHidden();
  return secret;
}

test('C17: no secret is in any output or stored byte', async ({ browser }) => {
  test.slow();
  using relayData = temporaryFolder();
  await using resources = new AsyncDisposableStack();
  const relay = resources.use(new WaxwingProcess(['relay', '--port', '0', '--data', relayData.path]));
  const url = await relay.url();
  const people: App[] = [];
  const phrases: string[] = [];
  for (const handle of ['marker_ann', 'marker_ben']) {
    const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
    const app = resources.use(new App(await context.newPage(), url, ['--verbose']));
    await app.start();
    const words: string[] = [];
    await firstRun(app.page, handle, words);
    people.push(app);
    phrases.push(words.join(' '));
  }
  const [ann, ben] = people;
  if (!ann || !ben) throw new Error('two people take part');
  const { page } = ann;
  const secrets: Record<string, string> = {
    passphrase: PASSPHRASE,
    'recovery phrase': phrases[0] ?? '',
    'another recovery phrase': phrases[1] ?? '',
    'message text': 'MARKERmessageZq81',
    draft: 'MARKERdraftZq82',
    'group password': 'MARKERpasswordZq83',
    'group message': 'MARKERgroupZq84',
  };
  secrets.bearer = await page.evaluate(() => sessionStorage.getItem(sessionStorage.key(0) ?? '') ?? '');
  expect(secrets.bearer.length).toBeGreaterThan(20);

  await startChat(page, '@marker_ben');
  await send(page, secrets['message text'] ?? '');
  await expect(page.getByRole('article', { name: /Your message.*sent/ })).toBeVisible();
  await page.getByRole('textbox', { name: /^Message to/ }).fill(secrets.draft ?? '');
  await ben.page.getByRole('button', { name: /Message requests/ }).click();
  await ben.page.getByRole('option', { name: /marker_ann/ }).click();
  await expect(ben.page.getByRole('article').getByText(secrets['message text'] ?? '')).toBeVisible();

  await page.getByRole('button', { name: 'Groups', exact: true }).click();
  await page.getByRole('button', { name: 'New group', exact: true }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('MARKERpublicname');
  await page.getByRole('radio', { name: 'Anyone with the password' }).check();
  await page.getByRole('textbox', { name: 'Password' }).fill(secrets['group password'] ?? '');
  await page.getByRole('button', { name: 'Create group' }).click();
  await expect(page.getByRole('heading', { name: 'MARKERpublicname' })).toBeVisible();
  await send(page, secrets['group message'] ?? '');
  await page.getByRole('button', { name: 'Details' }).click();
  await page.getByRole('textbox', { name: 'Bot name' }).fill('bot');
  await page.getByRole('button', { name: 'Create token' }).click();
  const key = page.getByRole('alertdialog').getByText(/^wxb_/);
  secrets['bot key'] = (await key.innerText()).trim();
  secrets['bot token'] = await revealed(page, /^gtk_live_/);
  const { 'bot token': WAXWING_GROUP_TOKEN, 'bot key': WAXWING_BOT_KEY } = secrets;
  const env = { WAXWING_RELAY: url, WAXWING_GROUP_TOKEN, WAXWING_BOT_KEY };
  const posted = await waxwing(['send', 'a bot was here', '--verbose'], { env });
  expect(posted.code).toBe(0);
  const refused = await waxwing(['send', 'no', '--verbose'], {
    env: { ...env, WAXWING_GROUP_TOKEN: `gtk_live_${'Z'.repeat(43)}` },
  });
  expect(refused.code).not.toBe(0);

  await openSettings(page, 'API Settings');
  await page.getByRole('button', { name: 'Unlock API access' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Unlock API access' }).click();
  await page.getByRole('button', { name: 'New API key' }).click();
  await page.getByRole('textbox', { name: 'Key name' }).fill('script');
  await page.getByRole('button', { name: 'Create key' }).click();
  secrets['API key'] = await revealed(page, /^sk_live_/);
  const authorization = `Bearer ${secrets['API key']}`;
  expect((await fetch(`${url}/api/v1/me`, { headers: { authorization } })).status).toBe(200);

  await openSettings(page, 'About');
  await page.getByRole('button', { name: 'Copy diagnostics' }).click();
  await expect(page.getByText('Copied', { exact: true }).first()).toBeVisible();
  const diagnostics = await page.evaluate(() => navigator.clipboard.readText());
  expect(diagnostics).toContain('"event":"engine.sent"');

  const kept = [
    { path: 'diagnostics', bytes: Buffer.from(diagnostics) },
    ...filesBelow(relayData.path),
    ...people.flatMap(({ folder }) => filesBelow(folder.path)),
    { path: 'what the relay printed', bytes: Buffer.from(relay.output) },
    ...people.map(({ output }) => ({ path: 'what an app printed', bytes: Buffer.from(output) })),
    { path: 'what the command line printed', bytes: Buffer.from(JSON.stringify([posted, refused])) },
  ];
  // Control: the search finds public texts.
  expect(places('MARKERpublicname', kept).some((path) => path.startsWith(relayData.path))).toBe(true);
  expect(places('marker_ann', kept).some((path) => path.startsWith(relayData.path))).toBe(true);
  for (const [kind, secret] of Object.entries(secrets)) {
    expect(secret.length, kind).toBeGreaterThan(10);
    expect(places(secret, kept), kind).toEqual([]);
  }
  // The programs themselves report neither names nor addresses, nor the URL of the relay.
  const reported = [
    ...people.flatMap(({ folder }) => filesBelow(join(folder.path, 'logs'))),
    ...kept.filter(({ path }) => ['diagnostics', 'what an app printed'].includes(path)),
  ];
  expect(places('engine.sent', reported).length).toBeGreaterThan(2);
  for (const name of ['marker_ann', 'marker_ben', 'MARKERpublicname', new URL(url).host]) {
    expect(places(name, reported), name).toEqual([]);
  }
});
