/**
 * What reaches the terminal. Texts come from strangers and from relays: no escape sequence of theirs gets through.
 */

import { fchmodSync, fstatSync } from 'node:fs';

// C0 but tab and line feed, DEL, C1; the characters that turn the direction of writing; the line separators.
const HARMFUL =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** The text with control characters and bidirectional controls written out, as in `\u001b`. JSON stays the same JSON. */
export function escapeControls(text: string): string {
  return text.replace(HARMFUL, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** On one line: for names, which must not look like two. */
export function oneLine(text: string): string {
  return escapeControls(text.replace(/[\n\t]/g, ' '));
}

/** Writes a line, or several, to standard output. Resolves when it was taken. */
export function print(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(`${escapeControls(text)}\n`, (error) => (error ? reject(error) : resolve()));
  });
}

/** Writes a line with a secret. A file that standard output goes to becomes one that only its owner can read. */
export function printSecret(text: string): Promise<void> {
  const { fd } = process.stdout;
  if (process.platform !== 'win32' && fstatSync(fd).isFile()) fchmodSync(fd, 0o600);
  return print(text);
}

/** One JSON value on a line of its own. */
export function printJson(value: unknown): Promise<void> {
  return print(JSON.stringify(value));
}

/** Says something beside the result, on standard error. */
export function note(text: string): void {
  process.stderr.write(`${escapeControls(text)}\n`);
}

/** Says what takes long or passes by itself: to a person who watches, never into a log. */
export function progress(text: string): void {
  if (process.stderr.isTTY) note(text);
}
