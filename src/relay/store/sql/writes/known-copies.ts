/**
 * The state of copies for current keys, read in one look-up where the engine accepts arrays.
 */
import type { Waiting } from '../../../rules/queue-share.ts';
import type { QueueKey } from '../../records.ts';
import type { Database } from '../database.ts';
import { type KeyedRow, keyedCopies } from '../reads/keyed-copies.ts';
import { toBlob } from '../values.ts';
import type { Copy, KnownState } from './copies.ts';

type Sent = Pick<Copy, 'sending' | 'envelope'>;

export interface KnownCopies extends KnownState {
  /** The devices that have the keys, one row for each key. */
  queues: (Omit<KeyedRow, 'shares'> & { seal_key: Buffer })[];
}

/** A function that reads it. Null where the engine accepts no arrays. */
export function knownCopies(database: Database): ((sent: readonly Sent[]) => Promise<KnownCopies>) | null {
  if (!database.arrays) return null;
  const lookUp = keyedCopies(database, database.arrays);
  return async (sent) => {
    const keyed = sent.flatMap(({ sending, envelope }) => {
      const { id, recipientDeviceKey } = envelope;
      return recipientDeviceKey === null ? [] : { sending, id, sealKey: toBlob(recipientDeviceKey) };
    });
    const rows = await lookUp(
      keyed.map(({ sending, id, sealKey }) => ({
        sealKey,
        hash: toBlob(id),
        holders: sending.holders.map(({ name }) => name),
      })),
    );
    const queues = new Map<QueueKey, KnownCopies['queues'][number]>();
    const arrivals = new Map<string, { account: number; at: number | null }>();
    const shares = new Map<QueueKey, Map<string, Waiting>>();
    for (const row of rows) {
      const copy = keyed[row.place];
      if (!copy) continue;
      queues.set(row.id, { ...row, seal_key: copy.sealKey });
      arrivals.set(copy.id, { account: row.account_id, at: row.accepted_at });
      const inQueue = shares.get(row.id) ?? new Map<string, Waiting>();
      shares.set(row.id, inQueue);
      for (const [index, waiting] of row.shares.entries()) {
        const holder = copy.sending.holders[index];
        if (holder) inQueue.set(holder.key, waiting);
      }
    }
    return { queues: [...queues.values()], arrivals, shares };
  };
}
