import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
// @ts-expect-error: a script of plain JavaScript
import { programOf } from '../../../scripts/project.mjs';
import { WaxwingProcess } from '../../e2e/support/waxwing.ts';
import { eventually, temporaryFolder } from '../../support/engine.ts';
import { freePort } from '../../support/free-port.ts';
import { answer } from '../../support/waxwing-command.ts';
import { refusal } from './waxwing.ts';

const CHEAP_SCRYPT = new URL('../../support/cheap-scrypt.ts', import.meta.url).href;
const SIGNAL_BEFORE_LISTENING = new URL('../../support/signal-before-listening.ts', import.meta.url).href;

describe('serve', () => {
  test('starts again after kill -9, with the same folder and port', async () => {
    using folder = temporaryFolder();
    const args = ['serve', '--data', folder.path, '--port', `${await freePort()}`];
    const killed = new WaxwingProcess(args);
    const first = new URL(await killed.url());
    expect((await fetch(first.origin)).status).toBe(200);
    expect(await refusal('serve', '--data', folder.path)).toMatch(/^Waxwing is already running/);
    await killed.stop('SIGKILL');

    const again = new WaxwingProcess(args);
    const second = new URL(await again.url());
    expect(second.origin).toBe(first.origin);
    expect(second.hash).not.toBe(first.hash);
    await again.stop('SIGTERM');
    expect(again.exitCode).toBe(0);
  });

  // Windows has no signal that a program could handle.
  test.skipIf(process.platform === 'win32')(
    'SIGTERM before it listens ends it without a link, and the next start opens the same data',
    async () => {
      using folder = temporaryFolder();
      const args = ['serve', '--data', folder.path];
      const nodeOptions = [CHEAP_SCRYPT, SIGNAL_BEFORE_LISTENING].flatMap((file) => ['--import', file]);
      const ended = new WaxwingProcess(args, nodeOptions);
      await ended.end();
      expect([ended.exitCode, ended.output]).toEqual([0, '']);
      const keys = readFileSync(join(folder.path, 'keys.json'), 'utf8');

      await using again = new WaxwingProcess(args);
      expect((await fetch(new URL(await again.url()).origin)).status).toBe(200);
      expect(readFileSync(join(folder.path, 'keys.json'), 'utf8')).toBe(keys);
    },
  );

  test('starts with an unreachable relay: the app reports it on request', async () => {
    using folder = temporaryFolder();
    const nobody = `http://127.0.0.1:${await freePort()}`;
    await using app = new WaxwingProcess(['serve', '--data', folder.path, '--relay', nobody]);
    expect((await fetch(new URL(await app.url()).origin)).status).toBe(200);
  });
});

describe('relay', () => {
  // Windows has no signal that a program could end on.
  test.skipIf(process.platform === 'win32')('ends with the npm that started it', async () => {
    using folder = temporaryFolder();
    const port = await freePort();
    const args = ['run', '-s', 'waxwing', '--', 'relay', '--port', String(port), '--data', folder.path];
    const [file, ...before]: [string, ...string[]] = programOf('npm');
    const npm = spawn(file, [...before, ...args], { stdio: ['ignore', 'pipe', 'ignore'] });
    await once(npm.stdout, 'data');
    npm.kill('SIGTERM');
    await eventually(
      () =>
        fetch(`http://127.0.0.1:${port}/healthz`).then(
          () => false,
          () => true,
        ),
      (isGone) => isGone,
    );
  });
});

describe('demo', () => {
  test('prints all of it as JSON', async () => {
    const { ok, steps } = await answer<{ ok: boolean; steps: { section: string; what: string }[] }>(['demo']);
    expect(ok).toBe(true);
    expect(new Set(steps.map(({ section }) => section))).toContain('A bot');
  });
});
