/**
 * The log of a relay on standard error: lines of JSON for a collector, or short ones for a person.
 */
import { type Logger, pino } from 'pino';

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
  err?: { message: string; stack?: string };
  reason?: string;
}

const ERROR_LEVEL = 50;

/** Null where nothing is to be logged. */
export function relayLogger(form: LogForm): Logger | null {
  if (form === 'off') return null;
  if (form === 'json') return pino({}, pino.destination({ dest: process.stderr.fd, sync: true }));
  return pino(
    {},
    { write: (line: string) => void process.stderr.write(`${prettyLine(JSON.parse(line) as LogLine)}\n`) },
  );
}

/** One line for a person. */
export function prettyLine(line: LogLine): string {
  const time = new Date(line.time).toTimeString().slice(0, 8);
  if (line.route !== undefined) {
    const parts = [line.method, line.route, line.status, `${line.ms} ms`, line.credentialType, line.problem];
    return `${time}  ${parts.filter((part) => part !== undefined).join('  ')}`;
  }
  const mark = line.level >= ERROR_LEVEL ? 'ERROR  ' : '';
  const cause = line.err?.stack ?? line.err?.message ?? line.reason;
  return `${time}  ${mark}${line.msg}${cause === undefined ? '' : `: ${cause}`}`;
}
