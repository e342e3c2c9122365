/** State of a move of a relay's file into a database. Until the move is finished no relay starts on it. */
import type pg from 'pg';
import { OperatorFailure } from '../../operator/failure.ts';

/** The record of a move, in a table that only moved databases have. */
interface MoveRow {
  source: string;
  finished_at: number | null;
}

/** The move into this database, finished or not; null if there was none. */
export async function findMove(client: pg.ClientBase): Promise<MoveRow | null> {
  const { rows: found } = await client.query("SELECT 1 WHERE to_regclass('relay_move') IS NOT NULL");
  if (found.length === 0) return null;
  const { rows } = await client.query<MoveRow>('SELECT source, finished_at FROM relay_move');
  return rows[0] ?? null;
}

/** @throws OperatorFailure while a move into this database is not finished */
export async function requireMoved(client: pg.ClientBase): Promise<void> {
  const move = await findMove(client);
  if (move && move.finished_at === null) throw new OperatorFailure('move_unfinished');
}

/** Records the file that is being moved. */
export async function rememberMove(client: pg.ClientBase, source: string): Promise<void> {
  await client.query('CREATE TABLE IF NOT EXISTS relay_move (source TEXT NOT NULL, finished_at BIGINT)');
  await client.query('DELETE FROM relay_move');
  await client.query('INSERT INTO relay_move VALUES ($1)', [source]);
}

export async function finishMove(client: pg.ClientBase, now: number): Promise<void> {
  await client.query('UPDATE relay_move SET finished_at = $1', [now]);
}
