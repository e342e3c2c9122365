/**
 * The relay inside the app, in a thread of the real Electron, with its native database.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { firstRun, greetEcho, messageTexts, send } from '../e2e/support/pages.ts';
import { expect, test } from '../e2e/support/watched.ts';
import { temporaryFolder } from '../support/engine.ts';
import { binary, startApp } from './support.ts';

test.skip(binary === '', 'Electron’s binary or a display is missing here.');

test('the relay inside the app answers on this computer only, delivers the answers of @echo, and keeps both over a restart', async () => {
  using folder = temporaryFolder();
  const url = () => `http://127.0.0.1:${readFileSync(join(folder.path, 'embedded', 'port'), 'utf8')}`;
  const isReady = () =>
    fetch(`${url()}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  {
    await using app = await startApp(folder.path);
    await firstRun(app.page, 'desktop');
    await greetEcho(app.page, 'Hello, relay in here');
    expect(await isReady()).toBe(true);
    await app.call('settings.set', { keepInTray: false });
    await app.closeWindow();
    expect(await app.ended()).toBe(0);
    expect(await isReady()).toBe(false);
  }
  await using again = await startApp(folder.path);
  await again.page.getByRole('option', { name: /Echo/ }).first().click();
  await expect.poll(() => messageTexts(again.page)).toContain('Hello, relay in here');
  await send(again.page, 'And once more');
  await expect(again.page.getByRole('article', { name: /Message from Echo/ }).last()).toContainText(
    'And once more',
  );
  expect(await isReady()).toBe(true);
});
