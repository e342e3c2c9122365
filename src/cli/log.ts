/**
 * Lines on standard error: the log of a relay, as JSON for a collector or short for a person, and that of a command that
 * tells what it does. Never the message of an error, which may hold anything.
 */
import { type Logger, type LoggerOptions, pino } from 'pino';
import { describe } from '../base/error-facts.ts';
import type { LogRecord } from '../base/log-record.ts';

export const LOG_FORMS = ['json', 'pretty', 'off'] as const;
export type LogForm = (typeof LOG_FORMS)[number];

/** A request as src/relay/http/observe.ts logs it, or anything else that the relay says. */
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
}

/** What is logged of an error: its code or class, and where it was thrown. */
interface ErrorLine {
  type: string;
  stack?: string;
}

function errorLine(error: unknown): ErrorLine {
  const { code, stack } = describe(error);
  return { type: code, ...(stack !== undefined && { stack: stack.join('\n') }) };
}

const ERROR_LEVEL = 50;

/** What of it is written, and how an error is. */
export function relayLogOptions(isVerbose: boolean): LoggerOptions {
  return { level: isVerbose ? 'debug' : 'info', serializers: { err: errorLine } };
}

/** Null where nothing is to be logged. */
export function relayLogger(form: LogForm, isVerbose = false): Logger | null {
  if (form === 'off') return null;
  const options = relayLogOptions(isVerbose);
  if (form === 'json') return pino(options, pino.destination({ dest: process.stderr.fd, sync: true }));
  return pino(options, {
    write: (line: string) => void process.stderr.write(`${prettyLine(JSON.parse(line) as LogLine)}\n`),
  });
}

/** One line for a person. */
export function prettyLine(line: LogLine): string {
  const time = new Date(line.time).toTimeString().slice(0, 8);
  if (line.route !== undefined) {
    const parts = [line.method, line.route, line.status, `${line.ms} ms`, line.credentialType, line.problem];
    return `${time}  ${parts.filter((part) => part !== undefined).join('  ')}`;
  }
  const mark = line.level >= ERROR_LEVEL ? 'ERROR  ' : '';
  const { type, stack } = line.err ?? {};
  const cause = type ?? line.reason;
  const head = `${time}  ${mark}${line.msg}${cause === undefined ? '' : `: ${cause}`}`;
  return [head, ...(stack?.split('\n') ?? [])].join('\n    ');
}

/** A record of the log as one line for a person, with the frames of a stack below it. */
export function recordLine({ level, event, of, code, id, count, ms, stack }: LogRecord, at: Date): string {
  const parts = [of, code, id, count, ms === undefined ? undefined : `${ms} ms`];
  const facts = parts.filter((part) => part !== undefined).join('  ');
  const time = at.toISOString().slice(11, 23);
  return [`${time}  ${level.padEnd(5)}  ${event}  ${facts}`.trimEnd(), ...(stack ?? [])].join('\n    ');
}
