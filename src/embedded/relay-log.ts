/**
 * What the relay on this computer says of its own troubles, for the app's log. Its requests are not written: they are
 * those of the app.
 */
import { type Logger, pino } from 'pino';
import { describe } from '../base/error-facts.ts';
import { log } from '../base/log.ts';
import type { LogRecord } from '../base/log-record.ts';

/** A line as pino writes it, with what the serializer below makes of an error. */
interface Line {
  level: number;
  msg?: string;
  err?: Pick<LogRecord, 'code' | 'stack'>;
}

const ERROR_LEVEL = 50;

/** What the relay says, by the sentence that it says it in. */
const EVENTS: ReadonlyMap<string | undefined, string> = new Map([
  ['request failed', 'embedded.request_failed'],
  ['expiry failed; it is tried again', 'embedded.expiry_failed'],
  ['the clock jumped ahead: nothing expires in this round', 'embedded.clock_jumped'],
  ['the database broke: the relay takes nothing until it is started again', 'embedded.database_broke'],
]);

/** A logger whose lines become records of the log, without their sentences. */
export function relayLogger(): Logger {
  const write = (text: string) => {
    const { level, msg, err } = JSON.parse(text) as Line;
    const { code, stack } = err ?? {};
    log(level >= ERROR_LEVEL ? 'error' : 'warn', EVENTS.get(msg) ?? 'embedded.trouble', {
      ...(code !== undefined && { code }),
      ...(stack !== undefined && { stack }),
    });
  };
  return pino({ level: 'warn', serializers: { err: describe } }, { write });
}
