/**
 * Errors of the interface itself go into the host's log, which leaves out their messages.
 */
import { ask } from './bridge.ts';

/** Errors that a page tells of; one that goes on failing has told enough. */
const MOST = 50;
let told = 0;

/**
 * Tells of an error that nobody foresaw.
 * @returns the id under which the log has it; null if it was not written
 */
export async function reportFault(error: unknown): Promise<string | null> {
  if (told >= MOST) return null;
  told += 1;
  const { name, message, stack = '' } = error instanceof Error ? error : new Error();
  const report = { name: name.slice(0, 64), message: message.slice(0, 4_096), stack: stack.slice(0, 16_384) };
  return ask('diagnostics.report', report).then(
    ({ id }) => id,
    () => null,
  );
}

/** Tells of what is thrown where nothing catches it. */
export function reportUncaught(): void {
  window.addEventListener('error', ({ error }) => void reportFault(error));
  window.addEventListener('unhandledrejection', ({ reason }) => void reportFault(reason));
}
