/**
 * The inspector calls of the tests of the real Electron, on the double: these calls must work
 * before their results can be trusted.
 */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NET_SESSION_NAME } from 'electron-updater/out/electronHttpExecutor.js';
import { expect, test } from 'vitest';
import { UPDATE_PARTITION } from '../../../src/main/updates/update-proxy.ts';
import {
  clickNotification,
  hideWindow,
  keepNotifications,
  keptNotifications,
  MainProcess,
  wake,
} from '../../electron/main-process.ts';
import { newBot, waitingTexts } from '../../support/bots.ts';
import { HeadlessDesktop } from '../../support/electron/headless.ts';
import { callEngine, eventually, openChat, setUp, temporaryFolder } from '../../support/engine.ts';

async function start(userData: string, isPackaged: boolean): Promise<[HeadlessDesktop, MainProcess]> {
  const setup = {
    main: new URL('../../../out/main/index.js', import.meta.url).href,
    userData,
    keyStoreKey: randomBytes(32).toString('base64'),
    isPackaged,
  };
  const app = await HeadlessDesktop.start(setup, ['--inspect=0']);
  const [, address = ''] = /Debugger listening on (ws:\S+)/.exec(app.output) ?? [];
  await eventually(
    () => callEngine(app, 'lock.state', {}),
    ({ phase }) => phase === 'open',
  );
  return [app, await MainProcess.connect(address)];
}

test('through the inspector a test controls the desktop, and sees notifications and errors', async () => {
  using folder = temporaryFolder();
  await using resources = new AsyncDisposableStack();
  const [app, main] = await start(folder.path, false);
  resources.use(app);
  expect(await main.run(async ({ app: electron }, given) => [electron.getVersion(), given], 7)).toEqual([
    '0.1.0',
    7,
  ]);
  await expect(main.run(() => JSON.parse('{'), null)).rejects.toThrow('SyntaxError');

  await setUp(app, 'desktop');
  const port = readFileSync(join(folder.path, 'embedded', 'port'), 'utf8');
  const bot = await newBot({ url: `http://127.0.0.1:${port}` }, { handle: 'ben' });
  const { id } = await openChat(app, 'ben');
  await callEngine(app, 'messages.send', { conversationId: id, text: 'Hello Ben' });
  await eventually(
    () => waitingTexts(bot),
    (texts) => texts.includes('Hello Ben'),
  );
  await keepNotifications(main);
  await hideWindow(main);
  expect((await app.desktop.state()).window).toMatchObject({ isVisible: false });
  await bot.client.send('@desktop', 'the heron is back', { automated: false });
  const told = await eventually(
    () => keptNotifications(main),
    ({ length }) => length > 0,
  );
  expect(told).toEqual([{ title: 'Waxwing', body: 'New message' }]);
  await clickNotification(main);
  expect((await app.desktop.state()).window).toMatchObject({ isVisible: true });
  await wake(main);
  main.close();
});

test('updates are requested through the configured proxy', async () => {
  expect(NET_SESSION_NAME).toBe(UPDATE_PARTITION);
  using folder = temporaryFolder();
  const wayOut = (main: MainProcess) =>
    main.run(
      ({ session }, partition) =>
        session.fromPartition(partition).resolveProxy('https://updates.waxwing.example'),
      UPDATE_PARTITION,
    );
  await using resources = new AsyncDisposableStack();
  const [app, main] = await start(folder.path, true);
  resources.use(app);
  await callEngine(app, 'settings.set', { proxy: { kind: 'address', address: 'http://proxy.example:8080' } });
  expect(await wayOut(main)).toBe('PROXY proxy.example:8080');
  await callEngine(app, 'settings.set', { proxy: { kind: 'none' } });
  expect(await wayOut(main)).toBe('DIRECT');
  main.close();
});
