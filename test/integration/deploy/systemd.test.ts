/**
 * The unit of deploy/systemd, as systemd reads it and as a process, and the rotation of deploy/logrotate.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { runAdminCommand } from '../../../src/relay/admin/client.ts';
import { WaxwingProcess } from '../../e2e/support/waxwing.ts';
import { eventually, temporaryFolder } from '../../support/engine.ts';
import { findProgram } from '../../support/front.ts';
import { startShipped } from '../../support/shipped-relay.ts';

const root = realpathSync(fileURLToPath(new URL('../../..', import.meta.url)));
const read = (name: string) => readFileSync(join(root, 'deploy', name), 'utf8');
const unit = read('systemd/waxwing-relay@.service');

const analyze = findProgram('systemd-analyze');
if (!analyze) console.warn('The systemd unit is not checked by systemd: there is no systemd-analyze here.');
const logrotate = findProgram('logrotate');
if (!logrotate) console.warn('The rotation of logs is not tested: there is no logrotate here.');

test.skipIf(!analyze)('systemd finds no fault in the unit, which has few rights', () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'waxwing-relay@main.service');
  writeFileSync(file, unit.replace('/opt/waxwing/node_modules/node/bin/node', process.execPath));
  const query = (...args: string[]) => spawnSync(analyze ?? '', [...args, file], { encoding: 'utf8' });
  // Checks this file only: units that it names need not exist here.
  const { status, stderr } = query('verify', '--man=no', '--recursive-errors=no');
  expect(stderr.split('\n').filter((line) => line.includes('waxwing-relay'))).toEqual([]);
  expect(status).toBe(0);
  // In tenths: up to 2.0 of 10.
  expect(query('security', '--offline=true', '--threshold=20')).toMatchObject({ status: 0 });
});

test('the unit starts after the clusters of PostgreSQL, and names no template', () => {
  const valuesOf = (key: string, text: string) =>
    [...text.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].flatMap(([, names = '']) => names.split(' '));
  const before = valuesOf('After', unit);
  expect(before).toContain('postgresql.service');
  expect(before.filter((name) => name.includes('@.'))).toEqual([]);
  const cluster = '/lib/systemd/system/postgresql@.service';
  if (existsSync(cluster)) {
    expect(valuesOf('Before', readFileSync(cluster, 'utf8'))).toContain('postgresql.service');
  } else console.warn('The order of Debian’s clusters is not checked: they are not installed here.');
  // Where the server has another unit, the relay restarts until it answers.
  expect(valuesOf('Restart', unit)).toEqual(['always']);
});

test('unit and image start Node with the same limits of memory', () => {
  const limits = (text: string) => text.match(/--max-semi-space-size=\d+/g);
  expect(limits(unit)).toHaveLength(1);
  expect(limits(read('container/Containerfile'))).toEqual(limits(unit));
});

test('the unit starts a relay that writes to its own folder only', async () => {
  using folder = temporaryFolder();
  const state = realpathSync(folder.path);
  await using relay = startShipped('unit', state);
  const url = await relay.url();
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  expect(await runAdminCommand(join(state, 'main'), 'stats', {})).toMatchObject({ registration: 'code' });
  const outside = join(state, '..', 'outside.db');
  const backup = runAdminCommand(join(state, 'main'), 'backup', { file: outside });
  await expect(backup).rejects.toThrow(
    `The backup ${outside} could not be written: Node's permissions do not allow this path. Use one`,
  );
  expect(existsSync(outside)).toBe(false);
  await relay.stop('SIGTERM');
  expect(relay.exitCode).toBe(0);
});

describe.skipIf(!logrotate)('logrotate', () => {
  test('rotates the log, and the relay continues in a new one', async () => {
    using folder = temporaryFolder();
    const logs = join(folder.path, 'logs');
    mkdirSync(logs, { mode: 0o700 });
    const file = join(logs, 'main.log');
    const data = join(folder.path, 'data');
    const args = ['relay', '--data', data, '--port', '0', '--log-file', file];
    await using relay = new WaxwingProcess(args);
    const url = await relay.url();
    await fetch(`${url}/healthz`);

    const { uid, username } = userInfo();
    const group = execFileSync('id', ['-gn'], { encoding: 'utf8' }).trim();
    const rotation = read('logrotate/waxwing')
      .replaceAll('/var/log/waxwing', logs)
      .replace('su waxwing waxwing', uid === 0 ? `su ${username} ${group}` : '')
      .replace(/^.*systemctl kill.*--signal=HUP.*$/m, `kill -HUP ${relay.pid}`);
    const configuration = join(folder.path, 'logrotate.conf');
    writeFileSync(configuration, rotation, { mode: 0o644 });
    const rotate = ['--force', '--state', join(folder.path, 'state'), configuration];
    const { status, stderr } = spawnSync(logrotate ?? '', rotate, { encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
    await eventually(
      async () => existsSync(file),
      (exists) => exists,
    );
    await fetch(`${url}/readyz`);
    await relay.stop();
    expect(readFileSync(`${file}.1`, 'utf8')).toContain('"/healthz"');
    expect(readFileSync(file, 'utf8')).toContain('"/readyz"');
    expect(readFileSync(file, 'utf8')).not.toContain('"/healthz"');
  });
});
