/** One line of the log. The program sets each field: no content comes from a person or a relay. */
import type { ErrorFacts } from './error-facts.ts';

export interface LogRecord extends Partial<ErrorFacts> {
  /** `debug` is printed on a terminal with `--verbose`, and not stored. */
  level: 'debug' | 'info' | 'warn' | 'error';
  /** The event, as a fixed name: `engine.started`. Never built of data. */
  event: string;
  /** The object of the event: the fixed name of a procedure, a call or a command. */
  of?: string;
  /** The id shown to the person for an unexpected error: `E-7F3K`. */
  id?: string;
  /** Duration in milliseconds. */
  ms?: number;
  /** Number of items: messages, envelopes, dropped records. */
  count?: number;
}
