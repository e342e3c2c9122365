/** Procedures of the lock, answered by the host. */

import { z } from 'zod';
import { longest } from '../longest.ts';
import { LockState } from '../shapes/lock-state.ts';
import { nothing, Passphrase } from './inputs.ts';

export const lockProcedures = {
  'lock.state': { input: nothing, output: LockState },
  /** Sets the first passphrase if nothing else can protect the key. */
  'lock.choose': { input: z.strictObject({ passphrase: Passphrase }), output: LockState },
  'lock.unlock': { input: z.strictObject({ passphrase: Passphrase }), output: LockState },
  /** Unlocks with the recovery phrase or private key. A passphrase, if given, protects the key from then on. */
  'lock.recover': {
    input: z.strictObject({ secret: z.string().max(longest.secret), passphrase: Passphrase.nullable() }),
    output: LockState,
  },
  /** Tries the key store again. */
  'lock.retry': { input: nothing, output: LockState },
  /** Locks: closes the data and forgets the key, if a passphrase is set. */
  'lock.now': { input: nothing, output: LockState },
  /** Turns App lock on. */
  'lock.turnOn': { input: z.strictObject({ passphrase: Passphrase }), output: LockState },
  'lock.turnOff': { input: z.strictObject({ passphrase: Passphrase }), output: LockState },
  'lock.change': { input: z.strictObject({ passphrase: Passphrase, next: Passphrase }), output: LockState },
  /**
   * The recovery phrase, or the private key if there was none. Requires the passphrase if one is set. Desktop only.
   */
  'lock.revealSecret': {
    input: z.strictObject({ passphrase: Passphrase.nullable() }),
    output: z.strictObject({ kind: z.enum(['phrase', 'key']), secret: z.string() }),
  },
  /** Deletes identity and messages from this computer, and starts again. Requires the passphrase if one is set. */
  'lock.wipe': { input: z.strictObject({ passphrase: Passphrase.nullable() }), output: LockState },
  /** Restarts the timer of the automatic lock: someone is using the interface. */
  'lock.active': { input: nothing, output: nothing },
} as const;
