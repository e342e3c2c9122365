/**
 * The inspector calls of the tests of the real Electron, on the double: these calls must work
 * before their results can be trusted.
 */
import { NET_SESSION_NAME } from 'electron-updater/out/electronHttpExecutor.js';
import { expect, test } from 'vitest';
import { UPDATE_PARTITION } from '../../../src/main/updates/update-proxy.ts';
import type { MainProcess } from '../../electron/main-process.ts';
import { callEngine, temporaryFolder } from '../../support/engine.ts';
import { start } from './inspected.ts';

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
