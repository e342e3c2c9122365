/**
 * Secrets come from the environment, a file or standard input; never from the argument list.
 */
import { readFileSync, statSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { CommandError, credentialError, usageError } from './command-error.ts';

const CREDENTIAL = /^(?:sk_live_|gtk_live_|ses_)[A-Za-z0-9_-]{20,}$/;
const SECRET_OPTION = /^--(api-key|group-token|token|secret|password|passphrase|phrase|private-key)(?:=|$)/;

const INSTEAD: Readonly<Record<string, string>> = {
  'api-key': 'Set WAXWING_API_KEY, or name a file that holds it with WAXWING_API_KEY_FILE.',
  'group-token': 'Set WAXWING_GROUP_TOKEN, or name a file that holds it with WAXWING_GROUP_TOKEN_FILE.',
  password: 'Set WAXWING_GROUP_PASSWORD, or give --password-file.',
  passphrase: 'Set WAXWING_PASSPHRASE, or name a file that holds it with WAXWING_PASSPHRASE_FILE.',
  phrase: 'Give waxwing init --import FILE, with - for standard input.',
  'private-key': 'Give waxwing init --import FILE, with - for standard input.',
};
const OTHERWISE =
  'Set WAXWING_API_KEY or WAXWING_GROUP_TOKEN, or name a file that holds it with WAXWING_API_KEY_FILE or WAXWING_GROUP_TOKEN_FILE.';

/**
 * Looks at the arguments before anything else does, so that no message repeats a secret.
 * @throws CommandError if one of them is a secret
 */
export function refuseSecrets(args: readonly string[]): void {
  const end = args.indexOf('--');
  const options = end === -1 ? args : args.slice(0, end);
  const option = options.map((arg) => SECRET_OPTION.exec(arg)?.[1]).find((name) => name !== undefined);
  const isSecret = args.some((arg) => CREDENTIAL.test(arg.replace(/^--?[\w-]*=/, '')));
  if (option === undefined && !isSecret) return;
  throw usageError(
    `Secrets do not belong in arguments: other programs on this computer can read them, and the shell writes them into its history. ${INSTEAD[option ?? ''] ?? OTHERWISE}`,
  );
}

/**
 * The text in a file, without the line break at its end.
 * @param what as in 'The password', for the sentence if it cannot be had
 * @param fail what kind of failure that is
 * @throws CommandError
 */
export function readTextFile(file: string, what: string, fail = usageError): string {
  try {
    return decode(readFileSync(file), what);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw fail(`${what} cannot be read from ${file}: ${reasonOf(error)}`);
  }
}

/**
 * The text in a file that holds a secret, without the line break at its end.
 * @param what as in 'The secret'
 * @throws CommandError if other accounts of the computer can read it, or it cannot be read
 */
export function readSecretFile(file: string, what: string): string {
  const mode = othersMayRead(file);
  if (mode !== null) {
    throw credentialError(
      `${what} in ${file} can be read by other accounts of this computer (mode ${mode.toString(8)}). Make it yours alone: chmod 600 ${file}`,
    );
  }
  return readTextFile(file, what, credentialError);
}

/** The mode of a file that other accounts of the computer may use; null if it is its owner's alone, or no file. */
export function othersMayRead(file: string): number | null {
  const found = statSync(file, { throwIfNoEntry: false });
  if (process.platform === 'win32' || !found?.isFile()) return null;
  const mode = found.mode & 0o777;
  return (mode & 0o077) !== 0 ? mode : null;
}

/**
 * The text of standard input, without the line break at its end.
 * @throws CommandError
 */
export async function readStandardInput(what: string): Promise<string> {
  return decode(await buffer(process.stdin), what);
}

/** The text in a file or, for `-`, of standard input. */
export async function readText(source: string, what: string): Promise<string> {
  return source === '-' ? readStandardInput(what) : readTextFile(source, what);
}

function decode(bytes: Uint8Array, what: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/\r?\n$/, '');
  } catch {
    throw usageError(`${what} is not text in UTF-8.`);
  }
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'ENOENT') return 'there is no such file.';
  if (code === 'EISDIR') return 'that is a folder.';
  if (code === 'EACCES' || code === 'EPERM') return 'your account may not read it.';
  return `${error instanceof Error ? error.message : error}.`;
}
