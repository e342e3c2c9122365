/**
 * The log of a command: codes, stacks and times, into files in the data folder, and with `--verbose` on standard error
 * while it runs. The files of commands are not those of the app, which may run at the same time.
 */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { log, logTo, stopwatch } from '../base/log.ts';
import type { LogRecord } from '../base/log-record.ts';
import { COMMAND_LOG, type LogFiles, logFolder, openLog } from '../base/node/log-files.ts';
import { defaultDataFolder } from '../host/default-folder.ts';
import { recordLine } from './log.ts';
import { note } from './printing.ts';

/** The shell asks by these on every press of a key. */
const UNTOLD = ['complete', 'completion'];

interface Running {
  name: string;
  isVerbose: boolean;
  ms: () => number;
}

let running: Running | null = null;
let files: LogFiles | null = null;

/** Begins the log of a command that is about to run. Its files are opened with the first record. */
export function beginLog(command: Command, environment = process.env): void {
  const name = nameOf(command);
  if (UNTOLD.includes(name)) return;
  running = { name, isVerbose: command.opts<{ verbose?: true }>().verbose === true, ms: stopwatch() };
  keepLog(() => (files ??= openFiles(environment)));
}

/** Keeps the log in the app's files in a data folder from now on: of the command that is the app. */
export function keepLogIn(dataFolder: string): void {
  files = openLog(logFolder(dataFolder));
  keepLog(() => files);
}

/** Hands the log to a command that has one of its own, and is at its end when the command is. */
export function keepLogWith(write: (record: LogRecord) => void): void {
  running = null;
  logTo(write);
}

/** Whether the command that runs was asked to tell what it does. */
export function isVerbose(): boolean {
  return running?.isVerbose === true;
}

/** Notes how long the command took and, if it failed, for what. Resolves when all is written. */
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

function keepLog(open: () => LogFiles | null): void {
  logTo((record) => {
    if (running?.isVerbose) note(recordLine(record, new Date()));
    if (record.level !== 'debug') open()?.write(record);
  });
}

/** The files of commands: in the folder that WAXWING_LOG names, or none if it says `off`. */
function openFiles({ WAXWING_LOG: chosen }: NodeJS.ProcessEnv): LogFiles | null {
  if (chosen === 'off') return null;
  return openLog(chosen ? resolve(chosen) : logFolder(defaultDataFolder('installed')), COMMAND_LOG);
}

/** As in `groups token create`. */
function nameOf(command: Command): string {
  return command.parent?.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();
}
