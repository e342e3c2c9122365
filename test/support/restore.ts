/**
 * Restoring a relay to an earlier state of its database, as docs/operations.md describes.
 */
import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runAdminCommand } from '../../src/relay/admin/client.ts';
import type { TestRelay } from './relay.ts';

let backups = 0;

/** A copy of all data of a relay, made while it runs. The relay was started with `admin`. */
export async function backUp(relay: TestRelay): Promise<string> {
  const file = join(relay.folder.path, `backup-${++backups}.db`);
  await runAdminCommand(relay.folder.path, 'backup', { file });
  return file;
}

/** Puts a backup into the place of the database, and starts the relay on the same port. */
export async function restore(relay: TestRelay, file: string): Promise<void> {
  await relay.stop();
  const database = join(relay.folder.path, 'relay.db');
  for (const end of ['', '-wal', '-shm']) rmSync(database + end, { force: true });
  copyFileSync(file, database);
  await relay.start();
}
