/**
 * Output to the terminal. Texts of strangers and relays are escaped, so that their control sequences have no effect.
 */

import { fchmodSync, fstatSync } from 'node:fs';
import { reasonOf } from '../base/node/durable-file.ts';
import { type CommandError, commandError } from './command-error.ts';

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

/**
 * Writes one or several lines to standard output. Resolves when they are written.
 * @throws CommandError output_unwritten
 */
export async function print(text: string): Promise<void> {
  await write(text).catch((error: unknown) => {
    throw outputFailure(error);
  });
}

/**
 * Writes a line with a secret. If standard output is a file, it becomes readable only by its owner.
 * @throws CommandError output_unwritten
 */
export async function printSecret(text: string): Promise<void> {
  closeOutputToOthers();
  await print(text);
}

/**
 * Writes the same way the secret of a new key or token, which cannot be shown again.
 * @throws CommandError secret_unwritten
 */
export async function printNewSecret(text: string): Promise<void> {
  closeOutputToOthers();
  printsNewSecret = true;
  await write(text).catch((error: unknown) => {
    throw commandError('failed', 'secret_unwritten', { reason: reasonOf(error) });
  });
}

let printsNewSecret = false;

/** Reports whether a command may end as usual when its reader has ended: not if a new secret is lost. */
export function mayLoseOutput(): boolean {
  return !printsNewSecret;
}

function closeOutputToOthers(): void {
  const { fd } = process.stdout;
  if (process.platform !== 'win32' && fstatSync(fd).isFile()) fchmodSync(fd, 0o600);
}

function write(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(`${escapeControls(text)}\n`, (error) => (error ? reject(error) : resolve()));
  });
}

/** Waits until the output is written, or has failed: an error is reported only then. */
export function outputEnds(): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.write('', () => resolve());
  });
}

/** The failure for an error of standard output, such as a full disk. */
export function outputFailure(error: unknown): CommandError {
  return commandError('failed', 'output_unwritten', { reason: reasonOf(error) });
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
