/**
 * The app in its archive, around the Electron that the other tests run, under its own name and with its fuses. On macOS and
 * Windows the release is tested instead, which is signed.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { checkFuses, fusesOf } from '../../scripts/fuses.ts';
import { firstRun, greetEcho } from '../e2e/support/pages.ts';
import { expect, test } from '../e2e/support/watched.ts';
import { temporaryFolder } from '../support/engine.ts';
import { packAround } from '../support/packed-app.ts';
import { binary, exitOf, isPackaged, startApp } from './support.ts';

test.skip(binary === '', 'Electron’s binary or a display is missing here.');
test.skip(isPackaged, 'The packaged app is there already, and runs all other tests.');
test.skip(process.platform !== 'linux', 'The release is tested there.');

test('the packed app talks to @echo from its archive, keeps its key in the key store, and does not run as Node', async () => {
  using folder = temporaryFolder();
  const program = await packAround(dirname(binary), folder.path);
  await checkFuses(program, await fusesOf(binary));
  expect(existsSync(join(dirname(program), 'resources', 'app.asar'))).toBe(true);
  const data = join(folder.path, 'data');
  await using app = await startApp(data, [], program);
  await firstRun(app.page, 'desktop');
  await greetEcho(app.page, 'Hello out of the archive');
  expect(await app.call('host.info', {})).toMatchObject({
    kind: 'electron',
    keyProtection: { kind: 'os-key-store' },
  });
  // As Node it would run the program; as the app it is a second instance, which exits with 0.
  const second = spawn(program, ['-e', 'process.exit(42)', '--data', data], {
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    stdio: 'ignore',
  });
  expect(await exitOf(second)).toBe(0);
});
