/** State of backups. A host makes and restores them, because it asks the person for their place. */
import type { FileParts } from '../parts.ts';
import type { Procedures } from './implementation.ts';

const WEEK = 7 * 24 * 60 * 60 * 1000;
const MONTH = 30 * 24 * 60 * 60 * 1000;

type Names = Extract<keyof Procedures, `backup.${string}`>;

export function backupProcedures({ context, backups, automaticBackups }: FileParts): Pick<Procedures, Names> {
  const isDue = (): boolean => {
    const { backupRows, identity, now } = context;
    const last = backupRows.last()?.at ?? 0;
    const registeredAt = identity.get()?.registeredAt ?? null;
    if (registeredAt === null) return false;
    // A clock that was ahead must not postpone the reminder by more than a month.
    const remindFrom = Math.min(backupRows.remindFrom(), now() + MONTH);
    return now() >= Math.max(registeredAt + WEEK, Math.min(last, now()) + MONTH, remindFrom);
  };

  return {
    'backup.get': () => ({
      ...backups.state,
      hasPhrase: context.identity.get()?.walletKey != null,
      isDue: isDue(),
    }),
    'backup.remindLater': () => {
      context.backupRows.setRemindFrom(context.now() + MONTH);
      context.emit('backup.changed', {});
      return {};
    },
    'backup.folderNow': () => {
      void automaticBackups.makeNow();
      return {};
    },
    'backup.folderEnd': async () => {
      await backups.endFolder();
      return {};
    },
    'backup.stop': async () => {
      await backups.stop();
      return {};
    },
    'backup.giveUp': async () => {
      await backups.giveUpRestore();
      return {};
    },
  };
}
