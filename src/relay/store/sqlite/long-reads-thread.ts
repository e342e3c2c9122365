/** The thread of long reads. It has a read-only connection of its own. */
import type { MessagePort } from 'node:worker_threads';
import type { GroupKey, QueueKey } from '../records.ts';
import { prepareReads } from '../sql/reads.ts';
import { groupAsJson, missingAsJson } from '../views/as-json.ts';
import { asSql, type Database, damageIn, openForReading } from './database.ts';
import { sqliteSearches } from './searches.ts';
import { inOneMoment } from './snapshots.ts';

function prepareLongReads(database: Database) {
  const sql = asSql(database);
  const reads = prepareReads(sql, sqliteSearches(sql));
  return {
    searchGroups: reads.searchGroups,
    searchHandles: reads.searchHandles,
    readPqKeys: reads.readPqKeys,
    groupAsJson: (group: GroupKey, now: number) => groupAsJson(reads, group, now),
    missingAsJson: (group: GroupKey, served: readonly QueueKey[], now: number) =>
      missingAsJson(reads, group, served, now),
  };
}

export type LongReads = ReturnType<typeof prepareLongReads>;
export type LongReadName = keyof LongReads;

export interface LongReadRequest {
  name: LongReadName;
  args: unknown[];
}

/** @property damage the reason if the file is damaged */
export type LongReadAnswer = { value: unknown } | { error: string; damage: string | null };

/** Serves one request after the other. Errors are reported, and the thread continues. */
export function serveLongReads(path: string, port: MessagePort): void {
  const database = openForReading(path);
  const reads = prepareLongReads(database);
  port.on('message', async ({ name, args }: LongReadRequest) => {
    try {
      const read = reads[name] as (...args: unknown[]) => unknown;
      const value = await inOneMoment(database, () => read(...args));
      port.postMessage(
        { value } satisfies LongReadAnswer,
        value instanceof Uint8Array ? [value.buffer as ArrayBuffer] : [],
      );
    } catch (error) {
      port.postMessage({ error: String(error), damage: damageIn(error) } satisfies LongReadAnswer);
    }
  });
}
