/**
 * Calls for backups. A desktop asks the person for their place. Without one, the page downloads a backup from an address, and
 * writes one to an address (src/host/backup-transfers.ts).
 */
import { needsOtherBackup } from '../base/backup-failures.ts';
import { Failure, failureFrom } from '../base/failure.ts';
import { requirePassphrase } from '../base/require-passphrase.ts';
import type { Input } from '../bridge/contract.ts';
import type { Answer } from '../bridge/failure.ts';
import type { BackupTransfers } from './backup-transfers.ts';
import type { Session } from './session.ts';

export const BACKUP_EXTENSION = 'waxwing-backup';

/** Dialogs of a desktop for backups. */
export interface BackupDesktop {
  /** Asks for a place to save a file of this name; null if the person cancels. */
  askForPlace(name: string): Promise<string | null>;
  /** Asks for a backup, or for a folder with backups; null if the person cancels. */
  askForBackup(from: 'file' | 'folder'): Promise<string | null>;
  /** Asks for a folder for automatic backups; null if the person cancels. */
  askForFolder(): Promise<string | null>;
}

export function backupCalls(
  session: Pick<Session, 'backups'>,
  desktop: BackupDesktop | undefined,
  transfers: BackupTransfers,
  now: () => Date = () => new Date(),
) {
  /** Path of the backup to restore. */
  let chosen: string | null = null;
  const backups = () => {
    const { backups: access } = session;
    if (!access) throw new Failure('locked');
    return access;
  };
  return {
    'backup.make': async ({ passphrase, withPhrase }: Input<'backup.make'>) => {
      const access = backups();
      if (passphrase !== null) requirePassphrase(passphrase);
      const name = `Waxwing ${dayOf(now())}.${BACKUP_EXTENSION}`;
      const path = desktop ? await desktop.askForPlace(name) : transfers.newDownload();
      if (path === null) return { isMade: false, download: null };
      unwrap(await access.makeBackup(path, { passphrase, withPhrase }));
      return { isMade: true, download: desktop ? null : await transfers.offer(name) };
    },
    'backup.chooseFolder': async ({ passphrase, withPhrase }: Input<'backup.chooseFolder'>) => {
      const access = backups();
      if (!desktop) throw new Failure('files_in_desktop_only');
      if (passphrase !== null) requirePassphrase(passphrase);
      const path = await desktop.askForFolder();
      if (path === null) return { isChosen: false };
      unwrap(await access.setBackupFolder(path, { passphrase, withPhrase }));
      return { isChosen: true };
    },
    'backup.choose': async ({ from }: Input<'backup.choose'>) => {
      if (!desktop) throw new Failure('files_in_desktop_only');
      const path = await desktop.askForBackup(from);
      if (path === null) return { isChosen: false };
      chosen = path;
      return { isChosen: true };
    },
    'backup.upload': async ({ size }: Input<'backup.upload'>) => {
      backups();
      return { path: await transfers.newUpload(size) };
    },
    'backup.restore': async ({ secret }: Input<'backup.restore'>) => {
      const path = chosen ?? transfers.uploaded();
      if (path === null) throw new Failure('backup_unreadable');
      const answer = await backups().restoreBackup(path, secret);
      if (!answer.ok && needsOtherBackup(answer.failure.code)) {
        chosen = null;
        // Another attempt may read it: a restore that has begun continues with it at the next start.
        if (answer.failure.code !== 'backup_unreadable') await transfers.removeUpload();
      }
      const restored = unwrap(answer);
      chosen = null;
      await transfers.removeUpload();
      return restored;
    },
  };
}

/** A date in the name of a file, by the local clock. */
function dayOf(date: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

function unwrap<T>(answer: Answer<T>): T {
  if (!answer.ok) throw failureFrom(answer.failure);
  return answer.value;
}
