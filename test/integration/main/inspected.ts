/**
 * The inspector calls of the tests of the real Electron, on the double: these calls must work before their results
 * can be trusted. Steps that the quick and the slow tests share.
 */
import { randomBytes } from 'node:crypto';
import { MainProcess } from '../../electron/main-process.ts';
import { HeadlessDesktop } from '../../support/electron/headless.ts';
import { callEngine, eventually } from '../../support/engine.ts';

export async function start(userData: string, isPackaged: boolean): Promise<[HeadlessDesktop, MainProcess]> {
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
