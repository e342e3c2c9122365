import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  clickNotification,
  hideWindow,
  keepNotifications,
  keptNotifications,
  wake,
} from '../../electron/main-process.ts';
import { newBot, waitingTexts } from '../../support/bots.ts';
import { callEngine, eventually, openChat, setUp, temporaryFolder } from '../../support/engine.ts';
import { start } from './inspected.ts';

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
  const shown = await eventually(
    () => keptNotifications(main),
    ({ length }) => length > 0,
  );
  expect(shown).toEqual([{ title: 'Waxwing', body: 'New message' }]);
  await clickNotification(main);
  expect((await app.desktop.state()).window).toMatchObject({ isVisible: true });
  await wake(main);
  main.close();
});
