/**
 * Reads, on a connection of their own that cannot write.
 *
 * They run on the thread that answers requests: each is a look-up by index or a short range of one, 5 to 20 µs,
 * less than the way to another thread and back. The few that may take long run on a thread of their own
 * (long-reads.ts). In WAL mode they never wait for the writer, and each sees all that was committed before it.
 */
import type { DeviceList } from '../../../protocol/device-list.ts';
import type { SealKey } from '../../../protocol/seal-key.ts';
import type { GroupMember, GroupRecord } from '../group-records.ts';
import type {
  AccountKey,
  CredentialPage,
  CredentialRecord,
  GroupKey,
  HandleEntry,
  HandleQuery,
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
import { groupReads } from './reads/groups.ts';
import { rosterReads } from './reads/rosters.ts';
import { FEW_ROWS, isInside, phraseOf, searchInside } from './reads/text-search.ts';
import {
  CREDENTIAL,
  type CredentialRow,
  type HandleRow,
  type MailRow,
  toCredential,
  toEnvelope,
  toHandle,
} from './rows.ts';
import { addressToBlob, toBlob, toText } from './values.ts';

const HANDLE = `
  SELECT handle, address, display_name, verified, handle.created_at, handle.account_id
    FROM handle JOIN account ON account.id = handle.account_id AND suspended_at IS NULL`;

export function prepareReads(database: Database) {
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
  const byPrefix = (condition: string) =>
    database.prepare<[string, string, number], HandleRow>(
      `${HANDLE} WHERE is_public = 1 AND handle >= ? AND handle < ? ${condition} ORDER BY handle LIMIT ?`,
    );
  // Each has an index of its own: what is rare is not looked for among all.
  const handlesByPrefix = {
    any: byPrefix(''),
    verified: byPrefix('AND verified = 1'),
    unverified: byPrefix('AND verified = 0'),
  };
  // The cross join keeps to the order of the index: no more of it is read than the page takes.
  const handlesByText = database
    .prepare<[string, number, number, string, number | null, number | null, number], number>(
      `SELECT handle_text.rowid FROM handle_text CROSS JOIN handle ON handle.account_id = handle_text.rowid
         CROSS JOIN account ON account.id = handle.account_id AND suspended_at IS NULL
        WHERE handle_text.handle MATCH ? AND handle_text.rowid > ? AND handle_text.rowid <= ?
          AND handle.handle NOT GLOB ? AND (? IS NULL OR verified = ?)
        ORDER BY handle_text.rowid LIMIT ?`,
    )
    .pluck();
  const handleOf = database.prepare<[number], HandleRow>(`${HANDLE} WHERE handle.account_id = ?`);
  const lastHandle = database.prepare<[], number>('SELECT coalesce(max(account_id), 0) FROM handle').pluck();
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
  const pqKey = database.prepare<[Buffer], Buffer>('SELECT key FROM pq_key WHERE digest = ? LIMIT 1').pluck();
  const queue = database.prepare<[number, Buffer], { id: number }>(
    'SELECT id FROM device WHERE account_id = ? AND device_id = ?',
  );
  const queued = database.prepare<[number], number>('SELECT queued_bytes FROM device WHERE id = ?').pluck();
  const mail = database.prepare<[number, number], MailRow>(
    `SELECT hash, accepted_at, sender, account.address AS recipient, via, as_request, recipient_key,
            ephemeral_key, nonce, ciphertext, group_id
       FROM delivery
       JOIN envelope ON envelope.id = delivery.envelope_id
       JOIN sealed ON sealed.envelope_id = delivery.envelope_id
       JOIN account ON account.id = sealed.account_id
      WHERE device = ? ORDER BY delivery.envelope_id LIMIT ?`,
  );
  const filledQueues = database.prepare<[string], { id: number }>(
    `SELECT value AS id FROM json_each(?)
      WHERE EXISTS (SELECT 1 FROM delivery WHERE device = value)`,
  );

  const groups = groupReads(database);

  function readDevices(address: string): PublishedDevices | null {
    const row = deviceList.get(addressToBlob(address));
    if (!row) return null;
    const list = JSON.parse(row.list) as DeviceList;
    const byDevice = new Map<string, SealKey>();
    for (const { seal_statement } of sealKeys.all(row.account_id)) {
      const sealKey = JSON.parse(seal_statement) as SealKey;
      byDevice.set(sealKey.deviceId, sealKey);
    }
    return {
      address,
      deviceList: list,
      sealKeys: list.devices.flatMap((device) => byDevice.get(device.deviceId) ?? []),
      deleted: row.deleted_at !== null,
    };
  }

  function findHandleOf(address: string): HandleEntry | null {
    const row = publicHandleOf.get(addressToBlob(address));
    return row ? toHandle(row) : null;
  }

  /** A group with its members, in the order of their addresses, all of one moment. */
  const readGroup = database.transaction(
    (key: GroupKey): { group: GroupRecord; members: GroupMember[] } | null => {
      const group = groups.groupByKey(key);
      if (!group) return null;
      const members = groups.memberAddresses(key).map((address) => ({
        address,
        devices: readDevices(address),
        profile: findHandleOf(address),
      }));
      return { group, members };
    },
  );

  return {
    ...groups,
    ...rosterReads(database, groups.findGroup),

    findCredential(digest: Uint8Array, now: number): CredentialRecord | null {
      const row = credential.get(digest, now);
      return row ? toCredential(row) : null;
    },

    hasAccount(address: string): boolean {
      return account.get(addressToBlob(address)) !== undefined;
    },

    findLink(id: string, now: number): StoredLink | null {
      const row = link.get(toBlob(id), now);
      if (!row) return null;
      const offer = row.offer === null ? null : (JSON.parse(row.offer) as StoredOffer);
      return { id, key: toText(row.device_key), name: row.name, offer, expiresAt: row.expires_at };
    },

    listApiKeys(account: AccountKey, { limit, after }: ListQuery): CredentialPage {
      const rows = apiKeys.all(account, Number(after ?? Number.MAX_SAFE_INTEGER), limit + 1);
      const page = rows.slice(0, limit);
      const last = page.at(-1);
      return {
        credentials: page.map(toCredential),
        next: rows.length > limit && last ? String(last.id) : null,
      };
    },

    readProfile(account: AccountKey): Profile {
      const row = profile.get(account);
      return {
        handle: row?.handle ?? null,
        displayName: row?.display_name ?? null,
        developerApi: row?.developer_api === 1,
        deletesAt: row?.deletes_at ?? null,
      };
    },

    findHandle(handle: string): HandleEntry | null {
      const row = publicHandle.get(handle);
      return row ? toHandle(row) : null;
    },

    findHandleOf,

    /** First handles that begin with the text, in their order; then those that have it inside, oldest account first. */
    searchHandles(query: HandleQuery): { handles: HandleEntry[]; next: string | null } {
      const { text, limit } = query;
      const inside = query.after?.startsWith('inside ') ? Number(query.after.slice(7)) : null;
      const begin = query.after?.startsWith('begin ') ? query.after.slice(6) : null;
      const rows: HandleRow[] = [];
      if (inside === null) {
        const kind = query.verified === null ? 'any' : query.verified ? 'verified' : 'unverified';
        // ' ' sorts before every character of a handle, '~' after.
        const from = begin === null ? text : `${begin} `;
        rows.push(...handlesByPrefix[kind].all(from, `${text}~`, limit + 1));
        if (rows.length > limit) {
          const page = rows.slice(0, limit);
          return { handles: page.map(toHandle), next: `begin ${page.at(-1)?.handle}` };
        }
      }
      if (!isInside(text)) return { handles: rows.map(toHandle), next: null };
      const left = limit - rows.length;
      const verified = query.verified === null ? null : Number(query.verified);
      const { found, next } = searchInside(
        { after: inside ?? 0, last: lastHandle.get() ?? 0 },
        left,
        (from, to, most) => handlesByText.all(phraseOf(text), from, to, `${text}*`, verified, verified, most),
      );
      rows.push(...found.flatMap((account) => handleOf.all(account)));
      return { handles: rows.map(toHandle), next: next === null ? null : `inside ${next}` };
    },

    /** Whether a search may take too long for the thread that answers. */
    isLongHandleSearch({ text }: HandleQuery): boolean {
      return isInside(text) && (lastHandle.get() ?? 0) > FEW_ROWS;
    },

    readDevices,

    readGroup: (key: GroupKey) => readGroup(key),

    readLists({ address, after, upTo }: ListRange, limit: number): ListPage {
      const found = lists.all(addressToBlob(address), after, upTo, limit + 1);
      return {
        lists: found.slice(0, limit).map((list) => JSON.parse(list) as DeviceList),
        more: found.length > limit,
      };
    },

    readPqKeys(digests: readonly string[]): Record<string, string> {
      const keys: Record<string, string> = {};
      for (const digest of digests) {
        const key = pqKey.get(toBlob(digest));
        if (key) keys[digest] = toText(key);
      }
      return keys;
    },

    findQueue(account: AccountKey, deviceId: string): QueueKey | null {
      return queue.get(account, toBlob(deviceId))?.id ?? null;
    },

    queuedBytes(queueKey: QueueKey): number {
      return queued.get(queueKey) ?? 0;
    },

    readInbox(queueKey: QueueKey, limit: number, bytes: number): InboxPage {
      const page: InboxPage = { envelopes: [], more: false };
      let size = 0;
      for (const row of mail.iterate(queueKey, limit + 1)) {
        if (page.envelopes.length === limit || (size > 0 && size + row.ciphertext.length > bytes)) {
          page.more = true;
          break;
        }
        size += row.ciphertext.length;
        page.envelopes.push(toEnvelope(row));
      }
      return page;
    },

    findFilledQueues(queues: readonly QueueKey[]): QueueKey[] {
      return filledQueues.all(JSON.stringify(queues)).map((row) => row.id);
    },
  };
}
