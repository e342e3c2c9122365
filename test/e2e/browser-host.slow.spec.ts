import { temporaryFolder } from '../support/engine.ts';
import { freePort } from '../support/free-port.ts';
import { firstRun } from './support/pages.ts';
import { expect, test } from './support/watched.ts';
import { WaxwingProcess } from './support/waxwing.ts';

const usedLink = { name: 'This link no longer works' };

const disconnected = { name: 'This page is disconnected' };

const notRunning = { name: 'Waxwing isn’t running' };

test('a used link is explained, and Enter prints a new one that works in the same tab', async ({
  page,
  browser,
  mayComplain,
}) => {
  mayComplain(/status of 403 .*\/session/);
  using folder = temporaryFolder();
  await using app = new WaxwingProcess(['serve', '--data', folder.path]);
  const link = await app.url();
  await page.goto(link);
  await expect(page.getByRole('button', { name: 'Continue' })).toBeVisible();

  const other = await browser.newPage();
  await other.goto(link);
  await expect(other.getByRole('alertdialog', usedLink)).toBeVisible();
  await other.goto(new URL(link).origin);
  await expect(other.getByRole('alertdialog', usedLink)).toBeVisible();
  await other.goto(await app.newLink());
  await expect(other.getByRole('button', { name: 'Continue' })).toBeVisible();
  await expect(other.getByRole('alertdialog')).toHaveCount(0);
  await other.close();
});

test('a stopped host is reported, a restart asks for its new link, and the page continues with it', async ({
  page,
  mayComplain,
}) => {
  mayComplain(/status of 403|ERR_CONNECTION_REFUSED/);
  using folder = temporaryFolder();
  const args = ['serve', '--data', folder.path, '--port', `${await freePort()}`];
  const first = new WaxwingProcess(args);
  try {
    await page.goto(await first.url());
    await firstRun(page, 'somebody');
  } finally {
    await first.stop('SIGKILL');
  }
  await expect(page.getByRole('alertdialog', notRunning)).toBeVisible();

  await using second = new WaxwingProcess(args);
  const link = await second.url();
  await expect(page.getByRole('alertdialog', disconnected)).toContainText('Waxwing was started again');
  await page.goto(link);
  await expect(page.getByRole('button', { name: 'New chat' }).first()).toBeVisible();
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
});
