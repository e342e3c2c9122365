/**
 * The files of the log: one that is written, and those before it, of bounded size together, readable by their owner
 * alone. Runs on Node.
 */
import { chmodSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createStream } from 'rotating-file-stream';
import type { LogRecord } from '../log.ts';

export const LOG_FILE = 'waxwing.log';
/** Of each file. */
const MOST_SIZE = '1M';
/** Besides the one that is written. */
const MOST_FILES = 4;
/** Records a second; more tell nothing new, and would push out what came before. */
const MOST_RATE = 50;

export interface LogFiles {
  write(record: LogRecord): void;
  /** Resolves when all is written. */
  close(): Promise<void>;
}

/** The folder of the log in a data folder. */
export function logFolder(dataFolder: string): string {
  return join(dataFolder, 'logs');
}

/** Opens the log in a folder, made with mode 0700. What cannot be written is left out: a log stops nobody. */
export function openLog(folder: string): LogFiles {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  const nameOf = (index: number | Date | null) => (index ? `waxwing.${index}.log` : LOG_FILE);
  const stream = createStream(nameOf, {
    path: folder,
    size: MOST_SIZE,
    rotate: MOST_FILES,
    mode: 0o600,
  });
  stream.on('error', () => undefined);
  let second = 0;
  let count = 0;
  return {
    write(record) {
      const now = Date.now();
      if (Math.floor(now / 1000) !== second) [second, count] = [Math.floor(now / 1000), 0];
      if (++count > MOST_RATE || stream.writableEnded) return;
      stream.write(`${JSON.stringify({ time: new Date(now).toISOString(), ...record })}\n`);
    },
    close: () => new Promise((resolve) => stream.end(() => resolve())),
  };
}

/** Bytes of the log that go into a report. */
const MOST_REPORTED = 64 * 1024;

/** The newest part of the log, for a report. */
export function tailOfLog(folder: string): string {
  try {
    if (!readdirSync(folder).includes(LOG_FILE)) return '';
    return readFileSync(join(folder, LOG_FILE), 'utf8').slice(-MOST_REPORTED);
  } catch {
    return '';
  }
}
