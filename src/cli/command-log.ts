/**
 * The log of a command: codes, stacks and times, written to files in the data folder, and with `--verbose` also to
 * standard error. Commands have other files than the app, which may run at the same time.
 */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { log, logTo, stopwatch } from '../base/log.ts';
import type { LogRecord } from '../base/log-record.ts';
import { COMMAND_LOG, type LogFiles, logFolder, openLog } from '../base/node/log-files.ts';
import { defaultDataFolder } from '../host/default-folder.ts';
import { recordLine } from './log.ts';
import { note } from './printing.ts';

/** The shell calls these on every key press: they are not logged. */
const UNLOGGED = ['complete', 'completion'];

interface Running {
  name: string;
  isVerbose: boolean;
  ms: () => number;
}

let running: Running | null = null;
let files: LogFiles | null = null;

/** Starts the log of a command. Its files are opened with the first record. */
export function beginLog(command: Command, environment = process.env): void {
  const name = nameOf(command);
  if (UNLOGGED.includes(name)) return;
  running = { name, isVerbose: command.opts<{ verbose?: true }>().verbose === true, ms: stopwatch() };
  startLog(() => (files ??= openFiles(environment)));
}

/** Writes the log to the app's files in a data folder from now on: for the command that is the app. */
export function writeLogTo(dataFolder: string): void {
  files = openLog(logFolder(dataFolder));
  startLog(() => files);
}

/** Passes the log to a command with its own log; it ends with the command. */
export function redirectLog(write: (record: LogRecord) => void): void {
  running = null;
  logTo(write);
}

/** True if the running command has `--verbose`. */
export function isVerbose(): boolean {
  return running?.isVerbose === true;
}

/** Records the command's duration and the reason of its failure. Resolves when everything is written. */
export async function endLog(failure: string | null): Promise<void> {
  if (!running) return;
  const { name, ms } = running;
  log(failure === null ? 'info' : 'warn', 'command.ended', {
    of: name,
    ms: ms(),
    ...(failure !== null && { code: failure }),
  });
  logTo(null);
  await files?.close();
  [running, files] = [null, null];
}

function startLog(open: () => LogFiles | null): void {
  logTo((record) => {
    if (running?.isVerbose) note(recordLine(record, new Date()));
    if (record.level !== 'debug') open()?.write(record);
  });
}

/** The files of commands: in the folder of WAXWING_LOG; none for `off`. */
function openFiles({ WAXWING_LOG: chosen }: NodeJS.ProcessEnv): LogFiles | null {
  if (chosen === 'off') return null;
  return openLog(chosen ? resolve(chosen) : logFolder(defaultDataFolder('installed')), COMMAND_LOG);
}

/** For example `groups token create`. */
function nameOf(command: Command): string {
  return command.parent?.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();
}
