/**
 * Reads of groups, their members and tokens.
 */
import type { GroupQuery, GroupRecord } from '../../group-records.ts';
import type { AccountKey, CredentialRecord, GroupKey, QueueKey } from '../../records.ts';
import type { Database } from '../database.ts';
import { CREDENTIAL, type CredentialRow, type GroupRow, toCredential, toGroup } from '../rows.ts';
import { blobToAddress, toText } from '../values.ts';
import { FEW_ROWS, isInside, phraseOf, searchInside } from './text-search.ts';

const GROUP = `
  SELECT chat_group.id, public_id, name, description, told, join_mode, verified, member_count, creator_id,
         address, chat_group.created_at, epoch, hash
    FROM chat_group LEFT JOIN account ON account.id = creator_id`;

/** A group of more is read where it holds up nobody: each member takes some ten microseconds. */
const MANY_MEMBERS = 100;
/** Sorts after every text. */
const LAST = '\u{10ffff}';

export function groupReads(database: Database) {
  const byId = database.prepare<[string], GroupRow>(`${GROUP} WHERE public_id = ?`);
  const byName = database.prepare<[string, string, string, number, number], GroupRow>(
    `${GROUP} WHERE listed = 1 AND name COLLATE NOCASE BETWEEN ? AND ? AND (name COLLATE NOCASE, chat_group.id) > (?, ?)
      ORDER BY name COLLATE NOCASE, chat_group.id LIMIT ?`,
  );
  // The index gives its rows in order, so that no more of it is read than the page takes.
  const byText = database
    .prepare<[string, number, number, number], number>(
      'SELECT rowid FROM group_text WHERE name MATCH ? AND rowid > ? AND rowid <= ? ORDER BY rowid LIMIT ?',
    )
    .pluck();
  const byKey = database.prepare<[number], GroupRow>(`${GROUP} WHERE chat_group.id = ?`);
  const lastKey = database.prepare<[], number>('SELECT coalesce(max(id), 0) FROM chat_group').pluck();
  const size = database.prepare<[number], number>('SELECT member_count FROM chat_group WHERE id = ?').pluck();
  const ofMember = database.prepare<[number, number, string, number], GroupRow>(
    `${GROUP} JOIN member ON member.group_id = chat_group.id
      WHERE member.account_id = ? AND member.group_id > ? AND instr(lower(name), lower(?)) > 0
      ORDER BY member.group_id LIMIT ?`,
  );
  const member = database
    .prepare<[number, number], number>('SELECT 1 FROM member WHERE group_id = ? AND account_id = ?')
    .pluck();
  const members = database.prepare<[number], { address: Buffer }>(
    `SELECT address FROM member JOIN account ON account.id = member.account_id
      WHERE group_id = ? ORDER BY address`,
  );
  const memberDevices = database.prepare<[number, number], { id: QueueKey; seal_key: Buffer }>(
    `SELECT device.id, seal_key FROM member JOIN device ON device.account_id = member.account_id
      WHERE member.group_id = ? AND device.expires_at > ?`,
  );
  const tokens = database.prepare<[number], CredentialRow>(
    `${CREDENTIAL} WHERE credential.group_id = ? ORDER BY credential.id DESC`,
  );

  function page(query: GroupQuery): { rows: GroupRow[]; place: (row: GroupRow) => string } {
    const { text, memberAccount, after } = query;
    const wanted = query.limit + 1;
    if (memberAccount !== null) {
      const rows = ofMember.all(memberAccount, Number(after ?? 0), text ?? '', wanted);
      return { rows, place: (row) => String(row.id) };
    }
    const begin = text ?? '';
    const [id = '0', name = ''] = after === null ? [] : splitOnce(after);
    return {
      rows: byName.all(begin, begin + LAST, name, Number(id), wanted),
      place: (row) => `${row.id} ${row.name}`,
    };
  }

  return {
    findGroup(id: string): GroupRecord | null {
      const row = byId.get(id);
      return row ? toGroup(row) : null;
    },

    groupByKey(key: GroupKey): GroupRecord | null {
      const row = byKey.get(key);
      return row ? toGroup(row) : null;
    },

    /** Whether a search may take too long for the thread that answers. */
    isLongGroupSearch({ text, memberAccount }: GroupQuery): boolean {
      return memberAccount === null && isInside(text) && (lastKey.get() ?? 0) > FEW_ROWS;
    },

    hasManyMembers(group: GroupKey): boolean {
      return (size.get(group) ?? 0) > MANY_MEMBERS;
    },

    searchGroups(query: GroupQuery): { groups: GroupRecord[]; next: string | null } {
      const { text, limit, after } = query;
      if (query.memberAccount === null && isInside(text)) {
        const range = { after: Number(after ?? 0), last: lastKey.get() ?? 0 };
        const find = (from: number, to: number, most: number) => byText.all(phraseOf(text), from, to, most);
        const { found, next } = searchInside(range, limit, find);
        return { groups: found.flatMap((key) => byKey.all(key).map(toGroup)), next };
      }
      const { rows, place } = page(query);
      const groups = rows.slice(0, query.limit);
      const last = groups.at(-1);
      return {
        groups: groups.map(toGroup),
        next: rows.length > query.limit && last ? place(last) : null,
      };
    },

    isMember(group: GroupKey, account: AccountKey): boolean {
      return member.get(group, account) !== undefined;
    },

    /** Addresses, in their order. */
    memberAddresses(group: GroupKey): string[] {
      return members.all(group).map((row) => blobToAddress(row.address));
    },

    /** The seal keys in force of all devices of members, but for those with these queues. */
    sealKeysBeside(group: GroupKey, served: readonly QueueKey[], now: number): string[] {
      const isServed = new Set(served);
      return memberDevices
        .all(group, now)
        .flatMap((row) => (isServed.has(row.id) ? [] : toText(row.seal_key)));
    },

    listGroupTokens(group: GroupKey): CredentialRecord[] {
      return tokens.all(group).map(toCredential);
    },
  };
}

function splitOnce(text: string): string[] {
  const space = text.indexOf(' ');
  return [text.slice(0, space), text.slice(space + 1)];
}
