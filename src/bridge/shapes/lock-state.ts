/** Lock state of the data, and the protection of its key. */

import { z } from 'zod';
import { FailureShape } from '../failure.ts';

/** Protection of the local database's key on this machine. */
export const KeyProtection = z.strictObject({
  kind: z.enum(['os-key-store', 'passphrase', 'file']),
});
export type KeyProtection = z.infer<typeof KeyProtection>;

/** Progress of the change of the local data to the format of a new version. */
export const MigrationProgress = z.strictObject({
  /** Rows of the local database. */
  done: z.number().int().nonnegative(),
  total: z.number().int().nonnegative(),
  /** Room on the disk that it needs, at most. */
  bytes: z.number().int().nonnegative(),
});
export type MigrationProgress = z.infer<typeof MigrationProgress>;

/** Reports whether the data is open, and the possible actions if it is not. */
export const LockState = z.strictObject({
  /** `opening`: the key is available, and the engine is starting. */
  phase: z.enum(['opening', 'choose-passphrase', 'locked', 'open']),
  /**
   * Reason of the lock. Only `passphrase` is opened by one; the others by the key store or the recovery
   * phrase.
   */
  because: z.enum(['passphrase', 'store-changed', 'store-missing', 'store-refused', 'other-host']).nullable(),
  /** True if the recovery phrase or private key opens it. */
  canBeRecovered: z.boolean(),
  /** True if only a passphrase can protect the key on this machine. */
  needsPassphrase: z.boolean(),
  /** Number of wrong passphrases since the last right one. */
  failedAttempts: z.number().int().nonnegative(),
  /** Milliseconds until the next attempt is allowed. */
  wait: z.number().nonnegative(),
  /** While locked: whether messages have arrived at the relay. They are neither opened nor acknowledged. */
  messagesWaiting: z.boolean(),
  /** While opening: the update of large data to the format of a new version; null for none. */
  update: MigrationProgress.nullable(),
  /** Reason why the data was not opened, although its key was right; null for none. */
  failure: FailureShape.nullable(),
});
export type LockState = z.infer<typeof LockState>;
