/**
 * The audit log as a chain: the hash of each row covers the row and the hash of the one before it.
 */
import { hash } from 'node:crypto';
import type { AuditVerdict } from '../operator-records.ts';
import type { Database } from './database.ts';

/** A row as it stands in its table. */
export interface StoredAuditRow {
  sequence: number;
  at: number;
  actor: string;
  action: string;
  target: string;
  detail: string;
  hash: Buffer;
}

/** What the first row follows: 32 zeros, or the hash of the last row whose time is over. */
export interface AuditStart {
  /** 0: none. */
  sequence: number;
  hash: Buffer;
}

export const AUDIT_START = 'SELECT sequence, hash FROM audit_start';

/** The hash of a row that follows one with another hash. */
export function auditHash(row: Omit<StoredAuditRow, 'hash'>, previous: Buffer): Buffer {
  const { sequence, at, actor, action, target, detail } = row;
  const fields = JSON.stringify([sequence, at, actor, action, target, detail]);
  return hash('sha256', `waxwing/audit/v1 ${previous.toString('hex')} ${fields}`, 'buffer');
}

/** Walks the whole chain and names the first row at which it breaks. */
export function verifyChain(database: Database): AuditVerdict {
  const rows = database.prepare<[], StoredAuditRow>('SELECT * FROM audit ORDER BY sequence');
  const beginning = database.prepare<[], AuditStart>(AUDIT_START);
  const highest = database.prepare<[], { seq: number }>(
    "SELECT seq FROM sqlite_sequence WHERE name = 'audit'",
  );
  // One transaction, so that what is written meanwhile stands in neither or in both.
  return database.transaction((): AuditVerdict => {
    const start = beginning.get();
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
    for (const row of rows.iterate()) {
      if (row.sequence !== count + 1) return verdict(missing(count + 1));
      if (!auditHash(row, previous).equals(row.hash)) {
        return verdict({ reason: 'audit_row_changed', parameters: { row: row.sequence } });
      }
      previous = row.hash;
      count++;
    }
    const written = highest.get()?.seq ?? 0;
    return verdict(written > count ? missing(count + 1) : null);
  })();
}

function missing(row: number): AuditVerdict['problem'] {
  return { reason: 'audit_row_missing', parameters: { row } };
}
