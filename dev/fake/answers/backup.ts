/** Backups that finish at once and are empty, and histories that never move. */
import { Failure, type FailureCode } from '../../../src/base/failure.ts';
import type { Answers, Emit } from '../contract.ts';
import type { DelayedAnswers } from '../delayed-answers.ts';
import { NOW } from '../people.ts';
import type { World } from '../world.ts';

type Names = Extract<keyof Answers, `backup.${string}` | `history.${string}`>;

/** Opens backups here. */
export const BACKUP_PASSPHRASE = 'passphrase of a backup';
/** The same of a backup with records that are left out. */
export const PARTLY_PASSPHRASE = 'passphrase of a newer backup';
/** Other passphrases, with the failures of the backups that they open. Any other one opens none. */
export const FAILING_PASSPHRASES = {
  damaged: 'passphrase of a damaged backup',
  other: 'passphrase of another account',
  away: 'passphrase on a removed disk',
  full: 'passphrase for a full disk',
};

const FAILURES: ReadonlyMap<string | null, FailureCode> = new Map([
  [FAILING_PASSPHRASES.damaged, 'backup_damaged'],
  [FAILING_PASSPHRASES.other, 'backup_of_other'],
  [FAILING_PASSPHRASES.away, 'backup_unreadable'],
  [FAILING_PASSPHRASES.full, 'disk_full'],
]);

const FOLDER = '/media/ann/disk/Waxwing backup 3f9a2c41';

/** Name of the work of a restore, by which a test delays it: the progress is shown meanwhile. */
export const RESTORE_WORK = 'backup.restore.work';
/** The same for a backup. */
export const MAKE_WORK = 'backup.make.work';

export function backupAnswers(world: World, emit: Emit, delayed: DelayedAnswers): Pick<Answers, Names> {
  const change = (part: Partial<World['backup']>) => {
    world.backup = { ...world.backup, ...part };
    emit('backup.changed', {});
  };
  const make = async () => {
    change({ progress: { is: 'making', done: 0, total: 1 }, problem: null });
    await delayed.pass(MAKE_WORK).finally(() => change({ progress: null }));
  };
  const backUpInFolder = async () => {
    await make();
    change({
      folder: { path: world.backup.folder?.path ?? FOLDER, at: NOW, problem: null },
      last: { at: NOW, bytes: 12_500_000, missingFiles: 0 },
      isDue: false,
    });
  };
  return {
    'history.get': () => world.history,
    'history.offer': ({ deviceId }) => {
      const { receiving, sending } = world.history;
      const offered = { deviceId, state: 'waiting' as const, done: 0, total: 0, problem: null };
      world.history = {
        receiving,
        sending: sending.map((each) => (each.deviceId === deviceId ? offered : each)),
      };
      emit('history.changed', {});
      return {};
    },
    'history.stop': ({ deviceId }) => {
      const { receiving, sending } = world.history;
      world.history =
        deviceId === null
          ? { receiving: null, sending }
          : { receiving, sending: sending.filter((each) => each.deviceId !== deviceId) };
      emit('history.changed', {});
      return {};
    },
    'backup.get': () => world.backup,
    'backup.make': async ({ passphrase }) => {
      await make();
      if (passphrase === FAILING_PASSPHRASES.full) {
        const failure = new Failure('backup_no_room');
        change({ problem: failure.data });
        throw failure;
      }
      change({ last: { at: NOW, bytes: 12_500_000, missingFiles: 0 }, problem: null, isDue: false });
      return {
        isMade: true,
        download: world.host.kind === 'browser' ? '/files/made/1x1/Waxwing.waxwing-backup' : null,
      };
    },
    'backup.choose': () => ({ isChosen: true }),
    // Its own path: the server keeps the files of all scenes that one worker opens.
    'backup.upload': () => ({ path: `/files/${crypto.randomUUID()}` }),
    'backup.restore': async ({ secret }) => {
      change({ progress: { is: 'checking', done: 0, total: 1 }, problem: null, resumed: null });
      await delayed.pass(RESTORE_WORK).finally(() => change({ progress: null }));
      if (secret !== BACKUP_PASSPHRASE && secret !== PARTLY_PASSPHRASE) {
        const failure = new Failure(FAILURES.get(secret) ?? 'backup_secret_wrong');
        change({ problem: failure.data });
        throw failure;
      }
      change({ isRestoreOpen: false, problem: null });
      return { at: NOW, skipped: 0, leftOut: secret === PARTLY_PASSPHRASE ? 3 : 0 };
    },
    'backup.chooseFolder': () => {
      change({ folder: { path: FOLDER, at: null, problem: null } });
      void backUpInFolder();
      return { isChosen: true };
    },
    'backup.folderNow': () => {
      void backUpInFolder();
      return {};
    },
    'backup.folderEnd': () => {
      change({ folder: null });
      return {};
    },
    'backup.remindLater': () => {
      change({ isDue: false });
      return {};
    },
    'backup.stop': () => {
      change({ progress: null });
      return {};
    },
    'backup.giveUp': () => {
      change({ isRestoreOpen: false, progress: null, problem: null });
      return {};
    },
  };
}
