/**
 * Reads, on a read-only connection of their own.
 *
 * They run on the thread that answers requests: each is a look-up by index or a short range of one, 5 to 20 µs,
 * less than a message to another thread and back. The few long ones run on their own thread (long-reads.ts).
 * In WAL mode they never wait for the writer, and each sees all earlier commits.
 */
import type { DeviceList } from '../../../protocol/device-list.ts';
import type { GroupMember, GroupRecord } from '../group-records.ts';
import type {
  AccountKey,
  CredentialPage,
  CredentialRecord,
  GroupKey,
  HandleEntry,
  InboxPage,
  ListPage,
  ListQuery,
  ListRange,
  Profile,
  PublishedDevices,
  QueueKey,
  StoredLink,
  StoredOffer,
} from '../records.ts';
import type { Database } from './database.ts';
import { accountOf, bucketOfQueue } from './queue-keys.ts';
import { accountsByAddress } from './reads/accounts.ts';
import { blobReads } from './reads/blobs.ts';
import { groupReads } from './reads/groups.ts';
import { handleSearch } from './reads/handles.ts';
import { countWithin } from './reads/page.ts';
import { rosterReads } from './reads/rosters.ts';
import {
  CREDENTIAL,
  type CredentialRow,
  HANDLE,
  type HandleRow,
  type MailRow,
  toCredential,
  toDevices,
  toEnvelope,
  toHandle,
} from './rows.ts';
import { finder } from './rows-at-once.ts';
import type { Searches } from './searches.ts';
import { addressToBlob, toBlob, toText } from './values.ts';

