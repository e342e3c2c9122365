/**
 * What stands in one line of the log. Each field is of our own making: nothing of it comes from a person or a relay.
 */
import type { ErrorFacts } from './error-facts.ts';

export interface LogRecord extends Partial<ErrorFacts> {
  /** `debug` is told on a terminal with `--verbose`, and not kept. */
  level: 'debug' | 'info' | 'warn' | 'error';
  /** What happened, as a fixed name: `engine.started`. Never built of data. */
  event: string;
  /** Of several things that it may have happened to, which: the fixed name of a procedure, a call or a command. */
  of?: string;
  /** What the person was shown of an error that nobody foresaw: `E-7F3K`. */
  id?: string;
  /** How long it took, in milliseconds. */
  ms?: number;
  /** Of how many things: messages, envelopes, records left out. */
  count?: number;
}
