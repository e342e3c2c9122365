/**
 * Reads of groups, their members and tokens.
 */
import { toGroupSearch } from '../../../../protocol/name-search.ts';
import type { GroupMember, GroupQuery, GroupRecord } from '../../group-records.ts';
import type { AccountKey, CredentialRecord, GroupKey, QueueKey } from '../../records.ts';
import type { Database } from '../database.ts';
import {
  CREDENTIAL,
  type CredentialRow,
  type GroupRow,
  HANDLE,
  type HandleRow,
  type ListRow,
  toCredential,
  toDevices,
  toGroup,
  toHandle,
} from '../rows.ts';
import type { Range, Searches } from '../searches.ts';
import { blobToAddress, toText } from '../values.ts';
import { FEW_ROWS, isInside, searchInside } from './text-search.ts';

export const GROUP = `
  SELECT chat_group.id, public_id, name, description, password_hash, join_mode, verified, listed, member_count, creator_id,
         address, chat_group.created_at, epoch, hash
    FROM chat_group LEFT JOIN account ON account.id = creator_id`;

/** A larger group is read where it delays no other call: each member costs about ten microseconds. */
const MANY_MEMBERS = 100;

export function groupReads(database: Database, searches: Searches) {
  const byId = database.prepare<[string], GroupRow>(`${GROUP} WHERE public_id = ?`);
  const byKey = database.prepare<[number], GroupRow>(`${GROUP} WHERE chat_group.id = ?`);
  const lastKey = database.prepare<[], number>('SELECT coalesce(max(id), 0) FROM chat_group').pluck();
  const size = database.prepare<[number], number>('SELECT member_count FROM chat_group WHERE id = ?').pluck();
  const ofMember = database.prepare<[number, number, string, string, number], GroupRow>(
    `${GROUP} JOIN member ON member.group_id = chat_group.id
      WHERE member.account_id = ? AND member.group_id > ? 
        AND (? = '' OR replace(search_name, ?, '') <> search_name)
      ORDER BY member.group_id LIMIT ?`,
  );
  const member = database
    .prepare<[number, number], number>('SELECT 1 FROM member WHERE group_id = ? AND account_id = ?')
    .pluck();
  const inChain = database
    .prepare<[number, number], number>('SELECT 1 FROM roster_person WHERE group_id = ? AND account_id = ?')
    .pluck();
  const admitted = database
    .prepare<[number, number, number], number>(
      'SELECT 1 FROM group_admission WHERE group_id = ? AND account_id = ? AND until > ?',
    )
    .pluck();
  const members = database.prepare<[number], { account_id: number; address: Buffer }>(
    `SELECT account_id, address FROM member JOIN account ON account.id = member.account_id
      WHERE group_id = ? ORDER BY address`,
  );
  const listsOfMembers = database.prepare<[number], ListRow & { account_id: number }>(
    `SELECT device_list.account_id, list, deleted_at
       FROM member JOIN account ON account.id = member.account_id
       JOIN device_list ON device_list.account_id = member.account_id
      WHERE group_id = ? AND sequence =
        (SELECT max(sequence) FROM device_list AS newest WHERE newest.account_id = member.account_id)`,
  );
  const statementsOfMembers = database.prepare<[number], { account_id: number; seal_statement: string }>(
    `SELECT device.account_id, seal_statement FROM member JOIN device ON device.account_id = member.account_id
      WHERE group_id = ?`,
  );
  const handlesOfMembers = database.prepare<[number], HandleRow>(
    `${HANDLE} JOIN member ON member.account_id = handle.account_id WHERE group_id = ? AND is_public = 1`,
  );
  const memberDevices = database.prepare<[number, number], { id: QueueKey; seal_key: Buffer }>(
    `SELECT device.id, seal_key FROM member JOIN device ON device.account_id = member.account_id
      WHERE member.group_id = ? AND device.expires_at > ?`,
  );
  const tokens = database.prepare<[number], CredentialRow>(
    `${CREDENTIAL} WHERE credential.group_id = ? ORDER BY credential.id DESC`,
  );

  async function page(query: GroupQuery): Promise<{ rows: GroupRow[]; place: (row: GroupRow) => string }> {
    const { memberAccount, after } = query;
    const text = searched(query.text) ?? '';
    const wanted = query.limit + 1;
    if (memberAccount !== null) {
      const rows = await ofMember.all(memberAccount, Number(after ?? 0), text, text, wanted);
      return { rows, place: (row) => String(row.id) };
    }
    const [id = '0', name = ''] = after === null ? [] : splitOnce(after);
    const place = after === null ? null : { name, key: Number(id) };
    return {
      rows: await searches.groupsByName(text, place, wanted),
      place: (row) => `${row.id} ${toGroupSearch(row.name)}`,
    };
  }

  return {
    async findGroup(id: string): Promise<GroupRecord | null> {
      const row = await byId.get(id);
      return row ? toGroup(row) : null;
    },

    async groupByKey(key: GroupKey): Promise<GroupRecord | null> {
      const row = await byKey.get(key);
      return row ? toGroup(row) : null;
    },

    /** True if a search may be too long for the thread that answers. */
    async isLongGroupSearch({ text, memberAccount }: GroupQuery): Promise<boolean> {
      return memberAccount === null && isInside(searched(text)) && ((await lastKey.get()) ?? 0) > FEW_ROWS;
    },

    async hasManyMembers(group: GroupKey): Promise<boolean> {
      return ((await size.get(group)) ?? 0) > MANY_MEMBERS;
    },

    async searchGroups(query: GroupQuery): Promise<{ groups: GroupRecord[]; next: string | null }> {
      const { limit, after } = query;
      const text = searched(query.text);
      if (query.memberAccount === null && isInside(text)) {
        const place = { after: Number(after ?? 0), last: (await lastKey.get()) ?? 0 };
        const find = (range: Range) => searches.groupsInside(text, range);
        const { found, next } = await searchInside(place, limit, find);
        const groups: GroupRecord[] = [];
        for (const key of found) groups.push(...(await byKey.all(key)).map(toGroup));
        return { groups, next };
      }
      const { rows, place } = await page(query);
      const groups = rows.slice(0, query.limit);
      const last = groups.at(-1);
      return {
        groups: groups.map(toGroup),
        next: rows.length > query.limit && last ? place(last) : null,
      };
    },

    async isMember(group: GroupKey, account: AccountKey): Promise<boolean> {
      return (await member.get(group, account)) !== undefined;
    },

    async isInChain(group: GroupKey, account: AccountKey): Promise<boolean> {
      return (await inChain.get(group, account)) !== undefined;
    },

    async isAdmitted(group: GroupKey, account: AccountKey, now: number): Promise<boolean> {
      return (await admitted.get(group, account, now)) !== undefined;
    },

    /** In the order of their addresses. */
    async membersOf(group: GroupKey): Promise<GroupMember[]> {
      const statements = Map.groupBy(await statementsOfMembers.all(group), (row) => row.account_id);
      const lists = new Map((await listsOfMembers.all(group)).map((row) => [row.account_id, row]));
      const handles = new Map((await handlesOfMembers.all(group)).map((row) => [row.account_id, row]));
      return (await members.all(group)).map((member): GroupMember => {
        const address = blobToAddress(member.address);
        const list = lists.get(member.account_id);
        const handle = handles.get(member.account_id);
        return {
          address,
          devices: list ? toDevices(address, list, statements.get(member.account_id) ?? []) : null,
          profile: handle ? toHandle(handle) : null,
        };
      });
    },

    /** The seal keys in force of all devices of members, except those with these queues. */
    async sealKeysBeside(group: GroupKey, served: readonly QueueKey[], now: number): Promise<string[]> {
      const isServed = new Set(served);
      const rows = await memberDevices.all(group, now);
      return rows.flatMap((row) => (isServed.has(row.id) ? [] : toText(row.seal_key)));
    },

    async listGroupTokens(group: GroupKey): Promise<CredentialRecord[]> {
      return (await tokens.all(group)).map(toCredential);
    },
  };
}

const searched = (text: string | null) => (text === null ? null : toGroupSearch(text));

function splitOnce(text: string): string[] {
  const space = text.indexOf(' ');
  return [text.slice(0, space), text.slice(space + 1)];
}
