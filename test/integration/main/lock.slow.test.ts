import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ElectronDouble } from '../../support/electron/index.ts';
import type { KeyStoreState } from '../../support/electron/safe-storage.ts';
import { temporaryFolder } from '../../support/engine.ts';
import { preload } from '../../support/preload.ts';
import { quitDesktop as quit, startDesktop as start } from '../../support/started-desktop.ts';

test('C9: a locked key store opens the messages after a restart, not within the process', async () => {
  using folder = temporaryFolder();
  const keyStoreKey = randomBytes(32);
  const begin = (args: string[], state: Partial<KeyStoreState> = {}) => {
    const electron = new ElectronDouble({ userData: join(folder.path, 'data'), keyStoreKey });
    electron.safeStorage.become(state);
    const { app } = start(folder.path, args, { electron });
    electron.app.becomeReady();
    return { electron, app };
  };
  const phaseOf = async (page: Awaited<ReturnType<typeof preload>>) => {
    const state = await page.calls['lock.state']({});
    return state.ok && [state.value.phase, state.value.because];
  };
  const first = begin([]);
  await first.app.ready;
  await quit(first.electron, folder.path);

  const locked = begin(['--hidden', `--data=${join(folder.path, 'data')}`], { opens: false });
  await locked.app.ready;
  const page = await preload(locked.electron);
  expect(await phaseOf(page)).toEqual(['locked', 'store-refused']);
  await page.calls['lock.retry']({});
  expect(await phaseOf(page)).toEqual(['locked', 'store-refused']);
  // The page is closed before it could receive an answer.
  void page.calls['host.restart']({});
  expect(await locked.electron.app.exited).toBe(0);
  expect(locked.electron.app.relaunches, 'with its window').toEqual([
    { execPath: '/opt/Waxwing/waxwing', args: [`--data=${join(folder.path, 'data')}`] },
  ]);

  const again = begin([]);
  await again.app.ready;
  expect(await phaseOf(await preload(again.electron))).toEqual(['open', null]);
  await quit(again.electron, folder.path);
});
