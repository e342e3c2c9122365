/**
 * What the command line says when something went wrong.
 */
import { BrowserHostError } from '../browser-host/index.ts';
import { KeyFileError } from '../browser-host/key-file.ts';
import { EmbeddedStartError } from '../embedded/start.ts';
import { EngineFailure } from '../engine/failure.ts';
import { RelayRefusal, RelayUnreachable } from '../engine/relay-client/http.ts';
import { EngineStartError } from '../engine/start.ts';
import { DataFolderError } from '../host/data-folder.ts';
import { InterfaceFilesError } from '../host/interface-files.ts';

/** Errors whose message is a sentence for the person. */
const SPOKEN = [
  BrowserHostError,
  DataFolderError,
  EmbeddedStartError,
  EngineFailure,
  EngineStartError,
  KeyFileError,
  RelayRefusal,
  RelayUnreachable,
  InterfaceFilesError,
];

/** One sentence for what was foreseen; everything about what was not. */
export function explain(error: unknown): string {
  if (SPOKEN.some((kind) => error instanceof kind)) return (error as Error).message;
  return error instanceof Error ? `This should not have happened.\n${error.stack}` : String(error);
}
