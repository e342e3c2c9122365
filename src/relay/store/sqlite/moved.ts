/**
 * A note beside a database file that was moved to PostgreSQL, so that no relay starts on the old file by mistake.
 * People would see old data, and new messages would be in one of two places.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { OperatorFailure } from '../../operator/failure.ts';

const noteOf = (file: string) => `${file}.moved`;

/** @param now milliseconds since 1970 */
export function noteMove(file: string, now: number): void {
  const text = `This relay was moved to PostgreSQL on ${new Date(now).toISOString()}.\n`;
  writeFileSync(noteOf(file), text, { mode: 0o600 });
}

/** @throws OperatorFailure */
export function requireNotMoved(file: string): void {
  const note = noteOf(file);
  if (existsSync(note)) throw new OperatorFailure('database_moved', { file, note });
}
