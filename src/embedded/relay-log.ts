/** Problems of the relay on this computer, for the app's log. Requests are not logged: they are the app's own. */
import { type Logger, pino } from 'pino';
import { describe } from '../base/error-facts.ts';
import { log } from '../base/log.ts';
import type { LogRecord } from '../base/log-record.ts';
import { WARNINGS } from '../relay/operator/warnings.ts';

/** A line of pino, with the error fields of the serializer below. */
interface Line {
  level: number;
  event?: string;
  err?: Pick<LogRecord, 'code' | 'stack'>;
}

const ERROR_LEVEL = 50;

/** The record's name for an event of the relay; one name for all events of its libraries. */
function eventOf(event: string | undefined): string {
  return event !== undefined && Object.hasOwn(WARNINGS, event) ? `embedded.${event}` : 'embedded.warning';
}

/** A logger whose lines become records of the log, without their sentences. */
export function relayLogger(): Logger {
  const write = (text: string) => {
    const { level, event, err } = JSON.parse(text) as Line;
    const { code, stack } = err ?? {};
    log(level >= ERROR_LEVEL ? 'error' : 'warn', eventOf(event), {
      ...(code !== undefined && { code }),
      ...(stack !== undefined && { stack }),
    });
  };
  return pino({ level: 'warn', serializers: { err: describe } }, { write });
}
