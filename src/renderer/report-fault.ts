/** Errors of the interface for the host's log, which leaves out their messages. */
import { callBridge } from './bridge.ts';

/** The limit of reports from one page; a repeated failure needs no more. */
const MOST = 50;
let reported = 0;

/**
 * Reports an unexpected error.
 * @returns the id of its log record; null if it was not written
 */
export async function reportFault(error: unknown): Promise<string | null> {
  if (reported >= MOST) return null;
  reported += 1;
  const { name, message, stack = '' } = error instanceof Error ? error : new Error();
  const report = { name: name.slice(0, 64), message: message.slice(0, 4_096), stack: stack.slice(0, 16_384) };
  return callBridge('diagnostics.report', report).then(
    ({ id }) => id,
    () => null,
  );
}

/** Reports uncaught errors. */
export function reportUncaught(): void {
  window.addEventListener('error', ({ error }) => void reportFault(error));
  window.addEventListener('unhandledrejection', ({ reason }) => void reportFault(reason));
}
