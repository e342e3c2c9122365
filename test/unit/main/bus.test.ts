import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isNameOwned } from '../../../src/main/bus/connection.ts';
import { temporaryFolder } from '../../support/engine.ts';
import { hasBus, startBus } from '../../support/message-bus.ts';

const NAME = 'org.kde.StatusNotifierWatcher';
describe.runIf(hasBus)('on a real message bus', () => {
  test.each(['path', 'abstract'])(
    'reports whether a name has an owner, over a socket by %s',
    async (kind) => {
      using folder = temporaryFolder();
      await using bus = await startBus(`unix:${kind}=${join(folder.path, 'bus')}`);
      // The bus itself has a name, too.
      expect(await isNameOwned(bus.address, 'org.freedesktop.DBus')).toBe(true);
      expect(await isNameOwned(bus.address, NAME)).toBe(false);
      expect(await isNameOwned(`unix:path=/nonexistent;${bus.address}`, 'org.freedesktop.DBus')).toBe(true);
    },
  );
});

test.each(['', 'unix:path=/nonexistent/bus', 'tcp:host=localhost,port=1', 'autolaunch:'])(
  'reports no owner if the address %j has no bus',
  async (address) => {
    expect(await isNameOwned(address, NAME)).toBe(false);
  },
);

// Windows has no sockets that are files.
test.runIf(process.platform !== 'win32').each([
  ['refuses', 'REJECTED EXTERNAL\r\n'],
  ['talks without end', `OK 1234\r\n${'x'.repeat(20_000)}`],
  ['hangs up', null],
])('a bus that %s has no owner of a name', async (_what, answer) => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'bus');
  const server = createServer((socket) => (answer === null ? socket.destroy() : socket.write(answer)));
  server.listen(path);
  await once(server, 'listening');
  expect(await isNameOwned(`unix:path=${path}`, NAME)).toBe(false);
  server.close();
});

test('loads without user ids, as on Windows', () => {
  using folder = temporaryFolder();
  const windows = join(folder.path, 'windows.cjs');
  writeFileSync(windows, 'delete process.getuid;');
  const file = new URL('../../../src/main/bus/connection.ts', import.meta.url).href;
  const script = `const { isNameOwned } = await import('${file}'); console.log(await isNameOwned('', '${NAME}'));`;
  const args = ['--require', windows, '--input-type=module', '--eval', script];
  expect(execFileSync(process.execPath, args, { encoding: 'utf8' })).toBe('false\n');
});
