/** A migration that counts the changes of each message, for tests. */
import type { Cache } from '../../src/engine/cache/database.ts';
import { type Migration, migrations } from '../../src/engine/cache/migrations.ts';

export const BYTES_PER_ROW = 60;
export const INDEX_BYTES_PER_ROW = 55;

/** A new column, filled in slices, and an index of it. */
const countingMigration: Migration = [
  'ALTER TABLE messages ADD COLUMN changes INTEGER NOT NULL DEFAULT 0',
  {
    table: 'messages',
    sql: 'UPDATE messages SET changes = changes + 1 WHERE :after < id AND id <= :last',
    inSlices: true,
    bytesPerRow: BYTES_PER_ROW,
  },
  {
    table: 'messages',
    sql: 'CREATE INDEX messages_by_changes ON messages (changes)',
    inSlices: false,
    bytesPerRow: BYTES_PER_ROW,
  },
];

/** A new index of the texts, in one transaction. */
export const indexMigration: Migration = [
  {
    table: 'messages',
    sql: 'CREATE INDEX messages_by_body ON messages (body)',
    inSlices: false,
    bytesPerRow: INDEX_BYTES_PER_ROW,
  },
];

/** One more column, filled in slices. */
export const secondMigration: Migration = [
  'ALTER TABLE messages ADD COLUMN more INTEGER NOT NULL DEFAULT 0',
  {
    table: 'messages',
    sql: 'UPDATE messages SET more = more + 1 WHERE :after < id AND id <= :last',
    inSlices: true,
    bytesPerRow: BYTES_PER_ROW,
  },
];

export function addMigration(migration: Migration): void {
  (migrations as Migration[]).push(migration);
}

/** Adds the migration to this thread's list, as a later version would. */
export function addCountingMigration(): void {
  addMigration(countingMigration);
}

/** Adds messages to a chat. Some numbers are left out, as after deletions. */
export function addMessages(db: Cache, count: number): void {
  db.exec(`
    INSERT INTO groups (group_id, hash, state, members, notes, joined) VALUES ('g', '', '{}', '[]', '{}', 1);
    INSERT INTO conversations (group_id, state, updated_at) VALUES (1, 'accepted', 1)`);
  db.prepare(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
     INSERT INTO messages (id, conversation_id, place, sender, uid, sent_at, stored_at, state, trust, signed_at, body)
       SELECT i * 3, 1, i * 3, 'ann', randomblob(16), i, i, 'received', 'verified', i, '{"text":"Good morning ' || i || '"}' FROM n`,
  ).run(count);
}
