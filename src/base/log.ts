/**
 * The log: codes, stacks and times of what happened, never contents, names, addresses or secrets. Each thread hands its
 * records to a sink; a worker's sink passes them to its host, which writes them into files (node/log-files.ts).
 */
import { Failure } from './failure.ts';

export interface LogRecord {
  level: 'debug' | 'info' | 'warn' | 'error';
  /** What happened, as a fixed name: `engine.started`. Never built of data. */
  event: string;
  /** The code of a failure. */
  code?: string;
  /** What the person was shown of an error that nobody foresaw: `E-7F3K`. */
  id?: string;
  /** Without the message, which may hold anything. */
  stack?: string[];
  /** How long it took, in milliseconds. */
  ms?: number;
}

let sink: (record: LogRecord) => void = () => undefined;

/** Where the records of this thread go from now on. */
export function logTo(next: (record: LogRecord) => void): void {
  sink = next;
}

export function log(
  level: LogRecord['level'],
  event: string,
  facts: Omit<LogRecord, 'level' | 'event'> = {},
): void {
  sink({ level, event, ...facts });
}

/** Without letters and digits that are taken for each other. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
const ID_LENGTH = 4;

/** A failure that was foreseen, as it is; anything else is written into the log, and becomes `unexpected` with its id. */
export function toFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  const digits = crypto.getRandomValues(new Uint8Array(ID_LENGTH));
  const id = `E-${Array.from(digits, (digit) => ALPHABET[digit % ALPHABET.length]).join('')}`;
  log('error', 'unexpected', { id, ...describe(error) });
  return new Failure('unexpected', { id });
}

/** Frames of a stack that are written. */
const MOST_FRAMES = 20;
/** An absolute path or address of a file. */
const PATH = /(?:file:\/\/)?(?:\/|[A-Za-z]:[\\/])[^\s():]+/g;
/** What lies before this belongs to the computer, and may hold its user's name. */
const OWN = /(?:^|[\\/])((?:src|out|test|node_modules|app\.asar)[\\/].*)$/;

/** What may be written of an error: its class, its code if it looks like one, and where it was thrown. */
export function describe(error: unknown): Pick<LogRecord, 'code' | 'stack'> {
  if (!(error instanceof Error)) return { code: typeof error };
  const code = error instanceof Failure || 'code' in error ? String(error.code) : error.constructor.name;
  const frames = (error.stack ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('at '))
    .slice(0, MOST_FRAMES)
    .map((line) => line.replace(PATH, (path) => OWN.exec(path)?.[1] ?? '…'));
  return { code: /^[A-Za-z][A-Za-z0-9_]{0,63}$/.test(code) ? code : 'Error', stack: frames };
}
