/**
 * What the command line says when something went wrong.
 */
import { KeyFileError } from '../browser-host/key-file.ts';
import { RelayUrlError } from '../client/check.ts';
import { IdentityError, UnverifiableError } from '../client/errors.ts';
import { RelayRefusal, RelayUnreachable } from '../client/http.ts';
import { EmbeddedStartError } from '../embedded/start.ts';
import { EngineFailure } from '../engine/failure.ts';
import { EngineStartError } from '../engine/start.ts';
import { DataFolderError } from '../host/data-folder.ts';
import { InterfaceFilesError } from '../host/interface-files.ts';
import { EncodingError } from '../protocol/encoding.ts';
import { AdminFailure } from '../relay/admin/protocol.ts';
import { SocketPathTooLong } from '../relay/admin/socket-path.ts';
import { MetricsPortError } from '../relay/metrics/server.ts';
import { InsecurePublicUrl } from '../relay/public-url.ts';

/** A command was not understood. The message says what would be. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A command cannot do what it was asked to. The message is a sentence for the person. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** Errors whose message is a sentence for the person. */
const SPOKEN = [
  AdminFailure,
  CommandError,
  DataFolderError,
  EmbeddedStartError,
  EngineFailure,
  EncodingError,
  EngineStartError,
  IdentityError,
  KeyFileError,
  RelayRefusal,
  RelayUnreachable,
  RelayUrlError,
  InterfaceFilesError,
  InsecurePublicUrl,
  MetricsPortError,
  SocketPathTooLong,
  UnverifiableError,
  UsageError,
];

/** What a command ends with, for scripts. Each is told in `waxwing --help`. */
export const EXIT = { failed: 1, usage: 2, refused: 3, unreachable: 4, notFound: 5 } as const;

/** The code that a script decides by. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return EXIT.usage;
  if (error instanceof RelayUnreachable) return EXIT.unreachable;
  if (!(error instanceof RelayRefusal)) return EXIT.failed;
  if (error.status === 401 || error.status === 403) return EXIT.refused;
  return error.code === 'not_found' ? EXIT.notFound : EXIT.failed;
}

/** The same for a program: the relay's code, or what kind of failure it was. */
export function codeOf(error: unknown): string {
  if (error instanceof RelayRefusal) return error.code;
  if (error instanceof RelayUnreachable) return 'unreachable';
  return error instanceof UsageError ? 'usage' : 'failed';
}

/** A refusal, with what a person can do about it where the relay's own sentence does not say. */
function explainRefusal({ code, message }: RelayRefusal): string {
  switch (code) {
    case 'unauthorized':
      return 'The relay does not accept this credential. Is it whole, is it for this relay, and was it not revoked? In the app: Settings → API Settings.';
    case 'missing_entitlement':
      return `${message} Make a key that has it, in the app under Settings → API Settings, or with: waxwing api-keys create`;
    default:
      return message;
  }
}

/** One sentence for what was foreseen; everything about what was not. */
export function explain(error: unknown): string {
  if (error instanceof RelayRefusal) return explainRefusal(error);
  if (SPOKEN.some((kind) => error instanceof kind)) return (error as Error).message;
  if (isListenError(error)) return explainListenError(error);
  return error instanceof Error ? `This should not have happened.\n${error.stack}` : String(error);
}

/** What Node says when a server cannot listen. */
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

function explainListenError({ code, address, port, hostname, message }: ListenError): string {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} is in use by another program. Give another with --port; 0 takes any that is free.`;
    case 'EACCES':
      return `Port ${port} may not be used by your account. Give another with --port, 1024 or above.`;
    case 'EADDRNOTAVAIL':
      return `${address} is not an address of this computer. Give another with --host.`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${hostname} is not the name of this computer. Give an address with --host.`;
    default:
      return `It is not possible to listen on port ${port}: ${message}`;
  }
}
