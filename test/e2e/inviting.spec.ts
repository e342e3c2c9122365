/** A newcomer with an invite link: from the link to the first message, which is no request. */

import { makeSignedCertificate } from '../support/certificate.ts';
import { temporaryFolder } from '../support/engine.ts';
import { freePort } from '../support/free-port.ts';
import { ConnectProxy, TlsFront } from '../support/private-network.ts';
import { chooseHandle, createAccount, firstRun, openSettings, send } from './support/pages.ts';
import { expect, test } from './support/watched.ts';
import { PASSPHRASE, WaxwingProcess } from './support/waxwing.ts';

const RELAY = 'https://relay.example';

test('a newcomer opens an invite link at first run, and their first message is no request', async ({
  browser,
}) => {
  await using resources = new AsyncDisposableStack();
  const folder = () => resources.use(temporaryFolder()).path;
  const certificate = makeSignedCertificate(folder(), ['relay.example']);
  const port = await freePort();
  const relay = new WaxwingProcess([
    ...['relay', '--port', String(port), '--data', folder()],
    ...['--public-url', RELAY, '--registration', 'open'],
  ]);
  resources.defer(() => relay.stop());
  await relay.url();
  const front = resources.use(await new TlsFront(certificate, port).start());
  const proxy = resources.use(await new ConnectProxy(front.port).start());
  /** The page of an app that reaches the server by its name. */
  const open = async (...args: string[]) => {
    const app = new WaxwingProcess(['serve', '--data', folder(), ...args], undefined, {
      ...{ WAXWING_PASSPHRASE: PASSPHRASE, SSL_CERT_FILE: certificate.authorityFile },
      ...{ HTTPS_PROXY: proxy.url, https_proxy: '', NO_PROXY: '', no_proxy: '' },
    });
    resources.defer(() => app.stop());
    const page = await (await browser.newContext()).newPage();
    await page.goto(await app.url());
    return page;
  };

  const ann = await open('--relay', RELAY);
  await firstRun(ann, 'ann');
  const settings = await openSettings(ann, 'Account');
  await settings.getByRole('button', { name: 'New link' }).click();
  const links = settings.getByRole('list', { name: 'Your invite links' }).getByRole('listitem');
  const link = await links.locator('code').innerText();
  expect(link).toContain(`${RELAY}/i#`);

  const ben = await open();
  await ben.getByRole('button', { name: 'I have an invite link' }).click();
  const field = ben.getByRole('textbox', { name: 'Invite link' });
  await field.fill(link);
  await expect(ben.getByRole('button', { name: 'Use relay.example' })).toBeVisible();
  // A reload loses no link, and stores none in the page.
  await ben.reload();
  await expect(field).toHaveValue(link);
  expect(
    await ben.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }])),
  ).not.toContain('relay.example/i#');
  await ben.getByRole('button', { name: 'Use relay.example' }).click();
  await expect(ben.getByRole('status')).toHaveText(/^Invited by 0x.*The chat opens after setup\.$/);
  await createAccount(ben);
  await ben.reload();
  await chooseHandle(ben, 'ben');
  await expect(ben.getByRole('region', { name: 'Chat', exact: true }).locator('header h2')).toContainText(
    'ann',
  );
  // The link is removed when its chat is open.
  await ben.reload();
  await expect(ben.getByRole('textbox', { name: /^Message to/ })).toBeVisible();
  await expect(ben.getByRole('dialog')).toHaveCount(0);
  await send(ben, 'Thanks for the link');

  await expect(links).toHaveCount(0);
  await ann.keyboard.press('Escape');
  const chat = ann.getByRole('listbox', { name: 'Chats' }).getByRole('option', { name: /ben/ });
  await expect(chat).toBeVisible();
  await expect(ann.getByRole('button', { name: /Message requests/ })).toHaveCount(0);
  await chat.click();
  await expect(ann.getByRole('article').getByText('Thanks for the link')).toBeVisible();
  await expect(ann.getByRole('region', { name: 'Message request' })).toHaveCount(0);
});
