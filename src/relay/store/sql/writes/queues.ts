/**
 * The target queues of copies: of the device with a seal key, or of all devices of an address. Found for many
 * copies at once.
 */
import type { EnvelopeToAccept, QueueKey } from '../../records.ts';
import type { Database } from '../database.ts';
import { bucketOfQueue } from '../queue-keys.ts';
import { finder } from '../rows-at-once.ts';
import { addressToBlob, blobToAddress, toBlob, toText, wireAddress } from '../values.ts';

/** A queue, with its current content. Stored copies change that. */
export interface Queue {
  id: QueueKey;
  account: number;
  envelopes: number;
  bytes: number;
}

/** The recipient of a copy, and the time of its arrival. */
export interface Place {
  envelope: Pick<EnvelopeToAccept, 'to' | 'recipientDeviceKey'>;
  /** In milliseconds. */
  sending: { now: number };
}

interface QueueRow {
  id: number;
  account_id: number;
  address: Buffer;
  /** Null if the device has no queue; undefined where the counters are read by themselves. */
  envelopes?: number | null;
  bytes?: number | null;
}

/** The queue of the device with a key. */
type KeyRow = QueueRow & { seal_key: Buffer; accepted_until: number };

export function queueReads(database: Database) {
  // Where devices and queues can be on different servers, the counters are read by themselves.
  const [counts, joined] = database.isDistributed
    ? ['', '']
    : [', queue.envelopes, queue.bytes', 'LEFT JOIN queue ON queue.device = device.id'];
  const ofKeys = finder<KeyRow>(
    database,
    { seal_key: 'bytes' },
    (matches) =>
      `SELECT device.id, account_id, address, seal_key, expires_at AS accepted_until${counts}
         FROM device JOIN account ON account.id = device.account_id ${joined}
        WHERE ${matches}`,
  );
  const ofPreviousKeys = finder<KeyRow>(
    database,
    { 'retired_key.seal_key': 'bytes' },
    (matches) =>
      `SELECT device.id, device.account_id, address, retired_key.seal_key, accepted_until${counts}
         FROM retired_key JOIN device ON device.id = retired_key.device
         JOIN account ON account.id = device.account_id ${joined}
        WHERE ${matches}`,
  );
  const ofAddresses = finder<QueueRow>(
    database,
    { address: 'bytes' },
    (matches) =>
      `SELECT device.id, account_id, address${counts}
         FROM account JOIN device ON device.account_id = account.id ${joined}
        WHERE ${matches} ORDER BY device.id`,
  );
  const counters = finder<{ device: number; envelopes: number; bytes: number }>(
    database,
    { device: 'integer', bucket: 'integer' },
    (matches) => `SELECT device, envelopes, bytes FROM queue WHERE ${matches}`,
  );

  /**
   * Finds the queues of some copies.
   * @param current the rows of all current keys among them, if these were read before
   * @returns the queues of one of them; empty if there is none
   */
  return async (
    places: readonly Place[],
    current: readonly KeyRow[] | null = null,
  ): Promise<(place: Place) => Queue[]> => {
    const queues = new Map<QueueKey, Queue>();
    const open = new Set<Queue>();
    const queueOf = ({ id, account_id, envelopes, bytes }: QueueRow): Queue => {
      const known = queues.get(id);
      const queue = known ?? { id, account: account_id, envelopes: envelopes ?? 0, bytes: bytes ?? 0 };
      queues.set(id, queue);
      if (typeof envelopes === 'number') open.add(queue);
      return queue;
    };
    const byKey = new Map<string, (KeyRow & { queue: Queue })[]>();
    const keep = (rows: readonly KeyRow[]) => {
      for (const row of rows) {
        const key = toText(row.seal_key);
        byKey.set(key, [...(byKey.get(key) ?? []), { ...row, queue: queueOf(row) }]);
      }
    };
    const queueOfKey = (key: string, { envelope: { to }, sending: { now } }: Place): Queue | null =>
      byKey.get(key)?.find((row) => row.accepted_until > now && row.address.equals(addressToBlob(to)))
        ?.queue ?? null;

    const keyed = places.flatMap((place) =>
      place.envelope.recipientDeviceKey === null ? [] : { place, key: place.envelope.recipientDeviceKey },
    );
    keep(current ?? (await ofKeys(unique(keyed.map(({ key }) => key)).map((key) => [toBlob(key)]))));
    const missing = keyed.flatMap(({ place, key }) => (queueOfKey(key, place) ? [] : key));
    keep(await ofPreviousKeys(unique(missing).map((key) => [toBlob(key)])));

    const addresses = places.flatMap(({ envelope }) =>
      envelope.recipientDeviceKey === null ? envelope.to : [],
    );
    const byAddress = new Map<string, Map<QueueKey, Queue>>();
    for (const row of await ofAddresses(unique(addresses).map((address) => [addressToBlob(address)]))) {
      const address = blobToAddress(row.address);
      const of = byAddress.get(address) ?? new Map<QueueKey, Queue>();
      byAddress.set(address, of.set(row.id, queueOf(row)));
    }

    const uncounted = database.isDistributed ? [...queues.keys()] : [];
    for (const row of await counters(uncounted.map((id) => [id, bucketOfQueue(id)]))) {
      const queue = queues.get(row.device);
      if (queue) open.add(Object.assign(queue, { envelopes: row.envelopes, bytes: row.bytes }));
    }
    // A queue may have been deleted since its device was read, where they are in different databases.
    const openAmong = (found: Iterable<Queue>) => [...found].filter((queue) => open.has(queue));

    return (place) => {
      const { to, recipientDeviceKey } = place.envelope;
      if (recipientDeviceKey === null) return openAmong(byAddress.get(wireAddress(to))?.values() ?? []);
      const queue = queueOfKey(recipientDeviceKey, place);
      return openAmong(queue ? [queue] : []);
    };
  };
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}
