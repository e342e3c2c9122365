/** Reads of chains and of their folded state. */
import type { DeviceList } from '../../../../protocol/device-list.ts';
import type { JoinMode, RosterEntry } from '../../../../protocol/roster/forms.ts';
import type { RosterPart } from '../../../../protocol/roster/part.ts';
import { personOf, type RosterPerson, type RosterState } from '../../../../protocol/roster/state.ts';
import type { GroupRecord } from '../../group-records.ts';
import type { GroupKey } from '../../records.ts';
import { type EntriesPage, listName, type StoredLists, type StoredRoster } from '../../roster-records.ts';
import type { Database } from '../database.ts';
import type { RosterFields } from '../rows.ts';
import { addressToBlob, blobToAddress, toText } from '../values.ts';
import { countWithin } from './page.ts';

interface HeadRow {
  name: string;
  description: string;
  creator: Buffer | null;
  member_count: number;
  epoch: number;
  hash: Buffer;
  issued_at: number;
  join_mode: JoinMode;
  roster: string;
}

interface PersonRow {
  list: number;
  since: number | null;
  joins: string;
  departed: number | null;
  removed: number;
  signed: number;
}

interface EntryRow {
  body: Buffer;
  device_id: Buffer;
  signature: Buffer;
}

/** @param findGroup on the same connection */
export function rosterReads(database: Database, findGroup: (id: string) => Promise<GroupRecord | null>) {
  const head = database.prepare<[number], HeadRow>(
    `SELECT name, description, address AS creator, member_count, epoch, hash, issued_at, join_mode, roster
       FROM chat_group LEFT JOIN account ON account.id = creator_id WHERE chat_group.id = ?`,
  );
  const person = database.prepare<[number, Buffer], PersonRow>(
    `SELECT list, since, joins, departed, removed, signed FROM roster_person
      WHERE group_id = ? AND account_id = (SELECT id FROM account WHERE address = ?)`,
  );
  const uninvited = database
    .prepare<[number, Buffer], number>('SELECT at FROM roster_uninvited WHERE group_id = ? AND address = ?')
    .pluck();
  const allUninvited = database.prepare<[number], { address: Buffer; at: number }>(
    'SELECT address, at FROM roster_uninvited WHERE group_id = ?',
  );
  const hashOf = database
    .prepare<[number, number], Buffer>('SELECT hash FROM roster_entry WHERE group_id = ? AND epoch = ?')
    .pluck();
  const sizes = database.prepare<[number, number, number], { size: number }>(
    `SELECT length(body) AS size FROM roster_entry WHERE group_id = ? AND epoch > ? ORDER BY epoch LIMIT ?`,
  );
  const entries = database.prepare<[number, number, number], EntryRow>(
    `SELECT body, device_id, signature FROM roster_entry
      WHERE group_id = ? AND epoch > ? ORDER BY epoch LIMIT ?`,
  );
  const list = database
    .prepare<[Buffer, number], string>(
      `SELECT list FROM device_list JOIN account ON account.id = account_id WHERE address = ? AND sequence = ?`,
    )
    .pluck();
  const newest = database
    .prepare<[Buffer], number | null>(
      'SELECT max(sequence) FROM device_list JOIN account ON account.id = account_id WHERE address = ?',
    )
    .pluck();

  async function peopleOf(
    group: GroupKey,
    addresses: readonly string[],
  ): Promise<Record<string, RosterPerson>> {
    const people: Record<string, RosterPerson> = {};
    for (const address of addresses) {
      const row = await person.get(group, addressToBlob(address));
      if (!row) continue;
      const joins = JSON.parse(row.joins) as number[];
      people[address] = { ...row, joins, removed: row.removed === 1 };
    }
    return people;
  }

  async function uninvitedOf(
    group: GroupKey,
    wanted: RosterPart['uninvited'],
  ): Promise<Record<string, number>> {
    if (wanted === 'all') {
      return Object.fromEntries(
        (await allUninvited.all(group)).map((row) => [blobToAddress(row.address), row.at]),
      );
    }
    const found: Record<string, number> = {};
    for (const address of wanted) {
      const at = await uninvited.get(group, addressToBlob(address));
      if (at !== undefined) found[address] = at;
    }
    return found;
  }

  async function stateOf(group: GroupRecord, part: RosterPart): Promise<RosterState> {
    const row = await head.get(group.key);
    if (!row) throw new Error('a group that was just there is missing');
    const { name, description, epoch } = row;
    return {
      ...(JSON.parse(row.roster) as RosterFields),
      groupId: group.id,
      epoch,
      hash: toText(row.hash),
      issued: row.issued_at,
      name,
      description,
      creator: row.creator && blobToAddress(row.creator),
      join: row.join_mode,
      memberCount: row.member_count,
      people: await peopleOf(group.key, part.people),
      uninvited: await uninvitedOf(group.key, part.uninvited),
    };
  }

  return {
    async readRoster(groupId: string, part: RosterPart, epoch: number): Promise<StoredRoster | null> {
      const group = await findGroup(groupId);
      if (!group) return null;
      const hash = await hashOf.get(group.key, epoch);
      return { group, state: await stateOf(group, part), hash: hash ? toText(hash) : null };
    },

    async readListsOf(part: RosterPart, state: RosterState, signer: string): Promise<StoredLists> {
      const lists = new Map<string, DeviceList>();
      for (const { address, sequence } of part.lists) {
        for (const number of new Set([sequence, Math.max(sequence, personOf(state, address)?.list ?? 0)])) {
          const found = await list.get(addressToBlob(address), number);
          if (found !== undefined) lists.set(listName(address, number), JSON.parse(found) as DeviceList);
        }
      }
      return { lists, newest: (await newest.get(addressToBlob(signer))) ?? 0 };
    },

    async readEntries(group: GroupKey, after: number, limit: number, bytes: number): Promise<EntriesPage> {
      const rows = await sizes.all(group, after, limit + 1);
      const count = countWithin(rows, limit, bytes);
      const page = count === 0 ? [] : await entries.all(group, after, count);
      return { entries: page.map(toEntry), more: rows.length > count };
    },
  };
}

function toEntry(row: EntryRow): RosterEntry {
  return {
    body: toText(row.body),
    deviceId: toText(row.device_id),
    signature: toText(row.signature),
  };
}
