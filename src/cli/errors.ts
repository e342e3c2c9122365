/** Error messages of the command line. */
import { CommanderError } from 'commander';
import { describe } from '../base/error-facts.ts';
import { Failure, failedWith, IdentityError, UnverifiableError } from '../base/failure.ts';
import { toFailure } from '../base/log.ts';
import { OperatorFailure } from '../relay/operator/failure.ts';
import type { OperatorReason } from '../relay/operator/sentences.ts';
import { CommandError } from './command-error.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { isLasting } from './lasting.ts';
import { note } from './printing.ts';
import { LISTEN_SENTENCES, MISUSE_SENTENCES } from './sentences.ts';

/**
 * Reports a failure on standard error, as a sentence or as JSON.
 * @returns the exit code
 */
export function report(error: unknown, asJson: boolean): ExitCode {
  const [exitCode, code] = kindOf(error);
  const reason = reasonOf(error);
  if (asJson) note(JSON.stringify({ error: { code, ...(reason && { reason }), message: explain(error) } }));
  // Commander has already printed it.
  else if (!(error instanceof CommanderError)) note(explain(error));
  return exitCode;
}

/** Failures of the library caused by the arguments. */
const MISUSES = [
  'relay_address_malformed',
  'relay_address_insecure',
  'message_empty',
  'message_too_long',
  'message_differs',
  'caption_too_long',
  'file_details_malformed',
  'file_empty',
  'file_too_long',
  'file_unreadable',
  'too_many_files',
  'reaction_malformed',
  'timer_malformed',
  'mention_absent',
  'backup_unknown',
  'backup_folder_empty',
] as const;

/** Failures of a relay that a restart cannot fix: the operator must change something first. */
const WRONG_SETTINGS = [
  'database_damaged',
  'database_empty',
  'database_folder',
  'database_forbidden',
  'database_link_broken',
  'database_lost',
  'database_missing',
  'database_moved',
  'database_newer',
  'database_parameter_unknown',
  'database_replaced',
  'database_servers_many',
  'database_unsynced',
  'database_url_file',
  'database_url_malformed',
  'database_wants_standby',
  'door_unusable',
  'blobs_credentials_missing',
  'blobs_place_malformed',
  'folder_path_long',
  'limit_unusable',
  'postgres_encoding',
  'postgres_old',
  'postgres_unsynced',
  'public_url_insecure',
] as const satisfies readonly OperatorReason[];

/** For the log: never a sentence, which may name a file or a person. */
export function codeOf(error: unknown): string {
  if (error instanceof CommandError) return error.code;
  return error instanceof OperatorFailure ? error.reason : describe(error).code;
}

/** More specific than the kind; null for none. */
export function reasonOf(error: unknown): string | null {
  if (error instanceof CommandError || error instanceof OperatorFailure) return error.reason;
  return error instanceof Failure ? error.code : null;
}

function kindOf(error: unknown): [ExitCode, string] {
  if (error instanceof CommandError) return [error.exitCode, error.code];
  if (error instanceof CommanderError) return [EXIT.usage, 'usage'];
  if (isWrongSetting(error)) return [EXIT.usage, 'usage'];
  if (failedWith(error, ...MISUSES)) return [EXIT.usage, 'usage'];
  if (
    failedWith(
      error,
      'message_not_yours',
      'bot_key_missing',
      'passphrase_short',
      'passphrase_guessable',
      'backup_secret_wrong',
    )
  )
    return [EXIT.credential, 'credential'];
  if (failedWith(error, 'roster_act_refused')) return [EXIT.credential, 'roster_refused'];
  // As on a full disk.
  if (failedWith(error, 'identity_unwritable') && !isLasting(error.parameters.reason))
    return [EXIT.failed, 'failed'];
  if (error instanceof IdentityError) return [EXIT.credential, 'identity'];
  if (error instanceof UnverifiableError) return [EXIT.failed, 'unverifiable'];
  return [EXIT.failed, 'failed'];
}

/** Reports whether an operator has to act before the program can start. */
function isWrongSetting(error: unknown): boolean {
  if (error instanceof OperatorFailure) {
    const { data } = error;
    if (data.reason === 'metrics_port' || data.reason === 'blobs_folder_unusable')
      return isLasting(data.parameters.reason);
    return WRONG_SETTINGS.some((wrong) => wrong === data.reason);
  }
  if (failedWith(error, 'folder_unusable')) return isLasting(error.parameters.reason);
  return isListenError(error) && isLasting(error.code ?? '');
}

/**
 * One sentence. An unexpected error is in the log under the id in the sentence, and with `--verbose` on standard
 * error.
 */
export function explain(error: unknown): string {
  if (error instanceof CommanderError) return explainMisuse(error);
  if (error instanceof Failure || error instanceof CommandError || error instanceof OperatorFailure)
    return error.message;
  if (isListenError(error)) return explainListenError(error);
  return toFailure(error).message;
}

function explainMisuse({ code, message }: CommanderError): string {
  if (code === 'commander.help') return MISUSE_SENTENCES.command_missing();
  return message.replace(/^error: /, '');
}

/** Node's error if a server cannot listen. */
interface ListenError extends NodeJS.ErrnoException {
  address?: string;
  port?: number;
  hostname?: string;
}

function isListenError(error: unknown): error is ListenError {
  return (
    error instanceof Error && 'syscall' in error && ['listen', 'getaddrinfo'].includes(`${error.syscall}`)
  );
}

function explainListenError({
  code = '',
  address = '',
  port = 0,
  hostname = '',
  message,
}: ListenError): string {
  const reason = code === 'EAI_AGAIN' ? 'ENOTFOUND' : code;
  const sentence = Object.hasOwn(LISTEN_SENTENCES, reason)
    ? LISTEN_SENTENCES[reason as keyof typeof LISTEN_SENTENCES]
    : LISTEN_SENTENCES.other;
  return sentence({ address, port, host: hostname, problem: message });
}
