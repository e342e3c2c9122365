/** A relay as a service of its system: its signals, and the last line of its log. */
import { describe, type ErrorFacts } from '../base/error-facts.ts';
import { log, stopwatch } from '../base/log.ts';
import { type StopSignal, stopRequested } from './arguments.ts';
import { codeOf, reasonOf } from './errors.ts';

/**
 * Runs a relay, and writes a last line with the reason for stopping and the running time. No line if it failed to
 * start.
 * @param run calls its argument when the relay has started; resolves with the signal that stopped it, after closing
 * @throws errors of `run`
 */
export async function lastLineAfter(run: (started: () => void) => Promise<StopSignal>): Promise<void> {
  let ms: (() => number) | null = null;
  const logStop = (level: 'info' | 'error', why: { of: string } & Partial<ErrorFacts>) => {
    if (ms) log(level, 'relay.stopped', { ...why, ms: ms() });
  };
  // Node then ends the process, and prints the reason on standard error.
  const onCrash = (error: unknown) => logStop('error', { of: 'crash', ...describe(error) });
  process.once('uncaughtExceptionMonitor', onCrash);
  try {
    const signal = await run(() => {
      ms = stopwatch();
    });
    logStop('info', { of: signal });
  } catch (error) {
    logStop('error', { of: 'failure', code: reasonOf(error) ?? codeOf(error) });
    throw error;
  } finally {
    process.off('uncaughtExceptionMonitor', onCrash);
  }
}

/**
 * Handles SIGHUP: reopens the log file if there is one. Otherwise logs that the terminal was closed, if there is one.
 * @param reopen null without a log file
 * @returns the function that waits for a signal to stop
 */
export function followSignals(reopen: (() => void) | null): () => Promise<StopSignal> {
  const { promise, resolve } = Promise.withResolvers<StopSignal>();
  const onHangUp = reopen ?? (process.stdout.isTTY ? () => resolve('SIGHUP') : () => undefined);
  process.on('SIGHUP', onHangUp);
  return () => Promise.race([promise, stopRequested()]);
}
