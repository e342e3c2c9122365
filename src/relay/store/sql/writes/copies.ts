/**
 * Writes sealed copies into their queues, many at once: existing rows are read first, places are assigned in
 * memory, and a few statements write the result. Direct mail and posts to groups share this code.
 */
import {
  fillsFreely,
  type Holder,
  hasPlace,
  hasPlaceForAny,
  holdersOf,
  type NamedHolder,
  type Origin,
  type Waiting,
} from '../../../rules/queue-share.ts';
import type { PostingBot } from '../../group-records.ts';
import type {
  AcceptOutcome,
  AccountKey,
  EnvelopesToAccept,
  EnvelopeToAccept,
  QueueKey,
} from '../../records.ts';
import type { Database } from '../database.ts';
import { bucketOf, bucketOfQueue } from '../queue-keys.ts';
import { mailState } from '../reads/mail-state.ts';
import type { Row } from '../rows-at-once.ts';
import { addressToBlob, toBlob, toText } from '../values.ts';
import { copyRows, type Isolation, type NewRows } from './copy-rows.ts';
import type { Queue } from './queues.ts';

/** The common data of the copies in one request. */
export interface Sending extends Pick<EnvelopesToAccept, 'now' | 'limits'> {
  origin: Origin;
  /** The account of the sender's address. */
  account: AccountKey;
  /** The holders that each copy counts for, under keys of their names. */
  holders: readonly (NamedHolder & { key: string })[];
  /** Public id of the receiving group. */
  groupId: string | null;
  /** The posting group token. */
  bot: PostingBot | null;
}

/** One copy with its queues. */
export interface Copy {
  sending: Sending;
  envelope: EnvelopeToAccept;
  /** The bytes of its id. */
  hash: Buffer;
  queues: readonly Queue[];
}

/** Stored data of a request, repeated in each of its copies. */
export function sendingOf({ from, account, via, network, now, limits }: EnvelopesToAccept): Sending {
  const origin = { sender: addressToBlob(from), via, network: network === null ? null : toBlob(network) };
  const holders = holdersOf(origin, limits.shares).map((holder) => ({
    ...holder,
    key: Buffer.from(holder.name).toString('latin1'),
  }));
  return { origin, account, now, limits, holders, groupId: null, bot: null };
}

/** A holder's use of a queue, and the addition by these copies. */
interface Share {
  queue: Queue;
  holder: NamedHolder;
  /** Zero if it was not read, because it decides about no copy. */
  waiting: Waiting;
  more: Waiting;
}

/** The state that decides about copies. */
export interface CopyState {
  /** Earlier arrival times by id: these copies are repeated. Stored ids are added. */
  accepted: Map<string, number>;
  /** The uses of a queue by the holders of a copy. */
  sharesIn(queue: Queue, sending: Sending): Share[];
}

/** Parts of the state that were read together with the queues. */
export interface KnownState {
  /** Copies by id: their account, and the time of an earlier arrival in milliseconds, or null. */
  arrivals: ReadonlyMap<string, { account: AccountKey; at: number | null }>;
  /** The use of queues by holders, under keys of their names. */
  shares: ReadonlyMap<QueueKey, ReadonlyMap<string, Waiting>>;
}

const NOTHING_KNOWN: KnownState = { arrivals: new Map(), shares: new Map() };

