/**
 * The log of a relay as a service: rotated by others, on a disk that is full, and with its last line.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { WaxwingProcess } from '../../e2e/support/waxwing.ts';
import { eventually, temporaryFolder } from '../../support/engine.ts';
import { ENTRY, waxwingProcess } from '../../support/waxwing-command.ts';

interface Line {
  msg: string;
  route?: string;
  of?: string;
  code?: string;
  count?: number;
  ms?: number;
}

const linesOf = (log: string) =>
  log
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Line);

/** A folder, a file for the log in it, and the arguments of a relay that uses both. */
function place() {
  const folder = temporaryFolder();
  const file = join(folder.path, 'relay.log');
  const args = ['relay', '--data', join(folder.path, 'data'), '--port', '0'];
  return { folder, file, args, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

describe('SIGHUP', () => {
  test('reopens the log file after a rotation, and the relay continues', async () => {
    using at = place();
    await using relay = new WaxwingProcess([...at.args, '--log-file', at.file]);
    const url = await relay.url();
    await fetch(`${url}/healthz`);
    renameSync(at.file, `${at.file}.1`);
    relay.signal('SIGHUP');
    await eventually(
      async () => existsSync(at.file),
      (exists) => exists,
    );
    await fetch(`${url}/readyz`);
    await relay.stop('SIGTERM');
    expect(relay.exitCode).toBe(0);
    const routes = (file: string) => linesOf(readFileSync(file, 'utf8')).flatMap(({ route }) => route ?? []);
    expect(routes(`${at.file}.1`)).toEqual(['/healthz']);
    expect(routes(at.file)).toEqual(['/readyz']);
  });

  test('does not end a relay that writes to standard error', async () => {
    using at = place();
    await using relay = new WaxwingProcess(at.args);
    const url = await relay.url();
    relay.signal('SIGHUP');
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    await relay.stop('SIGTERM');
    expect(relay.exitCode).toBe(0);
  });

  test('keeps the open file if no other can be created', async () => {
    using at = place();
    const link = join(at.folder.path, 'link.log');
    symlinkSync(at.file, link);
    await using relay = new WaxwingProcess([...at.args, '--log-file', link]);
    await relay.url();
    rmSync(link);
    symlinkSync(join(at.folder.path, 'no-folder', 'relay.log'), link);
    relay.signal('SIGHUP');
    await eventually(
      async () => readFileSync(at.file, 'utf8'),
      (log) => log.includes('log.not_reopened'),
    );
    await relay.stop('SIGTERM');
    expect(linesOf(readFileSync(at.file, 'utf8')).at(-1)).toMatchObject({ msg: 'relay.stopped' });
  });
});

describe('the last line has the reason for the stop and the uptime:', () => {
  test('a signal', async () => {
    using at = place();
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      await using relay = new WaxwingProcess(at.args);
      await fetch(`${await relay.url()}/healthz`);
      relay.signal(signal);
      await relay.end();
      expect(linesOf(relay.output).at(-1)).toMatchObject({
        msg: 'relay.stopped',
        of: signal,
        ms: expect.any(Number),
      });
    }
  });

  test('an unexpected error', async () => {
    using at = place();
    const crash = "process.on('SIGUSR2', () => { throw new RangeError('MARKER'); });";
    const url = `data:text/javascript,${encodeURIComponent(crash)}`;
    await using relay = new WaxwingProcess([...at.args, '--log-file', at.file], ['--import', url]);
    await relay.url();
    relay.signal('SIGUSR2');
    await relay.end();
    const log = readFileSync(at.file, 'utf8');
    expect(linesOf(log).at(-1)).toMatchObject({ msg: 'relay.stopped', of: 'crash', code: 'RangeError' });
    expect(log).not.toContain('MARKER');
  });
});

describe.skipIf(!existsSync('/dev/full'))('where the disk of the log is full', () => {
  test('a relay continues without room for its log, and reports the number of lost lines later', async () => {
    using at = place();
    const link = join(at.folder.path, 'link.log');
    symlinkSync('/dev/full', link);
    await using relay = new WaxwingProcess([...at.args, '--log-file', link]);
    const url = await relay.url();
    for (let call = 0; call < 3; call++) await fetch(`${url}/healthz`);
    rmSync(link);
    symlinkSync(at.file, link);
    relay.signal('SIGHUP');
    await eventually(
      async () => existsSync(at.file),
      (exists) => exists,
    );
    await relay.stop('SIGTERM');
    const [first, ...others] = linesOf(readFileSync(at.file, 'utf8'));
    expect(first).toMatchObject({ msg: 'log.dropped', count: expect.any(Number) });
    expect(first?.count).toBeGreaterThanOrEqual(3);
    expect(others.at(-1)).toMatchObject({ msg: 'relay.stopped' });
  });

  test.each(['json', 'pretty'])('a relay with %s on standard error continues', async (form) => {
    using at = place();
    const command = [process.execPath, ENTRY, ...at.args, '--log', form];
    const child = spawn('sh', ['-c', 'exec "$@" 2>/dev/full', 'sh', ...command], {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...process.env, WAXWING_LOG: 'off' },
    });
    const closed = once(child, 'close');
    const stdout = text(child.stdout);
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const url = /http:[^\s"]+/.exec(line.toString())?.[0] ?? '';
    for (let call = 0; call < 2; call++) expect((await fetch(`${url}/healthz`)).status).toBe(200);
    child.kill('SIGTERM');
    await closed;
    expect([child.exitCode, await stdout]).toEqual([0, expect.stringContaining('Press Ctrl+C')]);
  });
});

test('with --log json every line of a relay is JSON, from the start to the stop, and so is a failed start', async () => {
  using at = place();
  const args = [...at.args, '--metrics-port', '0', '--public-url', 'https://relay.example', '--log', 'json'];
  await using relay = new WaxwingProcess(args);
  const url = await relay.url();
  await relay.printed(/Press Ctrl\+C/);
  await relay.stop('SIGTERM');
  const lines = relay.output.split('\n').map((line) => JSON.parse(line) as Line);
  const messages = lines.map(({ msg }) => msg);
  expect(messages).toEqual(expect.arrayContaining([`The relay listens on ${url}`, 'Press Ctrl+C to stop.']));
  expect(messages.at(-1)).toBe('relay.stopped');

  const failed = await waxwingProcess([...args, '--host', '192.0.2.1']);
  const last = failed.stderr.trimEnd().split('\n');
  expect(last.map((line) => JSON.parse(line) as unknown)).toContainEqual({
    error: { code: 'failed', message: expect.stringContaining('192.0.2.1') },
  });
  const misused = await waxwingProcess([...args, '--port', 'x']);
  expect(JSON.parse(misused.stderr)).toMatchObject({ error: { code: 'usage' } });
});

test('an unwritable log file is refused with the reason', async () => {
  using at = place();
  const file = join(at.folder.path, 'no-folder', 'relay.log');
  const { code, stderr } = await waxwingProcess([...at.args, '--log-file', file]);
  expect([code, stderr]).toEqual([
    2,
    `The log cannot be written to ${file}: there is no such folder. Choose a file in an existing folder that your account can write to.\n`,
  ]);
});
