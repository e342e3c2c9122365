import { makeSignedCertificate } from '../support/certificate.ts';
import { temporaryFolder } from '../support/engine.ts';
import { ConnectProxy, TlsFront } from '../support/private-network.ts';
import { expectAccessible } from './support/accessible.ts';
import { App, OwnRelay } from './support/app.ts';
import { messageTexts, send } from './support/pages.ts';
import { expect, test } from './support/watched.ts';

// On a server of this computer there are no links: they would work nowhere else.
const SERVER = 'https://relay.example';

test('a person who was not invited joins a group by its link, and writes', async ({ browser }) => {
  test.slow();
  using folder = temporaryFolder();
  const certificate = makeSignedCertificate(folder.path, ['relay.example']);
  await using relay = new OwnRelay(['--public-url', SERVER, '--registration', 'open']);
  await using front = await new TlsFront(certificate, Number(new URL(await relay.url()).port)).start();
  await using proxy = await new ConnectProxy(front.port).start();
  const environment = {
    SSL_CERT_FILE: certificate.authorityFile,
    HTTPS_PROXY: proxy.url,
    https_proxy: proxy.url,
    NO_PROXY: '',
    no_proxy: '',
  };
  await using ann = await App.newcomer(browser, SERVER, 'ann', environment);
  await using ben = await App.newcomer(browser, SERVER, 'ben', environment);

  const link = await test.step('Ann creates a group for invited people, and a link', async () => {
    await ann.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await ann.page.getByRole('button', { name: 'Groups', exact: true }).click();
    await ann.page.getByRole('button', { name: 'New group', exact: true }).click();
    await ann.page.getByRole('textbox', { name: 'Name', exact: true }).fill('Bird watchers');
    await ann.page.getByRole('button', { name: 'Create group' }).click();
    await ann.page.getByRole('button', { name: 'Details' }).click();
    const details = ann.page.getByRole('region', { name: 'Details' });
    await details.getByRole('button', { name: 'New link' }).click();
    const links = details.getByRole('list', { name: 'Invite links' });
    await expect(links).toContainText('Expires in 7 days');
    await expectAccessible(ann.page);
    await links.getByRole('button', { name: /^Copy link that/ }).click();
    // The clipboard is written after the click.
    const copied = () => ann.page.evaluate(() => navigator.clipboard.readText());
    await expect.poll(copied).not.toBe('');
    return copied();
  });
  expect(link.startsWith(`${SERVER}/i#`)).toBe(true);

  await test.step('Ben pastes it, sees the name of the group, joins and writes', async () => {
    await ben.page.getByRole('button', { name: 'New chat' }).first().click();
    await ben.page.getByRole('textbox', { name: 'To', exact: true }).fill(link);
    await ben.page.getByRole('button', { name: 'Open invite link' }).click();
    const dialog = ben.page.getByRole('dialog', { name: 'Join “Bird watchers”?' });
    await expectAccessible(ben.page);
    await dialog.getByRole('button', { name: 'Join group' }).click();
    await send(ben.page, 'Is this the right place?');
    await expect.poll(() => messageTexts(ann.page)).toContain('Is this the right place?');
  });

  await test.step('Ann answers, and cancels the link', async () => {
    await send(ann.page, 'It is.');
    await expect.poll(() => messageTexts(ben.page)).toContain('It is.');
    const details = ann.page.getByRole('region', { name: 'Details' });
    await details.getByRole('button', { name: /^Cancel link that/ }).click();
    await ann.page.getByRole('alertdialog').getByRole('button', { name: 'Cancel link' }).click();
    await expect(details.getByRole('list', { name: 'Invite links' })).toHaveCount(0);
  });

  await test.step('the canceled link admits no other person', async () => {
    await using cat = await App.newcomer(browser, SERVER, 'cat', environment);
    await cat.page.getByRole('button', { name: 'New chat' }).first().click();
    await cat.page.getByRole('textbox', { name: 'To', exact: true }).fill(link);
    await cat.page.keyboard.press('Enter');
    await expect(cat.page.getByRole('alert')).toHaveText(
      'This invite link has expired or was canceled. Ask for a new one.',
    );
  });
});
