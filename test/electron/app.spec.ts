/**
 * The app in the real Electron, also packaged. Runs where its binary and a display are; elsewhere it says so and counts
 * as skipped.
 */
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { checkFuses } from '../../scripts/fuses.ts';
import { firstRun, sayHello } from '../e2e/support/pages.ts';
import { temporaryFolder } from '../support/engine.ts';
import { binary, isPackaged, startApp, startProcess } from './support.ts';

test.skip(binary === '', 'Electron’s binary or a display is missing here.');

const visibility = (page: Page) => page.evaluate(() => document.visibilityState);

test('a newcomer talks to @echo; closing the window keeps the app; a second start shows it and ends', async () => {
  using folder = temporaryFolder();
  const app = await startApp(folder.path);
  const { page } = app;
  try {
    await firstRun(page, 'desktop');
    await sayHello(page, 'Hello from the desktop');

    await page.evaluate(() => window.close());
    await expect.poll(() => visibility(page)).toBe('hidden');
    // The lock is held, so the second instance shows the first one's window and ends.
    const [code] = await once(startProcess(folder.path), 'exit');
    expect(code).toBe(0);
    await expect.poll(() => visibility(page)).toBe('visible');
  } finally {
    await app.stop();
  }
});

test('the key is kept by the system, and the page has neither Node nor Electron', async () => {
  using folder = temporaryFolder();
  const app = await startApp(folder.path);
  try {
    await firstRun(app.page, 'desktop');
    await app.page.keyboard.press('Control+,');
    await expect(app.page.getByText('This is Waxwing')).toBeVisible();
    const found = await app.page.evaluate(async () => ({
      globals: ['process', 'require', 'module', 'Buffer', 'electron'].filter((name) => name in globalThis),
      origin: location.origin,
      info: await (
        globalThis as unknown as { waxwing: { calls: Record<string, (input: object) => unknown> } }
      ).waxwing.calls['host.info']?.({}),
    }));
    expect(found.globals).toEqual([]);
    expect(found.origin).toMatch(/^app:/);
    expect(found.info).toMatchObject({
      ok: true,
      value: { kind: 'electron', keyProtection: { kind: 'os-key-store' } },
    });
  } finally {
    await app.stop();
  }
});

test('the page’s process is in the sandbox', async () => {
  test.skip(process.platform !== 'linux', 'Only Linux tells of a process what its sandbox is.');
  using folder = temporaryFolder();
  const app = await startApp(folder.path);
  try {
    const renderers = readdirSync('/proc')
      .filter((pid) => /^\d+$/.test(pid))
      .filter((pid) => {
        try {
          const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
          return command.startsWith(dirname(binary)) && command.includes('--type=renderer');
        } catch {
          // It has ended meanwhile.
          return false;
        }
      });
    expect(renderers).not.toEqual([]);
    for (const pid of renderers) {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      expect(status).toMatch(/^NoNewPrivs:\s1$/m);
      // 2: filtered, by seccomp(2).
      expect(status).toMatch(/^Seccomp:\s2$/m);
    }
  } finally {
    await app.stop();
  }
});

test('the fuses of the packaged app are as they have to be', async () => {
  test.skip(!isPackaged, 'Electron itself has the fuses that it comes with.');
  await checkFuses(binary);
});
