/** The passphrase that protects keys on this machine if no one types it: from the environment or a file. */
import { commandError } from './command-error.ts';
import { readSecretFile } from './secrets.ts';

/**
 * The passphrase of WAXWING_PASSPHRASE, or in the file of WAXWING_PASSPHRASE_FILE; null if neither is set.
 * @throws CommandError if both are set, or the file cannot be read or is empty
 */
export function passphraseOfEnvironment(environment = process.env): string | null {
  const { WAXWING_PASSPHRASE: passphrase, WAXWING_PASSPHRASE_FILE: file } = environment;
  if (passphrase && file) {
    throw commandError('credential', 'two_passphrases');
  }
  if (!file) return passphrase || null;
  const text = readSecretFile(file, 'The passphrase');
  if (text === '') throw commandError('credential', 'passphrase_empty', { file });
  return text;
}

/**
 * Reports whether unprotected keys are allowed on this machine: by `--unprotected-key`, or WAXWING_UNPROTECTED_KEY.
 */
export function mayBeUnprotected(option: true | undefined, environment = process.env): boolean {
  return option === true || Boolean(environment.WAXWING_UNPROTECTED_KEY);
}
