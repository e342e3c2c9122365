/** Writes the audit log, in the same transaction as the recorded change, and expires its old rows. */
import { CHANGES_A_DAY } from '../../../../protocol/figures.ts';
import type { AuditAction } from '../../operator-records.ts';
import { AccountGone, type AccountKey, TooManyChanges } from '../../records.ts';
import { AUDIT_END, AUDIT_START, type AuditStart, auditHash, type StoredAuditRow } from '../audit-chain.ts';
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

const DAY = 24 * 3_600_000;
/** The most rows that one expiry deletes. */
const EXPIRY_BATCH = 500;
/**
 * Never refused: device lists, which have their own limit, and actions that end something. Each of these ends the result of one that
 * is limited, so that they have a limit, too.
 */
const ALWAYS_TAKEN = new Set<AuditAction>([
  'developer_access.locked',
  'api_key.revoked',
  'devices.published',
  'group.left',
  'group.member_removed',
  'group.removed',
  'group_token.revoked',
  'account.deletion_cancelled',
  'account.deleted',
]);

/**
 * Appends one row.
 * @throws TooManyChanges if the account has reached its limit of recorded changes in a day; AccountGone
 */
export type Audit = (entry: AuditEntry) => Promise<void>;

export function auditWriter(database: Database): Audit {
  const written = database.prepare<[], number>(AUDIT_END).pluck();
  const moveEnd = database.prepare('UPDATE audit_end SET sequence = ?');
  const last = database.prepare<[], { hash: Buffer }>(
    'SELECT hash FROM audit ORDER BY sequence DESC LIMIT 1',
  );
  const address = database.prepare<[number], { address: Buffer }>(
    'SELECT address FROM account WHERE id = ? AND deleted_at IS NULL',
  );
  const beginning = database.prepare<[], AuditStart>(AUDIT_START);
  // The row whose expiry makes room for the next one.
  const lastOfDay = database
    .prepare<[string, number], number>(
      `SELECT at FROM audit WHERE actor = ? AND at > ? ORDER BY at DESC LIMIT 1 OFFSET ${CHANGES_A_DAY - 1}`,
    )
    .pluck();
  const insert = database.prepare(
    'INSERT INTO audit (sequence, at, actor, action, target, detail, hash) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );

  async function nameOf(actor: AuditEntry['actor']): Promise<string> {
    if (actor === 'operator') return actor;
    const account = await address.get(actor);
    if (!account) throw new AccountGone();
    return blobToAddress(account.address);
  }

  async function requirePace(actor: string, at: number): Promise<void> {
    const since = at - DAY;
    const last = await lastOfDay.get(actor, since);
    if (last !== undefined) throw new TooManyChanges(last - since);
  }

  return async ({ at, actor, action, target, detail = {} }) => {
    const name = await nameOf(actor);
    if (actor !== 'operator' && !ALWAYS_TAKEN.has(action)) await requirePace(name, at);
    const sequence = ((await written.get()) ?? 0) + 1;
    const text = JSON.stringify(detail);
    const previous = (await last.get()) ?? (await beginning.get());
    if (!previous) throw new Error('the beginning of the audit log is missing');
    const row = { sequence, at, actor: name, action, target, detail: text };
    await insert.run(sequence, at, name, action, target, text, auditHash(row, previous.hash));
    await moveEnd.run(sequence);
  };
}

/**
 * A function that deletes a small batch of the oldest rows, if they are older than that. It returns true if there
 * may be more.
 */
export function auditExpiry(database: Database): (before: number) => Promise<boolean> {
  const oldest = database.prepare<[], Pick<StoredAuditRow, 'sequence' | 'at' | 'hash'>>(
    `SELECT sequence, at, hash FROM audit ORDER BY sequence LIMIT ${EXPIRY_BATCH}`,
  );
  const moveStart = database.prepare<[number, Buffer]>('UPDATE audit_start SET sequence = ?, hash = ?');
  const remove = database.prepare<[number]>('DELETE FROM audit WHERE sequence <= ?');
  return async (before) => {
    const rows = await oldest.all();
    const young = rows.findIndex(({ at }) => at >= before);
    const count = young < 0 ? rows.length : young;
    const end = rows[count - 1];
    if (!end) return false;
    await moveStart.run(end.sequence, end.hash);
    await remove.run(end.sequence);
    return count === EXPIRY_BATCH;
  };
}
