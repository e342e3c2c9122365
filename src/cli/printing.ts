/**
 * Output to the terminal. Texts of strangers and relays are escaped, so that their control sequences have no effect.
 */

import { fchmodSync, fstatSync } from 'node:fs';

// C0 except tab and line feed, DEL, C1; characters that turn the direction of writing; line separators.
const HARMFUL =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it finds control characters
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** The text with control characters and bidirectional controls as escapes, as in `\u001b`. JSON keeps its meaning. */
export function escapeControls(text: string): string {
  return text.replace(HARMFUL, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** On one line: for names, which must not look like two. */
export function oneLine(text: string): string {
  return escapeControls(text.replace(/[\n\t]/g, ' '));
}

/** Writes one or several lines to standard output. Resolves when they are written. */
export function print(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(`${escapeControls(text)}\n`, (error) => (error ? reject(error) : resolve()));
  });
}

/** Writes a line with a secret. If standard output is a file, it becomes readable only by its owner. */
export function printSecret(text: string): Promise<void> {
  const { fd } = process.stdout;
  if (process.platform !== 'win32' && fstatSync(fd).isFile()) fchmodSync(fd, 0o600);
  return print(text);
}

/** A JSON value on its own line. */
export function printJson(value: unknown): Promise<void> {
  return print(JSON.stringify(value));
}

/** Writes a note beside the result, on standard error. */
export function note(text: string): void {
  process.stderr.write(`${escapeControls(text)}\n`);
}

/** Writes progress or a temporary problem: to a terminal only, never into a log. */
export function progress(text: string): void {
  if (process.stderr.isTTY) note(text);
}
