/** The audit log as a chain: the hash of each row covers the row and the hash of the row before it. */
import { hash } from 'node:crypto';
import type { AuditVerdict } from '../operator-records.ts';
import type { Database } from './database.ts';

/** A row as stored in its table. */
export interface StoredAuditRow {
  sequence: number;
  at: number;
  actor: string;
  action: string;
  target: string;
  detail: string;
  hash: Buffer;
}

/** The hash before the first row: 32 zeros, or the hash of the last expired row. */
export interface AuditStart {
  /** 0: none. */
  sequence: number;
  hash: Buffer;
}

export const AUDIT_START = 'SELECT sequence, hash FROM audit_start';
/** The number of rows ever written: shows whether the last ones were deleted. */
export const AUDIT_END = 'SELECT sequence FROM audit_end';
/** Rows read at once during a check of the whole chain. */
const PAGE = 1_000;

/** The hash of a row, from its content and the hash before it. */
export function auditHash(row: Omit<StoredAuditRow, 'hash'>, previous: Buffer): Buffer {
  const { sequence, at, actor, action, target, detail } = row;
  const fields = JSON.stringify([sequence, at, actor, action, target, detail]);
  return hash('sha256', `waxwing/audit/v1 ${previous.toString('hex')} ${fields}`, 'buffer');
}

/** Checks the whole chain, in one transaction, and names the first broken row. */
export async function verifyChain(database: Database): Promise<AuditVerdict> {
  const rows = database.prepare<[number], StoredAuditRow>(
    `SELECT sequence, at, actor, action, target, detail, hash FROM audit
      WHERE sequence > ? ORDER BY sequence LIMIT ${PAGE}`,
  );
  const start = await database.prepare<[], AuditStart>(AUDIT_START).get();
  if (!start) {
    const problem = { reason: 'audit_start_missing', parameters: {} } as const;
    return { rows: 0, expired: 0, head: null, problem };
  }
  let { sequence: count, hash: previous } = start;
  const verdict = (problem: AuditVerdict['problem']) => ({
    rows: count - start.sequence,
    expired: start.sequence,
    head: count === 0 ? null : previous.toString('hex'),
    problem,
  });
  // A row whose number is not above 0 is missing from the chain, too.
  let after = Number.MIN_SAFE_INTEGER;
  for (let page = await rows.all(after); page.length > 0; page = await rows.all(after)) {
    for (const row of page) {
      if (row.sequence !== count + 1) return verdict(missing(count + 1));
      if (!auditHash(row, previous).equals(row.hash)) {
        return verdict({ reason: 'audit_row_changed', parameters: { row: row.sequence } });
      }
      previous = row.hash;
      count++;
      after = row.sequence;
    }
  }
  const written = (await database.prepare<[], number>(AUDIT_END).pluck().get()) ?? 0;
  return verdict(written > count ? missing(count + 1) : null);
}

function missing(row: number): AuditVerdict['problem'] {
  return { reason: 'audit_row_missing', parameters: { row } };
}
