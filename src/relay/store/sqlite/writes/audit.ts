/**
 * Writing the audit log, in the same transaction as the change that it tells of.
 */
import type { AuditAction } from '../../operator-records.ts';
import type { AccountKey } from '../../records.ts';
import { auditHash, type StoredAuditRow } from '../audit-chain.ts';
import type { Database } from '../database.ts';
import { blobToAddress } from '../values.ts';

export interface AuditEntry {
  at: number;
  actor: AccountKey | 'operator';
  action: AuditAction;
  target: string;
  /** Counts, ids and names of fields: never content, a secret or a network address. */
  detail?: Record<string, unknown>;
}

/** Appends one row. */
export type Audit = (entry: AuditEntry) => void;

export function auditWriter(database: Database): Audit {
  const highest = database.prepare<[], { seq: number }>(
    "SELECT seq FROM sqlite_sequence WHERE name = 'audit'",
  );
  const last = database.prepare<[], { hash: Buffer }>(
    'SELECT hash FROM audit ORDER BY sequence DESC LIMIT 1',
  );
  const address = database.prepare<[number], { address: Buffer }>('SELECT address FROM account WHERE id = ?');
  const insert = database.prepare<StoredAuditRow>(
    'INSERT INTO audit VALUES (:sequence, :at, :actor, :action, :target, :detail, :hash)',
  );

  function nameOf(actor: AuditEntry['actor']): string {
    if (actor === 'operator') return actor;
    const account = address.get(actor);
    if (!account) throw new Error(`there is no account ${actor}`);
    return blobToAddress(account.address);
  }

  return ({ at, actor, action, target, detail = {} }) => {
    const sequence = (highest.get()?.seq ?? 0) + 1;
    const row = { sequence, at, actor: nameOf(actor), action, target, detail: JSON.stringify(detail) };
    insert.run({ ...row, hash: auditHash(row, last.get()?.hash ?? null) });
  };
}
