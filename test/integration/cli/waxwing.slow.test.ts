import { describe, expect, test } from 'vitest';
import { WaxwingProcess } from '../../e2e/support/waxwing.ts';
import { temporaryFolder } from '../../support/engine.ts';
import { freePort } from '../../support/free-port.ts';
import { refusal } from './waxwing.ts';

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

  test('starts with an unreachable relay: the app reports it on request', async () => {
    using folder = temporaryFolder();
    const nobody = `http://127.0.0.1:${await freePort()}`;
    await using app = new WaxwingProcess(['serve', '--data', folder.path, '--relay', nobody]);
    expect((await fetch(new URL(await app.url()).origin)).status).toBe(200);
  });
});
