/**
 * What the command line says when something went wrong.
 */
import { KeyFileError } from '../browser-host/key-file.ts';
import { RelayUrlError } from '../client/check.ts';
import { RelayRefusal, RelayUnreachable } from '../client/http.ts';
import { EmbeddedStartError } from '../embedded/start.ts';
import { EngineFailure } from '../engine/failure.ts';
import { EngineStartError } from '../engine/start.ts';
import { DataFolderError } from '../host/data-folder.ts';
import { InterfaceFilesError } from '../host/interface-files.ts';
import { AdminFailure } from '../relay/admin/protocol.ts';
import { SocketPathTooLong } from '../relay/admin/socket-path.ts';
import { MetricsPortError } from '../relay/metrics/server.ts';
import { InsecurePublicUrl } from '../relay/public-url.ts';

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
  EngineStartError,
  KeyFileError,
  RelayRefusal,
  RelayUnreachable,
  RelayUrlError,
  InterfaceFilesError,
  InsecurePublicUrl,
  MetricsPortError,
  SocketPathTooLong,
];

/** One sentence for what was foreseen; everything about what was not. */
export function explain(error: unknown): string {
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
