/**
 * A note beside the database: a relay has used it. Without the note, a relay whose files were all removed would begin an
 * empty database at its next start, and people would lose their accounts unnoticed.
 */
import { existsSync, lstatSync, writeFileSync } from 'node:fs';
import { OperatorFailure } from '../../operator/failure.ts';

/** Its name begins with that of the database: an operator who removes all files with this beginning starts a new relay. */
const noteOf = (file: string) => `${file}.started`;

/** Writes the note, after the database was opened. */
export function noteStart(file: string): void {
  const note = noteOf(file);
  if (existsSync(note)) return;
  try {
    writeFileSync(note, 'A relay was started here. Without its database it does not start again.\n', {
      mode: 0o600,
    });
  } catch {
    // As on a full disk: the next start tries again.
  }
}

/** @throws OperatorFailure database_lost if the note is there, and neither the database nor its log */
export function requireNotLost(file: string): void {
  const note = noteOf(file);
  const isLost = [file, `${file}-wal`].every((each) => !lstatSync(each, { throwIfNoEntry: false }));
  if (isLost && existsSync(note)) throw new OperatorFailure('database_lost', { file, note });
}
