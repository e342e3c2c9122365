/** The health check of the image, run with the command line of a relay of this checkout. */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../support/engine.ts';
import { TestRelay } from '../../support/relay.ts';

const CONTAINERFILE = new URL('../../../deploy/container/Containerfile', import.meta.url);
const COMMAND_LINE = '/proc/1/cmdline';

/** The program of the health check. */
function program(): string {
  const [, command = ''] =
    /^HEALTHCHECK (?:.*\\\n)*\s*CMD (\[.*\])$/m.exec(readFileSync(CONTAINERFILE, 'utf8')) ?? [];
  const [node, option, code = ''] = JSON.parse(command) as string[];
  expect([node, option]).toEqual(['node', '-e']);
  return code;
}

/** The exit code of the health check beside a relay that was started with these arguments. */
function check(folder: string, args: readonly string[], code = program()): Promise<number | null> {
  const file = join(folder, 'cmdline');
  writeFileSync(file, `${['node', 'waxwing', 'relay', '--data', '/data', ...args].join('\0')}\0`);
  const { promise, resolve } = Promise.withResolvers<number | null>();
  const child = execFile(process.execPath, ['-e', code.replace(COMMAND_LINE, file)]);
  child.once('exit', resolve);
  return promise;
}

test.skipIf(process.platform === 'win32')('the health check asks the port of the relay', async () => {
  using folder = temporaryFolder();
  await using relay = await new TestRelay().start();
  const { port } = new URL(relay.url);
  expect(await check(folder.path, ['--metrics-port=1', '--port', port])).toBe(0);
  expect(await check(folder.path, ['--port', '1', `--port=${port}`, '--metrics-port', '1'])).toBe(0);
  expect(await check(folder.path, [`--metrics-port=${port}`, '--port=1'])).toBe(1);
});

test.skipIf(process.platform === 'win32')(
  'without an option the health check asks the default port',
  async () => {
    using folder = temporaryFolder();
    await using relay = await new TestRelay().start();
    const [usual, ...others] = program().split('8787');
    expect(others).toHaveLength(1);
    // In place of the default, whose port may be in use here.
    const code = `${usual}${new URL(relay.url).port}${others[0]}`;
    expect(await check(folder.path, [], code)).toBe(0);
    expect(await check(folder.path, ['--port', '1'], code)).toBe(1);
  },
);
