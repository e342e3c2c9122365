/**
 * Log lines on standard error or in a file: of a relay, as JSON for a collector or short for a person, and of a
 * command with `--verbose`. Never the message of an error, which may contain private data.
 */
import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';
import { describe } from '../base/error-facts.ts';
import type { LogRecord } from '../base/log-record.ts';
import { commandError } from './command-error.ts';
import { isLasting } from './lasting.ts';
import { LogFile } from './log-file.ts';
import { describeDuration } from './output.ts';

export const LOG_FORMS = ['json', 'pretty', 'off'] as const;
export type LogForm = (typeof LOG_FORMS)[number];

/** A request, logged by src/relay/http/observe.ts, or another record of the relay. */
interface LogLine {
  time: number;
  level: number;
  msg: string;
  method?: string;
  route?: string;
  status?: number;
  ms?: number;
  problem?: string;
  credentialType?: string;
  err?: ErrorLine;
  reason?: string;
  /** As in a `log` record. */
  of?: string;
  code?: string;
  count?: number;
}

/** The logged part of an error: its code or class, and where it was thrown. */
interface ErrorLine {
  type: string;
  stack?: string;
}

function errorLine(error: unknown): ErrorLine {
  const { code, stack } = describe(error);
  return { type: code, ...(stack !== undefined && { stack: stack.join('\n') }) };
}

const ERROR_LEVEL = 50;

/** Levels and serializers of the log. */
export function relayLogOptions(isVerbose: boolean): LoggerOptions {
  return { level: isVerbose ? 'debug' : 'info', serializers: { err: errorLine } };
}

/** The log of a relay, and the function that reopens its file; null without a file. */
export interface RelayLog {
  logger: Logger | null;
  reopen: (() => void) | null;
}

/** The most bytes waiting for a blocked standard error. */
const MAX_WAITING = 1024 * 1024;

/**
 * Opens it.
 * @param file null for standard error
 * @throws CommandError log_unusable
 */
export function openRelayLog(form: LogForm, isVerbose: boolean, file: string | null): RelayLog {
  if (form === 'off') return { logger: null, reopen: null };
  const options = relayLogOptions(isVerbose);
  const format = form === 'json' ? (line: string) => line : prettyText;
  if (file === null) return { logger: pino(options, standardError(form, format)), reopen: null };
  const opened = openLogFile(file, (count) => format(droppedLine(count)));
  const logger = pino(options, { write: (line: string) => opened.write(format(line)) });
  const reopen = () => {
    try {
      opened.reopen();
    } catch (error) {
      logger.warn({ code: describe(error).code }, 'log.not_reopened');
    }
  };
  return { logger, reopen };
}

/** Failures of standard error never stop the relay: a full disk, a closed terminal. */
function standardError(form: LogForm, format: (line: string) => string): DestinationStream {
  if (form === 'json') {
    const { fd } = process.stderr;
    const stream = pino.destination({ dest: fd, sync: true, maxLength: MAX_WAITING });
    return stream.on('error', () => undefined);
  }
  process.stderr.on('error', () => undefined);
  return { write: (line: string) => void process.stderr.write(format(line)) };
}

function openLogFile(file: string, describeLost: (count: number) => string): LogFile {
  try {
    return new LogFile(file, describeLost);
  } catch (error) {
    const reason = describe(error).code;
    throw commandError(isLasting(reason) ? 'usage' : 'failed', 'log_unusable', { file, reason });
  }
}

const INFO_LEVEL = 30;
const WARN_LEVEL = 40;

/** As the logger writes it, under the log's name for its limit. */
function droppedLine(count: number): string {
  return `${JSON.stringify({ level: WARN_LEVEL, time: Date.now(), count, msg: 'log.dropped' })}\n`;
}

/**
 * A note for the operator: a sentence, or a line of the log's form for a collector, which reads both streams.
 * @param form undefined if the operator has not chosen one
 */
export function noteLine(form: LogForm | undefined, text: string): string {
  return form === 'json' ? JSON.stringify({ level: INFO_LEVEL, time: Date.now(), msg: text }) : text;
}

function prettyText(line: string): string {
  return `${prettyLine(JSON.parse(line) as LogLine)}\n`;
}

/** A line for a person. */
export function prettyLine(line: LogLine): string {
  const time = new Date(line.time).toTimeString().slice(0, 8);
  if (line.route !== undefined) {
    const parts = [line.method, line.route, line.status, `${line.ms} ms`, line.credentialType, line.problem];
    return `${time}  ${parts.filter((part) => part !== undefined).join('  ')}`;
  }
  const mark = line.level >= ERROR_LEVEL ? 'ERROR  ' : '';
  const { type, stack } = line.err ?? {};
  const cause = type ?? line.reason;
  const facts = [line.of, line.code, line.count, line.ms === undefined ? undefined : lengthOf(line.ms)];
  const head = `${time}  ${mark}${line.msg}${cause === undefined ? '' : `: ${cause}`}`;
  const summary = [head, ...facts.filter((fact) => fact !== undefined)].join('  ');
  return [summary, ...(stack?.split('\n') ?? [])].join('\n    ');
}

/** A duration: in milliseconds for a start, in hours or days for a run. */
function lengthOf(ms: number): string {
  return ms < 60_000 ? `${ms} ms` : describeDuration(Math.floor(ms / 1000));
}

/** A log record as one line for a person, with the stack frames below. */
export function recordLine({ level, event, of, code, id, count, ms, stack }: LogRecord, at: Date): string {
  const parts = [of, code, id, count, ms === undefined ? undefined : `${ms} ms`];
  const facts = parts.filter((part) => part !== undefined).join('  ');
  const time = at.toISOString().slice(11, 23);
  return [`${time}  ${level.padEnd(5)}  ${event}  ${facts}`.trimEnd(), ...(stack ?? [])].join('\n    ');
}
