/** A disk that stops answering during a backup: a stop, a lock and the next work do not wait for it. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { BackupSecrets } from '../../../../src/archive/keys.ts';
import { startEngine } from '../../../../src/engine/start.ts';
import { backUp } from '../../../support/backups.ts';
import { eventually, temporaryFolder } from '../../../support/engine.ts';
import { LATER, openAnn } from '../../../support/history.ts';
import { SILENT_DISK_THREAD, SilentDisk } from '../../../support/silent-disk.ts';

const SECRETS: BackupSecrets = { passphrase: null, walletKey: new Uint8Array(32).fill(7) };

// Windows has no pipes in folders.
test.skipIf(process.platform === 'win32')(
  'a stopped backup ends, and another one begins once the disk answers',
  async () => {
    using target = temporaryFolder();
    await using source = backUp(
      openAnn(() => LATER),
      SILENT_DISK_THREAD,
    );
    const path = join(target.path, 'a.waxwing-backup');
    await using disk = new SilentDisk(source.device.folder);
    const stopped = source.backups.make(path, SECRETS).catch((error: unknown) => error);
    await disk.waited;
    await source.backups.stop();
    expect(await stopped).toMatchObject({ code: 'backup_stopped' });
    expect(source.backups.state).toMatchObject({ progress: null, problem: null });
    await expect(source.backups.make(path, SECRETS)).rejects.toMatchObject({ code: 'disk_silent' });
    await expect(source.backups.setFolder(target.path, SECRETS)).rejects.toMatchObject({
      code: 'disk_silent',
    });
    await disk.answer();
    const made = () => source.backups.make(path, SECRETS).catch(() => null);
    await eventually(made, (result) => result !== null);
    expect(existsSync(path)).toBe(true);
  },
);

test.skipIf(process.platform === 'win32')('the file thread closes without the disk', async () => {
  using target = temporaryFolder();
  await using source = backUp(
    openAnn(() => LATER),
    SILENT_DISK_THREAD,
  );
  await using disk = new SilentDisk(source.device.folder);
  const ended = source.backups
    .make(join(target.path, 'a.waxwing-backup'), SECRETS)
    .catch((error: unknown) => error);
  await disk.waited;
  await source.killThread();
  expect(await ended).toMatchObject({ code: 'backup_stopped' });
});

test.skipIf(process.platform === 'win32')(
  'an engine closes without the disk, as for a lock, and the next one does not begin on it',
  async () => {
    using data = temporaryFolder();
    using target = temporaryFolder();
    const sources = new URL('../../../../src/engine/', import.meta.url);
    const start = () =>
      startEngine({
        dataDirectory: data.path,
        databaseKey: new Uint8Array(32).fill(3),
        relays: { embedded: null, fixed: null },
        workers: {
          engine: new URL('worker.ts', sources),
          sealing: new URL('sealing/worker.ts', sources),
          files: SILENT_DISK_THREAD,
        },
      });
    const choice = { passphrase: 'a long passphrase', withPhrase: false };
    const engine = await start();
    await using disk = new SilentDisk(data.path);
    const chosen = engine.setBackupFolder(target.path, choice);
    await disk.waited;
    await engine.close();
    expect(await chosen).toMatchObject({ ok: false });
    const next = await start();
    const refused = { ok: false, failure: { code: 'disk_silent' } };
    expect(await next.setBackupFolder(target.path, choice)).toMatchObject(refused);
    await disk.answer();
    await eventually(
      () => next.setBackupFolder(target.path, choice),
      ({ ok }) => ok,
    );
    await next.close();
  },
);
