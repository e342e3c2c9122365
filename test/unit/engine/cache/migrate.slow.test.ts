/** Migrations that are killed before each of their statements. */
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { MigrationProgress } from '../../../../src/bridge/shapes/lock-state.ts';
import { openCache, openCacheInTurns } from '../../../../src/engine/cache/database.ts';
import { migrations } from '../../../../src/engine/cache/migrations.ts';
import {
  addCountingMigration,
  addMessages,
  addMigration,
  indexMigration,
} from '../../../support/counting-migration.ts';
import { temporaryFolder } from '../../../support/engine.ts';

const ROWS = 5_000;
const MIGRATION = fileURLToPath(new URL('../../../support/migration-process.ts', import.meta.url));

test('migrations and their progress survive a kill before each of their statements', async () => {
  using folder = temporaryFolder();
  const key = randomBytes(32);
  const earlier = join(folder.path, 'earlier');
  const made = openCache(earlier, key);
  addMessages(made, ROWS);
  made.close();
  addCountingMigration();
  addMigration(indexMigration);

  const migrate = (path: string, statement: number) =>
    spawnSync(process.execPath, [MIGRATION, path, key.toString('hex'), '0', String(statement)], {
      encoding: 'utf8',
    });
  const copyOf = (name: string) => {
    const path = join(folder.path, name);
    cpSync(earlier, path, { recursive: true });
    return path;
  };
  const whole = migrate(copyOf('whole'), 0);
  const { statements } = JSON.parse(whole.stdout.trim().split('\n').at(-1) ?? '') as { statements: number };
  expect(statements).toBeGreaterThan(40);
  for (let statement = 1; statement <= statements; statement++) {
    const path = copyOf(String(statement));
    const killed = migrate(path, statement);
    expect(killed.signal, `statement ${statement}`).toBe('SIGKILL');
    const before = killed.stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    const progress: MigrationProgress[] = [...before];
    const onProgress = (each: MigrationProgress) => void progress.push(each);
    const db = await openCacheInTurns(path, key, onProgress, new AbortController().signal);
    if (!db) throw new Error('not opened');
    const done = progress.map((each) => each.done);
    expect(done, `statement ${statement}`).toEqual([...new Set(done)].toSorted((a, b) => a - b));
    expect(new Set(progress.map(({ total }) => total))).toEqual(new Set([3 * ROWS]));
    expect(done.at(-1), `statement ${statement}`).toBe(3 * ROWS);
    const counts = db.prepare('SELECT changes, count(*) AS count FROM messages GROUP BY changes').all();
    expect(counts, `statement ${statement}`).toEqual([{ changes: 1, count: ROWS }]);
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(db.pragma('user_version', { simple: true })).toBe(migrations.length);
    db.close();
  }
});
