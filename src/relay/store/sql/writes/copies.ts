/**
 * Sealed copies into the queues that they are for, many at once: what is there is read first, places are given in memory,
 * and what is stored is written in a few statements. Direct mail and posts to groups go through here.
 */
import {
  fillsFreely,
  type Holder,
  hasPlace,
  holdersOf,
  type NamedHolder,
  type Origin,
  type Waiting,
} from '../../../rules/queue-share.ts';
import type { PostingBot } from '../../group-records.ts';
import type { AcceptOutcome, AccountKey, EnvelopesToAccept, EnvelopeToAccept } from '../../records.ts';
import type { Database } from '../database.ts';
import { bucketOf, bucketOfQueue } from '../queue-keys.ts';
import { anyOf, finder, placeholders, type Row, returningWriter, writer } from '../rows-at-once.ts';
import { addressToBlob, toBlob, toText } from '../values.ts';
import { queueCounters, shareCounters } from './delivery-rows.ts';
import type { Queue } from './queues.ts';

/** What the copies of one request have in common. */
export interface Sending extends Pick<EnvelopesToAccept, 'now' | 'limits'> {
  origin: Origin;
  /** The account that the sender's address is of. */
  account: AccountKey;
  /** Whom each copy counts for, under keys of their names. */
  holders: readonly (NamedHolder & { key: string })[];
  /** Public id of the group that it is posted to. */
  groupId: string | null;
  /** The group token that posts it. */
  bot: PostingBot | null;
}

/** One copy with the queues that it is for. */
export interface Copy {
  sending: Sending;
  envelope: EnvelopeToAccept;
  queues: readonly Queue[];
}

/** What is stored of a request with each of its copies. */
export function sendingOf({ from, account, via, network, now, limits }: EnvelopesToAccept): Sending {
  const origin = { sender: addressToBlob(from), via, network: network === null ? null : toBlob(network) };
  const holders = holdersOf(origin, limits.shares).map((holder) => ({
    ...holder,
    key: Buffer.from(holder.name).toString('latin1'),
  }));
  return { origin, account, now, limits, holders, groupId: null, bot: null };
}

/** What a holder has in a queue, and what these copies add to it. */
interface Share {
  queue: Queue;
  holder: NamedHolder;
  waiting: Waiting;
  more: Waiting;
}

/** A copy that has a place. */
interface Placed extends Copy {
  hash: Buffer;
}

