/**
 * Secrets come from the environment, a file or standard input; never from the argument list.
 */
import { readFileSync, statSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { forbiddenByNode } from '../relay/operator/forbidden.ts';
import { CommandError, commandError } from './command-error.ts';

const CREDENTIAL = /^(?:sk_live_|gtk_live_|ses_|wxb_)[A-Za-z0-9_-]{20,}$/;
const SECRET_OPTION =
  /^--(api-key|group-token|bot-key|token|secret|password|passphrase|phrase|private-key)(?:=|$)/;

/**
 * Checks the arguments before anything else, so that no message repeats a secret.
 * @throws CommandError if one of them is a secret
 */
export function refuseSecrets(args: readonly string[]): void {
  const end = args.indexOf('--');
  const options = end === -1 ? args : args.slice(0, end);
  const option = options.map((arg) => SECRET_OPTION.exec(arg)?.[1]).find((name) => name !== undefined);
  const isSecret = args.some((arg) => CREDENTIAL.test(arg.replace(/^--?[\w-]*=/, '')));
  if (option === undefined && !isSecret) return;
  throw commandError('usage', 'secret_in_arguments', { option: option ?? '' });
}

/**
 * The text in a file, without the line break at its end.
 * @param what as in 'The password', for the sentence of the failure
 * @param kind of that failure
 * @throws CommandError
 */
function readTextFile(file: string, what: string, kind: 'usage' | 'credential' = 'usage'): string {
  try {
    return decode(readFileSync(file), what);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw commandError(kind, 'file_unreadable', { what, file, reason: reasonOf(error) });
  }
}

/**
 * The text in a file with a secret, without the line break at its end.
 * @param what as in 'The secret'
 * @throws CommandError if other accounts of the computer can read it, or it cannot be read
 */
export function readSecretFile(file: string, what: string): string {
  const mode = othersMayRead(file);
  if (mode !== null) {
    throw commandError('credential', 'secret_file_open', { what, file, mode });
  }
  return readTextFile(file, what, 'credential');
}

/**
 * The mode of a file that other accounts of the computer may use; null if only its owner may, or there is no file.
 */
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
    throw commandError('usage', 'not_utf8', { what });
  }
}

/** The end of a sentence about a file that cannot be read. */
export function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'ENOENT') return 'there is no such file.';
  if (code === 'EISDIR') return 'that is a folder.';
  if (code === 'EACCES' || code === 'EPERM') return 'your account may not read it.';
  return `${forbiddenByNode(error) ?? (error instanceof Error ? error.message : error)}.`;
}