/** @param isolation of the transactions that store copies */
export function copyWrites(database: Database, isolation: Isolation) {
  const readState = mailState(database);
  const insertRows = copyRows(database, isolation);

  async function write(placed: readonly Copy[], filled: ReadonlySet<Share>): Promise<void> {
    const queues = new Map<number, Waiting>();
    for (const { queues: into, envelope } of placed) {
      const size = envelope.ciphertext.length;
      for (const { id } of into) {
        const more = queues.get(id) ?? nothing();
        queues.set(id, more);
        count(more, size);
      }
    }
    const inOrder = [...queues].toSorted(([one], [other]) => one - other);
    await insertRows({
      queues: inOrder.map(([id, { envelopes, bytes }]) => [id, bucketOfQueue(id), envelopes, bytes]),
      shares: [...filled].map(({ queue: { id }, holder, more }) => [
        id,
        holder.name,
        bucketOfQueue(id),
        more.envelopes,
        more.bytes,
      ]),
      copies: placed.map(copyRow),
      deliveries: placed.flatMap(({ queues: into }, copy) =>
        into.map(({ id }) => [id, bucketOfQueue(id), copy]),
      ),
    });
  }

  return {
    /**
     * Reads the state that decides about copies.
     * @param sent all of them, each with its recipient's account
     * @param copies those with queues, for the use of the queues by their holders
     * @param known parts of it that were read before
     */
    async look(
      sent: readonly { id: string; hash: Buffer; account: AccountKey }[],
      copies: readonly Copy[],
      known: KnownState = NOTHING_KNOWN,
    ): Promise<CopyState> {
      const shares = sharesOf(copies);
      const pairs: Row[] = [];
      const decided = decidedQueues(copies);
      for (const [queue, of] of shares) {
        for (const [key, share] of of) {
          const waiting = known.shares.get(queue)?.get(key);
          if (waiting) share.waiting = waiting;
          else if (!decided.has(queue)) pairs.push([queue, share.holder.name, bucketOfQueue(queue)]);
        }
      }
      const accepted = new Map<string, number>();
      const ids: Row[] = [];
      for (const { id, hash, account } of sent) {
        const arrival = known.arrivals.get(id);
        if (arrival?.account !== account) ids.push([hash, bucketOf(account)]);
        else if (arrival.at !== null) accepted.set(id, arrival.at);
      }
      const found = await readState(ids, pairs);
      for (const { device, holder, envelopes, bytes } of found.shares) {
        const share = shares.get(device)?.get(holder.toString('latin1'));
        if (share) share.waiting = { envelopes, bytes };
      }
      for (const row of found.accepted) accepted.set(toText(row.hash), row.accepted_at);
      return {
        accepted,
        sharesIn: (queue, { holders }) => holders.flatMap(({ key }) => shares.get(queue.id)?.get(key) ?? []),
      };
    },

    /**
     * Stores copies one by one, unless one of a copy's queues is full, and updates their counters.
     * @returns outcomes in the order of the copies
     */
    async store(copies: readonly Copy[], { accepted, sharesIn }: CopyState): Promise<AcceptOutcome[]> {
      const placed: Copy[] = [];
      const filled = new Set<Share>();
      const outcomes = copies.map((copy): AcceptOutcome => {
        const { envelope, sending, queues } = copy;
        const acceptedAt = accepted.get(envelope.id);
        if (acceptedAt !== undefined) return { status: 'duplicate', acceptedAt };
        const size = envelope.ciphertext.length;
        const hasRoom = (queue: Queue) =>
          hasPlace(queue, holdersThatCount(queue, sending, sharesIn), size, sending.limits);
        if (!queues.every(hasRoom)) return { status: 'inbox_full' };
        for (const queue of queues) {
          count(queue, size);
          for (const share of sharesIn(queue, sending)) {
            count(share.waiting, size);
            count(share.more, size);
            filled.add(share);
          }
        }
        accepted.set(envelope.id, sending.now);
        placed.push(copy);
        return { status: 'accepted', acceptedAt: sending.now, queues: queues.map(({ id }) => id) };
      });
      if (placed.length > 0) await write(placed, filled);
      return outcomes;
    },
  };
}

/** Each holder of copies in each of their queues, with no use yet. */
function sharesOf(copies: readonly Copy[]): Map<number, Map<string, Share>> {
  const shares = new Map<number, Map<string, Share>>();
  for (const { sending, queues } of copies) {
    for (const queue of queues) {
      const inQueue = shares.get(queue.id) ?? new Map<string, Share>();
      shares.set(queue.id, inQueue);
      for (const holder of sending.holders) {
        if (inQueue.has(holder.key)) continue;
        inQueue.set(holder.key, { queue, holder, waiting: nothing(), more: nothing() });
      }
    }
  }
  return shares;
}

/**
 * The queues that have room for all of the copies, for any use by their holders: usual ones are far from full. That use is not
 * read, because reading it costs as much as finding the queues.
 */
function decidedQueues(copies: readonly Copy[]): Set<QueueKey> {
  const additions = new Map<Queue, { more: Waiting; share: number; limits: Sending['limits'] }>();
  const undecided = new Set<Queue>();
  for (const { sending, envelope, queues } of copies) {
    for (const queue of queues) {
      const addition = additions.get(queue) ?? { more: nothing(), share: 1, limits: sending.limits };
      additions.set(queue, addition);
      count(addition.more, envelope.ciphertext.length);
      for (const { share } of sending.holders) addition.share = Math.min(addition.share, share);
      // The limits of a running relay may change between two requests.
      if (sending.limits !== addition.limits) undecided.add(queue);
    }
  }
  const decided = new Set<QueueKey>();
  for (const [queue, { more, share, limits }] of additions) {
    if (!undecided.has(queue) && hasPlaceForAny(queue, more, share, limits)) decided.add(queue.id);
  }
  return decided;
}

/** The holders whose shares limit a copy in a queue. */
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

/** Adds one envelope of this size. */
function count(waiting: Waiting, size: number): void {
  waiting.envelopes++;
  waiting.bytes += size;
}

/** The recipient of a copy that has a queue. */
function accountOfCopy([queue]: readonly Queue[]): AccountKey {
  if (!queue) throw new Error('a copy was stored for no queue');
  return queue.account;
}

/** The values of a copy, in the columns of its rows (copy-rows.ts). */
function copyRow({ queues, sending, envelope, hash }: Copy): NewRows['copies'][number] {
  const account = accountOfCopy(queues);
  const ofEnvelope = [bucketOf(account), hash, sending.now, envelope.ciphertext.length, queues.length];
  const ofBody = [
    account,
    sending.origin.sender,
    sending.origin.via,
    envelope.asRequest ? 1 : 0,
    envelope.isRemembered ? 0 : 1,
    envelope.recipientDeviceKey === null ? null : toBlob(envelope.recipientDeviceKey),
    envelope.ephemeralPublicKey,
    envelope.nonce,
    envelope.ciphertext,
    sending.groupId,
    sending.bot?.id ?? null,
    sending.bot?.name ?? null,
    sending.origin.network,
  ];
  return { envelope: ofEnvelope, body: ofBody };
}