/** @param searches on the same connection */
export function prepareReads(database: Database, searches: Searches) {
  const credential = database.prepare<[Buffer | Uint8Array, number], CredentialRow>(
    `${CREDENTIAL} WHERE digest = ? AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)
        AND (type <> 'api_key' OR developer_api = 1)`,
  );
  const apiKeys = database.prepare<[number, number, number], CredentialRow>(
    `${CREDENTIAL} WHERE account_id = ? AND type = 'api_key' AND credential.id < ?
      ORDER BY credential.id DESC LIMIT ?`,
  );
  const link = database.prepare<
    [Buffer, number],
    { device_key: Buffer; name: string; offer: string | null; expires_at: number }
  >('SELECT device_key, name, offer, expires_at FROM link WHERE device_id = ? AND expires_at > ?');
  const profile = database.prepare<
    [number],
    {
      handle: string | null;
      display_name: string | null;
      developer_api: number;
      deletes_at: number | null;
    }
  >(
    `SELECT handle, display_name, developer_api, deletes_at
       FROM account LEFT JOIN handle ON handle.account_id = account.id WHERE account.id = ?`,
  );
  const publicHandle = database.prepare<[string], HandleRow>(`${HANDLE} WHERE handle = ? AND is_public = 1`);
  const publicHandleOf = database.prepare<[Buffer], HandleRow>(
    `${HANDLE} WHERE address = ? AND is_public = 1`,
  );
  const account = database.prepare<[Buffer], number>('SELECT 1 FROM account WHERE address = ?').pluck();
  const deviceList = database.prepare<
    [Buffer],
    { account_id: number; list: string; deleted_at: number | null }
  >(
    `SELECT account_id, list, deleted_at FROM device_list JOIN account ON account.id = device_list.account_id
      WHERE address = ? ORDER BY sequence DESC LIMIT 1`,
  );
  const lists = database
    .prepare<[Buffer, number, number, number], string>(
      `SELECT list FROM device_list JOIN account ON account.id = device_list.account_id
        WHERE address = ? AND sequence > ? AND sequence <= ? ORDER BY sequence LIMIT ?`,
    )
    .pluck();
  const sealKeys = database.prepare<[number], { seal_statement: string }>(
    'SELECT seal_statement FROM device WHERE account_id = ?',
  );
  const pqKeys = finder<{ digest: Buffer; key: Buffer }>(
    database,
    { digest: 'bytes' },
    (matches) => `SELECT digest, key FROM pq_key WHERE ${matches}`,
  );
  const queue = database.prepare<[number, Buffer], { id: number }>(
    'SELECT id FROM device WHERE account_id = ? AND device_id = ?',
  );
  const queued = database
    .prepare<[number, number], number>('SELECT bytes FROM queue WHERE device = ? AND bucket = ?')
    .pluck();
  // Sizes first: the size of a page is known before any body is read.
  const waiting = database.prepare<[number, number, number], { id: number; size: number }>(
    `SELECT envelope.id, size
       FROM delivery JOIN envelope ON envelope.id = delivery.envelope_id AND envelope.bucket = delivery.bucket
      WHERE device = ? AND delivery.bucket = ? ORDER BY delivery.envelope_id LIMIT ?`,
  );
  const mail = database.prepare<[number, number, number, number], MailRow>(
    `SELECT hash, accepted_at, sender, via, as_request, recipient_key, ephemeral_key, nonce, ciphertext, group_id,
            bot_id, bot_name
       FROM delivery
       JOIN envelope ON envelope.id = delivery.envelope_id AND envelope.bucket = delivery.bucket
       JOIN sealed ON sealed.envelope_id = delivery.envelope_id AND sealed.bucket = delivery.bucket
      WHERE device = ? AND delivery.bucket = ? AND delivery.envelope_id <= ?
      ORDER BY delivery.envelope_id LIMIT ?`,
  );
  const addressOf = database.prepare<[number], Buffer>('SELECT address FROM account WHERE id = ?').pluck();
  const filledQueues = finder<{ device: QueueKey }>(
    database,
    { device: 'integer', bucket: 'integer' },
    (matches) => `SELECT device FROM queue WHERE envelopes > 0 AND ${matches}`,
  );

  const groups = groupReads(database, searches);

  async function readDevices(address: string): Promise<PublishedDevices | null> {
    const row = await deviceList.get(addressToBlob(address));
    return row ? toDevices(address, row, await sealKeys.all(row.account_id)) : null;
  }

  async function findHandleOf(address: string): Promise<HandleEntry | null> {
    const row = await publicHandleOf.get(addressToBlob(address));
    return row ? toHandle(row) : null;
  }

  return {
    ...groups,
    ...rosterReads(database, groups.findGroup),
    ...blobReads(database),
    accountsOf: accountsByAddress(database),

    async findCredential(digest: Uint8Array, now: number): Promise<CredentialRecord | null> {
      const row = await credential.get(digest, now);
      return row ? toCredential(row) : null;
    },

    async hasAccount(address: string): Promise<boolean> {
      return (await account.get(addressToBlob(address))) !== undefined;
    },

    async findLink(id: string, now: number): Promise<StoredLink | null> {
      const row = await link.get(toBlob(id), now);
      if (!row) return null;
      const offer = row.offer === null ? null : (JSON.parse(row.offer) as StoredOffer);
      return { id, key: toText(row.device_key), name: row.name, offer, expiresAt: row.expires_at };
    },

    async listApiKeys(account: AccountKey, { limit, after }: ListQuery): Promise<CredentialPage> {
      const rows = await apiKeys.all(account, Number(after ?? Number.MAX_SAFE_INTEGER), limit + 1);
      const page = rows.slice(0, limit);
      const last = page.at(-1);
      return {
        credentials: page.map(toCredential),
        next: rows.length > limit && last ? String(last.id) : null,
      };
    },

    async readProfile(account: AccountKey): Promise<Profile> {
      const row = await profile.get(account);
      return {
        handle: row?.handle ?? null,
        displayName: row?.display_name ?? null,
        developerApi: row?.developer_api === 1,
        deletesAt: row?.deletes_at ?? null,
      };
    },

    async findHandle(handle: string): Promise<HandleEntry | null> {
      const row = await publicHandle.get(handle);
      return row ? toHandle(row) : null;
    },

    findHandleOf,

    ...handleSearch(database, searches),

    readDevices,

    /** A group with its members, in the order of their addresses. */
    async readGroup(key: GroupKey): Promise<{ group: GroupRecord; members: GroupMember[] } | null> {
      const group = await groups.groupByKey(key);
      if (!group) return null;
      const members = await groups.membersOf(key);
      return { group, members };
    },

    async readLists({ address, after, upTo }: ListRange, limit: number): Promise<ListPage> {
      const found = await lists.all(addressToBlob(address), after, upTo, limit + 1);
      return {
        lists: found.slice(0, limit).map((list) => JSON.parse(list) as DeviceList),
        more: found.length > limit,
      };
    },

    async readPqKeys(digests: readonly string[]): Promise<Record<string, string>> {
      const rows = await pqKeys(digests.map((digest) => [toBlob(digest)]));
      return Object.fromEntries(rows.map(({ digest, key }) => [toText(digest), toText(key)]));
    },

    async findQueue(account: AccountKey, deviceId: string): Promise<QueueKey | null> {
      return (await queue.get(account, toBlob(deviceId)))?.id ?? null;
    },

    async queuedBytes(queueKey: QueueKey): Promise<number> {
      return (await queued.get(queueKey, bucketOfQueue(queueKey))) ?? 0;
    },

    async readInbox(queueKey: QueueKey, limit: number, bytes: number): Promise<InboxPage> {
      const bucket = bucketOfQueue(queueKey);
      const rows = await waiting.all(queueKey, bucket, limit + 1);
      const count = countWithin(rows, limit, bytes);
      const last = rows[count - 1];
      if (!last) return { envelopes: [], more: false };
      const recipient = await addressOf.get(accountOf(queueKey));
      if (!recipient) throw new Error('the account of a queue is missing');
      const found = await mail.all(queueKey, bucket, last.id, count);
      const envelopes = found.map((row) => toEnvelope(row, recipient));
      return { envelopes, more: rows.length > count };
    },

    async findFilledQueues(queues: readonly QueueKey[]): Promise<QueueKey[]> {
      const found = await filledQueues(queues.map((queue) => [queue, bucketOfQueue(queue)]));
      return found.map(({ device }) => device);
    },
  };
}

export type Reads = ReturnType<typeof prepareReads>;
