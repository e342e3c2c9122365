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

/**
 * Chromium's notice that an observer has changed a size, and is called again for it in the next frame. It is no error, and the observers
 * of this page change no observed element: those of the libraries for lists and notices do
 * (https://drafts.csswg.org/resize-observer/#deliver-resize-error).
 */
const RESIZED_AGAIN = 'ResizeObserver loop completed with undelivered notifications.';

/** Reports uncaught errors. */
export function reportUncaught(): void {
  window.addEventListener('error', (event) => {
    if (event.error != null) void reportFault(event.error);
    else if (event.message !== RESIZED_AGAIN) void reportFault(placeOf(event));
  });
  window.addEventListener('unhandledrejection', ({ reason }) => void reportFault(reason));
}

/** An error for an event without one, with the place of the event as its stack. */
function placeOf({ message, filename, lineno, colno }: ErrorEvent): Error {
  const error = new Error(message);
  error.name = 'ErrorEvent';
  error.stack = `${message}\n    at ${filename}:${lineno}:${colno}`;
  return error;
}
