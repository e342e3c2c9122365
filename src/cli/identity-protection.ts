/**
 * Protection of an identity's file on this machine: a passphrase of the environment, otherwise the key store of the
 * system, otherwise none, if explicitly requested.
 */
import { randomBytes } from 'node:crypto';
import { requirePassphrase } from '../base/require-passphrase.ts';
import { keyHolderOf, type Protection } from '../client/identity/sealed-file.ts';
import { findKeyringStore } from '../host/keys/keyring-store.ts';
import { commandError } from './command-error.ts';
import { mayBeUnprotected, passphraseOfEnvironment } from './passphrase.ts';
import { note } from './printing.ts';

const KEY_BYTES = 32;

/**
 * Protection for a new file.
 * @param mayBePlain true if the person requested none
 * @param own the handle and name that will be claimed
 * @throws CommandError if there is no protection; Failure if the passphrase is too easy to guess
 */
export async function newProtection(
  mayBePlain: boolean,
  own: readonly string[] = [],
  environment = process.env,
): Promise<Protection | undefined> {
  const passphrase = passphraseOfEnvironment(environment);
  if (passphrase !== null) {
    requirePassphrase(passphrase, own);
    return { passphrase };
  }
  if (mayBePlain) return undefined;
  const store = await findKeyringStore();
  const key = randomBytes(KEY_BYTES);
  const reference = await store?.keep(key).catch(() => null);
  if (reference) return { key, reference };
  throw commandError('credential', 'protection_missing', { keyStore: store ? 'locked' : 'none' });
}

/** Reports whether the keys in an identity's file are sealed. */
export function isProtected(file: string): boolean {
  return keyHolderOf(file) !== null;
}

/**
 * The protection of an existing file. A plain file stays plain: only `waxwing identity protect` changes that.
 * @throws CommandError if the protection is unavailable
 */
export async function protectionFor(
  file: string,
  environment = process.env,
): Promise<Protection | undefined> {
  const holder = keyHolderOf(file);
  const passphrase = passphraseOfEnvironment(environment);
  if (holder === null) {
    const isAllowed = mayBeUnprotected(undefined, environment);
    if (passphrase !== null || !isAllowed) {
      const unused = passphrase === null ? '' : ', and WAXWING_PASSPHRASE was not used';
      const remedy = isAllowed
        ? 'waxwing identity protect seals the file. To leave it so, unset WAXWING_PASSPHRASE.'
        : 'waxwing identity protect seals the file; WAXWING_UNPROTECTED_KEY=1 leaves it so.';
      note(`The keys in ${file} are not protected${unused}. ${remedy}`);
    }
    return undefined;
  }
  if (holder.kind === 'passphrase') {
    if (passphrase !== null) return { passphrase };
    throw commandError('credential', 'identity_under_passphrase', { file });
  }
  const { reference } = holder;
  try {
    const store = await findKeyringStore();
    if (store) return { key: (await store.fetch(reference)).secret, reference };
  } catch {
    // Reported below, with the remedy.
  }
  throw commandError('credential', 'identity_in_key_store', { file });
}