export function copyWrites(database: Database) {
  const findAccepted = finder<{ hash: Buffer; accepted_at: number }>(
    database,
    (ids) => `SELECT hash, accepted_at FROM envelope WHERE ${anyOf(ids, ['hash', 'bucket'])}`,
  );
  const findShares = finder<Waiting & { device: number; holder: Buffer }>(
    database,
    (pairs) =>
      `SELECT device, holder, envelopes, bytes FROM queue_share
        WHERE ${anyOf(pairs, ['device', 'holder', 'bucket'])}`,
  );
  const insertEnvelopes = returningWriter<{ id: number; hash: Buffer }>(
    database,
    (rows) =>
      `INSERT INTO envelope (bucket, hash, accepted_at, size, pending) VALUES ${placeholders(rows, 5)}
       RETURNING id, hash`,
  );
  const insertBodies = writer(
    database,
    (rows) =>
      `INSERT INTO sealed (envelope_id, bucket, account_id, sender, via, as_request, recipient_key, ephemeral_key, nonce,
                           ciphertext, group_id, bot_id, bot_name, network)
       VALUES ${placeholders(rows, 14)}`,
  );
  const insertDeliveries = writer(
    database,
    (rows) => `INSERT INTO delivery (device, envelope_id, bucket) VALUES ${placeholders(rows, 3)}`,
  );
  const countQueues = queueCounters(database);
  const countShares = shareCounters(database);

  /** What holders have in the queues of some copies. @returns those of a copy in one of its queues */
  async function readShares(copies: readonly Copy[]): Promise<(queue: Queue, sending: Sending) => Share[]> {
    const shares = new Map<number, Map<string, Share>>();
    const known = ({ sending, queues }: Copy) => {
      for (const queue of queues) {
        const inQueue = shares.get(queue.id) ?? new Map<string, Share>();
        shares.set(queue.id, inQueue);
        for (const holder of sending.holders) {
          if (inQueue.has(holder.key)) continue;
          inQueue.set(holder.key, { queue, holder, waiting: nothing(), more: nothing() });
        }
      }
    };
    copies.forEach(known);
    const pairs = [...shares].flatMap(([queue, of]) =>
      [...of.values()].map(({ holder }) => [queue, holder.name, bucketOfQueue(queue)]),
    );
    for (const { device, holder, envelopes, bytes } of await findShares(pairs)) {
      const share = shares.get(device)?.get(holder.toString('latin1'));
      if (share) share.waiting = { envelopes, bytes };
    }
    return (queue, { holders }) => holders.flatMap(({ key }) => shares.get(queue.id)?.get(key) ?? []);
  }

  async function write(placed: readonly Placed[], filled: ReadonlySet<Share>): Promise<void> {
    // The queues first: what else changes them waits, and this need not be made again.
    const queues = new Map<number, Waiting>();
    for (const { queues: into, envelope } of placed) {
      const size = envelope.ciphertext.length;
      for (const { id } of into) queues.set(id, plus(queues.get(id) ?? nothing(), size));
    }
    const inOrder = [...queues].toSorted(([one], [other]) => one - other);
    await countQueues(inOrder.map(([id, { envelopes, bytes }]) => [id, bucketOfQueue(id), envelopes, bytes]));
    await countShares(
      [...filled].map(({ queue: { id }, holder, more }) => [
        id,
        holder.name,
        bucketOfQueue(id),
        more.envelopes,
        more.bytes,
      ]),
    );
    const ids = new Map<string, number>();
    const rows = placed.map(({ hash, sending, envelope, queues }) => [
      bucketOf(accountOfCopy(queues)),
      hash,
      sending.now,
      envelope.ciphertext.length,
      queues.length,
    ]);
    for (const { id, hash } of await insertEnvelopes(rows)) ids.set(toText(hash), id);
    const idOf = ({ envelope }: Placed): number => {
      const id = ids.get(envelope.id);
      if (id === undefined) throw new Error('an envelope that was just stored is missing');
      return id;
    };
    await insertBodies(placed.map((copy) => bodyRow(copy, idOf(copy))));
    await insertDeliveries(
      placed.flatMap((copy) => copy.queues.map(({ id }) => [id, idOf(copy), bucketOfQueue(id)])),
    );
  }

  return {
    /** When these very copies were accepted before, by their ids. @param copies each with the account that it is for */
    async acceptedBefore(
      copies: readonly { id: string; account: AccountKey }[],
    ): Promise<Map<string, number>> {
      const rows = await findAccepted(copies.map(({ id, account }) => [toBlob(id), bucketOf(account)]));
      return new Map(rows.map((row) => [toText(row.hash), row.accepted_at]));
    },

    /**
     * Stores copies, one after the other, unless one of the queues of a copy has no place for it; keeps their counts true.
     * @param accepted the ids that were accepted before: these copies are repeated. It gets those that are stored.
     * @returns outcomes in the order of the copies
     */
    async store(copies: readonly Copy[], accepted: Map<string, number>): Promise<AcceptOutcome[]> {
      const sharesIn = await readShares(copies);
      const placed: Placed[] = [];
      const filled = new Set<Share>();
      const outcomes = copies.map((copy): AcceptOutcome => {
        const { envelope, sending, queues } = copy;
        const acceptedAt = accepted.get(envelope.id);
        if (acceptedAt !== undefined) return { status: 'duplicate', acceptedAt };
        const size = envelope.ciphertext.length;
        const takes = (queue: Queue) =>
          hasPlace(queue, holdersThatCount(queue, sending, sharesIn), size, sending.limits);
        if (!queues.every(takes)) return { status: 'inbox_full' };
        for (const queue of queues) {
          Object.assign(queue, plus(queue, size));
          for (const share of sharesIn(queue, sending)) {
            share.waiting = plus(share.waiting, size);
            share.more = plus(share.more, size);
            filled.add(share);
          }
        }
        accepted.set(envelope.id, sending.now);
        placed.push({ ...copy, hash: toBlob(envelope.id) });
        return { status: 'accepted', acceptedAt: sending.now, queues: queues.map(({ id }) => id) };
      });
      if (placed.length > 0) await write(placed, filled);
      return outcomes;
    },
  };
}

/** Those whose shares a copy must keep to in a queue. */
function holdersThatCount(
  queue: Queue,
  sending: Sending,
  sharesIn: (queue: Queue, sending: Sending) => Share[],
): Holder[] {
  if (fillsFreely(sending.origin, queue.account === sending.account)) return [];
  return sharesIn(queue, sending).map(({ waiting, holder }) => ({ waiting, share: holder.share }));
}

function nothing(): Waiting {
  return { envelopes: 0, bytes: 0 };
}

/** With one more envelope of so many bytes. */
function plus({ envelopes, bytes }: Waiting, size: number): Waiting {
  return { envelopes: envelopes + 1, bytes: bytes + size };
}

/** Whom a copy that has a queue is for. */
function accountOfCopy([queue]: readonly Queue[]): AccountKey {
  if (!queue) throw new Error('a copy was stored for no queue');
  return queue.account;
}

function bodyRow({ queues, sending, envelope }: Placed, id: number): Row {
  const account = accountOfCopy(queues);
  return [
    id,
    bucketOf(account),
    account,
    sending.origin.sender,
    sending.origin.via,
    envelope.asRequest ? 1 : 0,
    envelope.recipientDeviceKey === null ? null : toBlob(envelope.recipientDeviceKey),
    envelope.ephemeralPublicKey,
    envelope.nonce,
    envelope.ciphertext,
    sending.groupId,
    sending.bot?.id ?? null,
    sending.bot?.name ?? null,
    sending.origin.network,
  ];
}
