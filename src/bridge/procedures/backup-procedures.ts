/** Procedures of backups and their restore. */

import { z } from 'zod';
import { FailureShape } from '../failure.ts';
import { longest } from '../longest.ts';
import { Time } from '../shapes/values.ts';
import { Count, nothing, Passphrase } from './inputs.ts';

/** Secrets that open a new backup: at least one of them. */
const BackupSecret = z
  .strictObject({ passphrase: Passphrase.nullable(), withPhrase: z.boolean() })
  .refine(({ passphrase, withPhrase }) => passphrase !== null || withPhrase);

/**
 * A restore at its end: time of the backup, the number of newer ones in its folder that could not be opened, and the number of
 * records in it that were left out.
 */
const RestoredBackup = z.strictObject({ at: Time, skipped: Count, leftOut: Count });

/** Answered by the engine. */
export const backupEngineProcedures = {
  /** The last backup, and the work in progress. */
  'backup.get': {
    input: nothing,
    output: z.strictObject({
      /** `missingFiles` could not be read on this computer. */
      last: z.strictObject({ at: Time, bytes: Count, missingFiles: Count }).nullable(),
      /** `checking` comes before a restore, `verifying` at the end of a backup. Only the ratio of the numbers is meaningful. */
      progress: z
        .strictObject({
          is: z.enum(['making', 'verifying', 'checking', 'restoring']),
          done: z.number(),
          total: z.number(),
        })
        .nullable(),
      /** Of the last backup or restore since the start. */
      problem: FailureShape.nullable(),
      /** Automatic backups, with the time and the failure of the last one; null for none. */
      folder: z
        .strictObject({ path: z.string(), at: Time.nullable(), problem: FailureShape.nullable() })
        .nullable(),
      /** A restore is incomplete. It continues when its file is chosen again. */
      isRestoreOpen: z.boolean(),
      /** The restore that this start of the app has continued to its end; null for none. */
      resumed: RestoredBackup.nullable(),
      /** The recovery phrase or private key is on this computer. */
      hasPhrase: z.boolean(),
      /** There is no backup of the last month, and the person has not postponed the reminder. */
      isDue: z.boolean(),
    }),
  },
  /** Postpones the reminder of a backup by a month. */
  'backup.remindLater': { input: nothing, output: nothing },
  /** Makes an automatic backup now. Its end is in `backup.get`. */
  'backup.folderNow': { input: nothing, output: nothing },
  /** Ends automatic backups. Those in the folder stay. */
  'backup.folderEnd': { input: nothing, output: nothing },
  /** Stops a backup or restore that is running. */
  'backup.stop': { input: nothing, output: nothing },
  /** Cancels an incomplete restore. The restored data stays. */
  'backup.giveUp': { input: nothing, output: nothing },
} as const;

/** Answered by the host. */
export const backupHostProcedures = {
  /**
   * Makes a backup in a place of the person's choice, opened by its own passphrase, by the recovery phrase, or by both.
   * False if the person cancels. In a browser, `download` is the path of the backup.
   */
  'backup.make': {
    input: BackupSecret,
    output: z.strictObject({ isMade: z.boolean(), download: z.string().nullable() }),
  },
  /** Begins automatic backups in a folder of the person's choice; false if the person cancels. Desktop only. */
  'backup.chooseFolder': { input: BackupSecret, output: z.strictObject({ isChosen: z.boolean() }) },
  /** Asks for the backup to restore, or for the folder with it; false if the person cancels. Desktop only. */
  'backup.choose': {
    input: z.strictObject({ from: z.enum(['file', 'folder']) }),
    output: z.strictObject({ isChosen: z.boolean() }),
  },
  /** Begins to write the backup to restore, in pieces to this path. For a browser. */
  'backup.upload': { input: z.strictObject({ size: Count }), output: z.strictObject({ path: z.string() }) },
  /**
   * Restores the backup that was chosen or written. Nothing changes before all of it is verified.
   * @param secret its passphrase, or the recovery phrase, and nothing else is tried; null: the phrase on this computer
   */
  'backup.restore': {
    input: z.strictObject({ secret: z.string().min(1).max(longest.secret).nullable() }),
    output: RestoredBackup,
  },
} as const;
