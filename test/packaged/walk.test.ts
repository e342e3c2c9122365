/**
 * The walk of test/e2e/desktop.spec.ts through the packed app: from its archive, in a folder outside of the repository, on
 * the double of `electron`, its page in Chromium.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
// @ts-expect-error: a script of plain JavaScript
import { programOf } from '../../scripts/project.mjs';
import { temporaryFolder } from '../support/engine.ts';
import { packForLinux, unpackApp } from '../support/packed-app.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

// Native modules are installed for one platform: this test is for Linux.
test.runIf(process.platform === 'linux' && process.arch === 'x64')(
  'a person uses the packed app from first run to quitting',
  async () => {
    using folder = temporaryFolder();
    const dist = await packForLinux(folder.path);
    const main = unpackApp(join(dist, 'linux-unpacked', 'resources'), join(folder.path, 'app'));
    const [node, ...before]: [string, ...string[]] = programOf('playwright');
    const args = [...before, 'test', '--project=e2e', 'test/e2e/desktop.spec.ts', '--reporter=line'];
    const { status, stdout, stderr } = spawnSync(node, args, {
      cwd: root,
      env: { ...process.env, WAXWING_PACKED_MAIN: main.href },
      encoding: 'utf8',
    });
    expect(status, stdout + stderr).toBe(0);
    expect(stdout).toMatch(/\b[1-9]\d* passed/);
  },
);
