/** The choice of a backup in a folder whose drive is disconnected meanwhile. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { openNewest } from '../../../src/archive/open-newest.ts';
import { temporaryFolder } from '../../support/engine.ts';

const SECRETS = { key: new Uint8Array(32) };
const FOLDER = 'Waxwing backup 3f9a2c41';
const MANIFEST = '2026-03-04T120000Z-00000001.waxwing-backup';

afterEach(() => vi.restoreAllMocks());

/** Calls `work` before the names of a folder are read for this time. The folder is open by then. */
async function beforeReading(count: number, work: () => void): Promise<void> {
  const dir = await opendir(import.meta.dirname);
  const prototype = Object.getPrototypeOf(dir) as typeof dir;
  await dir.close();
  const { entries } = prototype as unknown as { entries: (typeof dir)[typeof Symbol.asyncIterator] };
  let readings = 0;
  vi.spyOn(prototype, Symbol.asyncIterator).mockImplementation(function (this: typeof dir) {
    readings += 1;
    if (readings === count) work();
    return entries.call(this);
  });
}

function folderWithBackup(parent: string): void {
  mkdirSync(join(parent, FOLDER), { recursive: true });
  writeFileSync(join(parent, FOLDER, MANIFEST), 'not a backup');
}

// Windows keeps a folder while it is open.
test.skipIf(process.platform === 'win32').each([
  ['the chosen folder', '', 1],
  ['the chosen folder', '', 2],
  ['the folder of backups in it', '', 3],
  ['the chosen folder of backups', FOLDER, 1],
  ['the chosen folder of backups', FOLDER, 2],
])(
  'a drive that is disconnected while %s is read is reported, not a folder without backups',
  async (_, path, reading) => {
    using folder = temporaryFolder();
    const drive = join(folder.path, 'drive');
    folderWithBackup(drive);
    await expect(openNewest(join(drive, path), SECRETS, null)).rejects.toMatchObject({
      code: 'backup_unknown',
    });
    await beforeReading(reading, () => rmSync(drive, { recursive: true }));
    await expect(openNewest(join(drive, path), SECRETS, null)).rejects.toMatchObject({
      code: 'backup_unreadable',
    });
    expect(existsSync(drive)).toBe(false);
  },
);

const OTHER_DISK = '/dev/shm';
const hasOtherDisk = existsSync(OTHER_DISK) && statSync(OTHER_DISK).dev !== statSync(tmpdir()).dev;

test.skipIf(!hasOtherDisk)(
  'the empty folder in the place of an unmounted drive is not reported as a folder without backups',
  async () => {
    using folder = temporaryFolder();
    const [empty, place] = [join(folder.path, 'empty'), join(folder.path, 'place')];
    mkdirSync(empty);
    const drive = mkdtempSync(join(OTHER_DISK, 'waxwing-'));
    try {
      // Like a mount: at this path is a folder of another disk.
      symlinkSync(drive, place);
      await beforeReading(1, () => {
        rmSync(place);
        symlinkSync(empty, place);
      });
      await expect(openNewest(place, SECRETS, null)).rejects.toMatchObject({ code: 'backup_unreadable' });
    } finally {
      rmSync(drive, { recursive: true });
    }
  },
);

test('a folder without backups is reported as one', async () => {
  using folder = temporaryFolder();
  await expect(openNewest(folder.path, SECRETS, null)).rejects.toMatchObject({ code: 'backup_folder_empty' });
});
