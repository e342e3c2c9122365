/**
 * A relay as a service of its system: the signals that it gets, and the last line of its log.
 */
import { describe, type ErrorFacts } from '../base/error-facts.ts';
import { log, stopwatch } from '../base/log.ts';
import { type StopSignal, stopRequested } from './arguments.ts';
import { codeOf, reasonOf } from './errors.ts';

/**
 * Runs a relay, and writes a last line that says why it stopped and how long it ran. One that could not start did not run.
 * @param run is given what it calls when the relay has started; resolves with the signal that stopped it, when all is closed
 * @throws what `run` throws
 */
export async function lastLineAfter(run: (started: () => void) => Promise<StopSignal>): Promise<void> {
  let ms: (() => number) | null = null;
  const tell = (level: 'info' | 'error', why: { of: string } & Partial<ErrorFacts>) => {
    if (ms) log(level, 'relay.stopped', { ...why, ms: ms() });
  };
  // After this Node ends the process, and says why on standard error.
  const onCrash = (error: unknown) => tell('error', { of: 'crash', ...describe(error) });
  process.once('uncaughtExceptionMonitor', onCrash);
  try {
    const signal = await run(() => {
      ms = stopwatch();
    });
    tell('info', { of: signal });
  } catch (error) {
    tell('error', { of: 'failure', code: reasonOf(error) ?? codeOf(error) });
    throw error;
  } finally {
    process.off('uncaughtExceptionMonitor', onCrash);
  }
}

/**
 * Follows SIGHUP: with a log file it opens that anew. Otherwise it says that the terminal was closed, where there is
 * one, and nothing where there is none.
 * @param reopen null without a log file
 * @returns the function that waits for a signal to stop
 */
export function followSignals(reopen: (() => void) | null): () => Promise<StopSignal> {
  const { promise, resolve } = Promise.withResolvers<StopSignal>();
  const onHangUp = reopen ?? (process.stdout.isTTY ? () => resolve('SIGHUP') : () => undefined);
  process.on('SIGHUP', onHangUp);
  return () => Promise.race([promise, stopRequested()]);
}
