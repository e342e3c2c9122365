/**
 * The app in the real Electron, also packaged. Skipped where its binary or a display is missing,
 * with a reason. Behaviour that the double can prove is in test/e2e/desktop.spec.ts.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Page } from '@playwright/test';
import { checkFuses } from '../../scripts/fuses.ts';
import { startRelay } from '../../src/relay/index.ts';
import { firstRun, greetEcho } from '../e2e/support/pages.ts';
import { expect, test } from '../e2e/support/watched.ts';
import { temporaryFolder } from '../support/engine.ts';
import { CuttingProxy } from '../support/proxy.ts';
import { ROOMY_RATES } from '../support/rates.ts';
import { knownBot } from './known-bot.ts';
import { clickNotification, hideWindow, keepNotifications, keptNotifications, wake } from './main-process.ts';
import { binary, exitOf, hasTray, isPackaged, NO_INSPECTOR, startApp, startProcess } from './support.ts';

test.skip(binary === '', 'Electron’s binary or a display is missing here.');

const visibility = (page: Page) => page.evaluate(() => document.visibilityState);

test('a newcomer talks to @echo; a second start ends and shows the first', async () => {
  using folder = temporaryFolder();
  await using app = await startApp(folder.path);
  await firstRun(app.page, 'desktop');
  await greetEcho(app.page, 'Hello from the desktop');
  expect(await exitOf(startProcess(folder.path))).toBe(0);
  await expect.poll(() => visibility(app.page)).toBe('visible');
});

test('closing the window keeps the app if the desktop has a tray, and ends it otherwise', async () => {
  using folder = temporaryFolder();
  await using app = await startApp(folder.path);
  await firstRun(app.page, 'desktop');
  await app.closeWindow();
  if (await hasTray()) {
    await expect.poll(() => visibility(app.page)).toBe('hidden');
    expect(await exitOf(startProcess(folder.path))).toBe(0);
    await expect.poll(() => visibility(app.page)).toBe('visible');
  } else expect(await app.ended()).toBe(0);
});

test('the key is kept by the system, the database is encrypted, and the page has neither Node nor Electron', async () => {
  using folder = temporaryFolder();
  let address = '';
  {
    await using app = await startApp(folder.path);
    await firstRun(app.page, 'desktop');
    const globals = await app.page.evaluate(() =>
      ['process', 'require', 'module', 'Buffer', 'electron'].filter((name) => name in globalThis),
    );
    expect(globals).toEqual([]);
    expect(await app.page.evaluate(() => location.origin)).toMatch(/^app:/);
    expect(await app.call('host.info', {})).toMatchObject({
      kind: 'electron',
      keyProtection: { kind: 'os-key-store' },
    });
    address = (await app.call('app.state', {})).me?.address ?? '';
    // Closed by the person, who disabled the tray: the app quits normally.
    await app.call('settings.set', { keepInTray: false });
    await app.closeWindow();
    expect(await app.ended()).toBe(0);
  }
  // The engine's thread has written it, with the native module.
  const head = readFileSync(join(folder.path, 'engine', 'cache.db'))
    .subarray(0, 15)
    .toString('latin1');
  expect(head).toHaveLength(15);
  expect(head).not.toBe('SQLite format 3');

  await using again = await startApp(folder.path);
  await expect(again.page.getByRole('button', { name: 'New chat' }).first()).toBeVisible();
  expect((await again.call('app.state', {})).me?.address).toBe(address);
});

test('a link from the system asks before it opens a chat', async () => {
  test.skip(process.platform === 'darwin', 'macOS hands a link over as an event: test/integration/main.');
  using folder = temporaryFolder();
  const place = { home: folder.path };
  await using app = await startApp(place);
  await firstRun(app.page, 'desktop');
  const { address } = await app.call('people.resolve', { query: '@echo' });
  expect(await exitOf(startProcess(place, [`waxwing:contact/${address}`]))).toBe(0);
  const question = app.page.getByRole('alertdialog', { name: /Open a chat with 0x/ });
  await expect(question).toContainText(address);
  await question.getByRole('button', { name: 'Open chat' }).click();
  await expect(app.page.getByRole('textbox', { name: 'Message to Echo' })).toBeVisible();
});

test('a message behind a hidden window is notified without its text, and a click shows it', async () => {
  test.skip(isPackaged, NO_INSPECTOR);
  using folder = temporaryFolder();
  await using app = await startApp(folder.path);
  await firstRun(app.page, 'desktop');
  const port = readFileSync(join(folder.path, 'embedded', 'port'), 'utf8');
  const bot = await knownBot(app, `http://127.0.0.1:${port}`);
  await keepNotifications(app.main);
  await hideWindow(app.main);
  await expect.poll(() => visibility(app.page)).toBe('hidden');
  await bot.client.send('@desktop', 'the heron is back', { automated: false });
  await expect.poll(() => keptNotifications(app.main)).toEqual([{ title: 'Waxwing', body: 'New message' }]);
  await clickNotification(app.main);
  await expect.poll(() => visibility(app.page)).toBe('visible');
  await expect(app.page.getByText('the heron is back').first()).toBeVisible();
});

test('a computer that wakes polls its relay at once and receives what arrived while it slept', async () => {
  test.skip(isPackaged, NO_INSPECTOR);
  using folder = temporaryFolder();
  using relayFolder = temporaryFolder();
  await using resources = new AsyncDisposableStack();
  const proxy = resources.use(await new CuttingProxy().start());
  const relay = await startRelay({
    dataDirectory: relayFolder.path,
    publicUrl: proxy.url,
    limits: { rates: ROOMY_RATES },
  });
  resources.defer(() => relay.close());
  proxy.target = `http://127.0.0.1:${relay.port}`;
  const app = resources.use(await startApp(folder.path, ['--relay', proxy.url]));
  await firstRun(app.page, 'desktop');
  const bot = await knownBot(app, proxy.url);
  // Asleep: answers of the relay stop arriving, without an error.
  const never = new Promise<boolean>(() => undefined);
  const dead = Promise.withResolvers<void>();
  proxy.cuts = ({ path, stage }) => {
    if (stage === 'before' || !path.includes('/inbox')) return false;
    dead.resolve();
    return never;
  };
  await bot.client.send('@desktop', 'while you slept', { automated: false });
  await dead.promise;
  proxy.cuts = () => false;
  await wake(app.main);
  await expect(app.page.getByText('while you slept').first()).toBeVisible();
});

test('the page’s process is in the sandbox', async () => {
  test.skip(process.platform !== 'linux', 'Only Linux reports the sandbox of a process.');
  using folder = temporaryFolder();
  await using _ = await startApp(folder.path);
  const renderers = readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid))
    .filter((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
        return command.startsWith(dirname(binary)) && command.includes('--type=renderer');
      } catch {
        // It has ended meanwhile.
        return false;
      }
    });
  expect(renderers).not.toEqual([]);
  for (const pid of renderers) {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    expect(status).toMatch(/^NoNewPrivs:\s1$/m);
    // Mode 2 means: filtered, by seccomp(2).
    expect(status).toMatch(/^Seccomp:\s2$/m);
  }
});

test('the fuses of the packaged app have the required values', async () => {
  test.skip(!isPackaged, 'Electron itself has the fuses that it comes with.');
  await checkFuses(binary);
});
