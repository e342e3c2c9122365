import type { FailureCode } from './failure.ts';

/** Failures of a restore after which the person chooses a backup again: no passphrase opens this one. */
const UNRESTORABLE: ReadonlySet<FailureCode> = new Set([
  'backup_unknown',
  'backup_newer',
  'backup_damaged',
  'backup_damaged_in_part',
  'backup_of_other',
  'backup_unreadable',
  'backup_folder_empty',
]);

/** Reports whether the person has to choose a backup again after a failure of a restore. */
export function needsOtherBackup(code: FailureCode): boolean {
  return UNRESTORABLE.has(code);
}
