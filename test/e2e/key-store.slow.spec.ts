/**
 * The app and the key store of a Linux desktop: a real Secret Service, unlocked, locked and gone.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../support/engine.ts';
import { noSecretService, SecretService } from '../support/secret-service.ts';
import { firstRun, greetEcho, messageTexts } from './support/pages.ts';
import { expect, test } from './support/watched.ts';
import { WaxwingProcess } from './support/waxwing.ts';

const PASSWORD = 'of the login';

test.skip(noSecretService !== null, noSecretService ?? '');

test('C9: the key store opens the messages without a passphrase; while it is locked or missing, nothing is lost', async ({
  page,
}) => {
  await using service = await new SecretService().start(PASSWORD);
  using folder = temporaryFolder();
  const serve = (environment = service.environment) =>
    new WaxwingProcess(['serve', '--data', folder.path], [], environment);
  const opensUnasked = async () => {
    await using app = serve();
    await page.goto(await app.url());
    await page.getByRole('option', { name: /Echo/ }).click();
    await expect.poll(async () => (await messageTexts(page)).join()).toContain('kept by the desktop');
  };

  await test.step('a new account needs no passphrase', async () => {
    await using app = serve();
    await page.goto(await app.url());
    await firstRun(page, 'somebody');
    await greetEcho(page, 'kept by the desktop');
    await page.keyboard.press('Control+l');
    await expect(page.getByText('A copied disk can’t be read.')).toBeVisible();
  });

  await test.step('the next start after a reboot needs no passphrase', async () => {
    await service.stop();
    await service.start(PASSWORD);
    await opensUnasked();
  });

  const keys = join(folder.path, 'keys.json');
  const kept = readFileSync(keys, 'utf8');
  expect(
    JSON.parse(kept)
      .wraps.map(({ kind }: { kind: string }) => kind)
      .sort(),
  ).toEqual(['recovery', 'system']);

  const saysSo = async (environment: Record<string, string>) => {
    await using app = serve(environment);
    await page.goto(await app.url());
    await expect(page.getByRole('heading', { name: 'Your messages can’t be opened yet' })).toBeVisible();
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByText(/Nothing is lost\./)).toBeVisible();
    expect(readFileSync(keys, 'utf8')).toBe(kept);
  };

  await test.step('a locked or different key store is reported, and no new key is created', async () => {
    await service.stop();
    await service.start(null);
    await saysSo(service.environment);
    await using another = await new SecretService().start(PASSWORD);
    await saysSo(another.environment);
  });

  await test.step('everything is there when the key store is back', async () => {
    await service.stop();
    await service.start(PASSWORD);
    await opensUnasked();
  });
});

test('C9: a new account with a locked key store chooses a passphrase', async ({ page }) => {
  await using service = await new SecretService().start(null);
  using folder = temporaryFolder();
  await using app = new WaxwingProcess(['serve', '--data', folder.path], [], service.environment);
  await page.goto(await app.url());
  await expect(page.getByRole('heading', { name: 'Choose a passphrase' })).toBeVisible();
});
