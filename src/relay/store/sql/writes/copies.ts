/**
 * One sealed copy into the queues that it is for. Direct mail and posts to groups go through here.
 */
import { type Holder, hasPlace } from '../../queue-share.ts';
import type { AcceptOutcome, AccountKey, EnvelopesToAccept, EnvelopeToAccept } from '../../records.ts';
import { type Database, inserted, type SqlValue } from '../database.ts';
import { addressToBlob, toBlob } from '../values.ts';
import { deliveryRows, holdersOf, type Origin } from './delivery-rows.ts';

export interface QueueRow {
  id: number;
  account_id: number;
  queued: number;
  queued_bytes: number;
}

/** What the copies of one request have in common. */
export interface Sending extends Pick<EnvelopesToAccept, 'now' | 'limits'> {
  origin: Origin;
  /** The account that the sender's address is of. */
  account: AccountKey;
  /** Public id of the group that it is posted to. */
  groupId: string | null;
}

/** What is stored of a request with each of its copies. */
export function sendingOf({ from, account, via, network, now, limits }: EnvelopesToAccept): Sending {
  const origin = { sender: addressToBlob(from), via, network: network === null ? null : toBlob(network) };
  return { origin, account, now, limits, groupId: null };
}

export function copyWrites(database: Database) {
  const rows = deliveryRows(database);
  const findEnvelope = database.prepare<[Buffer], { accepted_at: number }>(
    'SELECT accepted_at FROM envelope WHERE hash = ?',
  );
  const queueOfKey = database.prepare<[Buffer, Buffer, number], QueueRow>(
    `SELECT device.id, account_id, queued, queued_bytes
       FROM device JOIN account ON account.id = device.account_id
      WHERE seal_key = ? AND address = ? AND expires_at > ?`,
  );
  const queueOfPreviousKey = database.prepare<[Buffer, Buffer, number], QueueRow>(
    `SELECT device.id, device.account_id, queued, queued_bytes
       FROM retired_key JOIN device ON device.id = retired_key.device
       JOIN account ON account.id = device.account_id
      WHERE retired_key.seal_key = ? AND address = ? AND taken_until > ?`,
  );
  const insertEnvelope = database
    .prepare<SqlValue[], number>(
      'INSERT INTO envelope (hash, accepted_at, size, pending) VALUES (?, ?, ?, ?) RETURNING id',
    )
    .pluck();
  const insertBody = database.prepare(
    `INSERT INTO sealed (envelope_id, account_id, sender, via, as_request, recipient_key, ephemeral_key, nonce,
                         ciphertext, group_id, network)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );

  /** Who an envelope counts for in a queue. What a person writes on their own devices to their own is theirs to fill. */
  async function holdersIn(queue: QueueRow, { origin, account, limits }: Sending): Promise<Holder[]> {
    const { sender, programs, network } = holdersOf(origin);
    if (queue.account_id === account && programs === null) return [];
    const { shares } = limits;
    const all: [Buffer | null, number][] = [
      [sender, shares.sender],
      [programs, shares.sender / 2],
      [network, shares.network],
    ];
    const holders: Holder[] = [];
    for (const [holder, share] of all) {
      if (holder) holders.push({ waiting: await rows.waitingOf(queue.id, holder), share });
    }
    return holders;
  }

  return {
    /** When this very copy was accepted before, or null. */
    async acceptedBefore(envelope: EnvelopeToAccept): Promise<number | null> {
      return (await findEnvelope.get(toBlob(envelope.id)))?.accepted_at ?? null;
    },

    /** The queue of the device that has this seal key now, or had it a moment ago. */
    async queueOfKey(sealKey: string, address: string, now: number): Promise<QueueRow | null> {
      const place = [toBlob(sealKey), addressToBlob(address), now] as const;
      return (await queueOfKey.get(...place)) ?? (await queueOfPreviousKey.get(...place)) ?? null;
    },

    /** Stores a copy that was not accepted before, unless one of its queues has no place for it; keeps their counts true. */
    async store(
      sending: Sending,
      envelope: EnvelopeToAccept,
      queues: readonly [QueueRow, ...QueueRow[]],
    ): Promise<AcceptOutcome> {
      const { limits, now, origin } = sending;
      const ciphertext = toBlob(envelope.ciphertext);
      const size = ciphertext.length;
      for (const queue of queues) {
        const waiting = { envelopes: queue.queued, bytes: queue.queued_bytes };
        if (!hasPlace(waiting, await holdersIn(queue, sending), size, limits))
          return { status: 'inbox_full' };
      }

      const id = await inserted(insertEnvelope.get(toBlob(envelope.id), now, size, queues.length));
      await insertBody.run(
        id,
        queues[0].account_id,
        origin.sender,
        origin.via,
        envelope.asRequest ? 1 : 0,
        envelope.recipientDeviceKey === null ? null : toBlob(envelope.recipientDeviceKey),
        toBlob(envelope.ephemeralPublicKey),
        toBlob(envelope.nonce),
        ciphertext,
        sending.groupId,
        origin.network,
      );
      for (const queue of queues) {
        await rows.add(queue.id, id, size, origin);
        queue.queued++;
        queue.queued_bytes += size;
      }
      return { status: 'accepted', acceptedAt: now, queues: queues.map((queue) => queue.id) };
    },
  };
}
