/** State of backups. A host makes and restores them, because it asks the person for their place. */
import type { FileParts } from '../parts.ts';
import type { Procedures } from './implementation.ts';

type Names = Extract<keyof Procedures, `backup.${string}`>;

export function backupProcedures({ context, backups }: FileParts): Pick<Procedures, Names> {
  return {
    'backup.get': () => ({ ...backups.state, hasPhrase: context.identity.get()?.walletKey != null }),
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
