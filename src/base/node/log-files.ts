/**
 * The files of the log: the current one and older ones, bounded in total size, readable only by their owner.
 * Runs on Node.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createStream } from 'rotating-file-stream';
import type { LogRecord } from '../log-record.ts';
import { makeFolder } from './make-folder.ts';

/** Of the app. Commands have separate files, because several may run at once. */
const APP_LOG = 'waxwing';
export const COMMAND_LOG = 'command';
/** Size limit of each file. */
const MAX_SIZE = '1M';
/** Number of older files. */
const MAX_FILES = 4;

export interface LogFiles {
  write(record: LogRecord): void;
  /** Resolves when everything is written. */
  close(): Promise<void>;
}

/** The folder of the log in a data folder. */
export function logFolder(dataFolder: string): string {
  return join(dataFolder, 'logs');
}

const fileNamed = (name: string, index = 0) => (index === 0 ? `${name}.log` : `${name}.${index}.log`);

/** By file of this process: a promise for its last record. */
const underWay = new Map<string, Promise<void>>();

/**
 * Opens a log in a folder. A missing folder is created with mode 0700; an existing one keeps its mode,
 * because a person may name any. Never throws, and drops records that cannot be written: a log must not stop
 * anything.
 */
export function openLog(folder: string, name = APP_LOG): LogFiles {
  try {
    makeFolder(folder);
  } catch {
    return { write: () => undefined, close: async () => undefined };
  }
  const stream = createStream((index) => fileNamed(name, Number(index ?? 0)), {
    path: folder,
    size: MAX_SIZE,
    rotate: MAX_FILES,
    mode: 0o600,
  });
  stream.on('error', () => undefined);
  const file = join(folder, fileNamed(name));
  return {
    write(record) {
      if (record.level === 'debug' || stream.writableEnded || stream.destroyed) return;
      const line = `${JSON.stringify({ time: new Date().toISOString(), ...record })}\n`;
      underWay.set(file, new Promise((resolve) => stream.write(line, () => resolve())));
    },
    async close() {
      await new Promise<void>((resolve) => stream.end(() => resolve()));
      underWay.delete(file);
    },
  };
}

/**
 * The newest records of the app's log within a limit of records and characters: complete lines, oldest first.
 */
export async function newestRecords(folder: string, most: number, mostCharacters: number): Promise<string[]> {
  await underWay.get(join(folder, fileNamed(APP_LOG)));
  const lines = [1, 0].flatMap((index) => linesOf(join(folder, fileNamed(APP_LOG, index))));
  const newest: string[] = [];
  let room = mostCharacters;
  for (const line of lines.reverse()) {
    room -= line.length + 1;
    if (room < 0 || newest.length >= most) break;
    newest.unshift(line);
  }
  return newest;
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '');
  } catch {
    return [];
  }
}
