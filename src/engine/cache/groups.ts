/**
 * Groups as this device knows them: what the relay showed last, and which lists of members it has shown.
 */

import { type MembersMemory, unconfirmedIn } from '../../messaging/trust/members.ts';
import { toLabel } from '../../protocol/label.ts';
import type { Cache } from './database.ts';

/**
 * How long after its end a list of members may still be named, in milliseconds: what is sealed to it is a minute old,
 * and clocks differ by five.
 */
const HASH_GRACE = 10 * 60_000;
/** Lists of members that are remembered for one group; the newest stay. */
const MOST_HASHES = 1_000;
/** Groups that are remembered, also those that the person has left. */
export const MOST_GROUPS = 5_000;

export interface StoredGroup {
  id: number;
  groupId: string;
  name: string;
  description: string;
  verified: boolean;
  hasPassword: boolean;
  creator: string | null;
  /** What the relay shows: wire addresses in their order. */
  members: string[];
  /** Those of `members` who departed once and whom the user has not confirmed since: they count as no members. */
  unconfirmed: string[];
  joined: boolean;
  /** Since when this device knows that the person is a member. */
  joinedAt: number;
  fetchedAt: number;
  differsAt: number | null;
}

/** What the relay shows of a group. */
export type ShownGroup = Omit<
  StoredGroup,
  'id' | 'unconfirmed' | 'joined' | 'joinedAt' | 'fetchedAt' | 'differsAt'
>;

/** The members that messages are sealed for. */
export function believedMembers(group: StoredGroup): string[] {
  const unconfirmed = new Set(group.unconfirmed);
  return group.members.filter((address) => !unconfirmed.has(address));
}

interface GroupRow {
  id: number;
  group_id: string;
  name: string;
  description: string;
  verified: number;
  has_password: number;
  creator: string | null;
  members: string;
  unconfirmed: string;
  joined: number;
  joined_at: number;
  fetched_at: number;
  differs_at: number | null;
}

function fromRow(row: GroupRow): StoredGroup {
  return {
    id: row.id,
    groupId: row.group_id,
    name: row.name,
    description: row.description,
    verified: row.verified === 1,
    hasPassword: row.has_password === 1,
    creator: row.creator,
    members: JSON.parse(row.members) as string[],
    unconfirmed: JSON.parse(row.unconfirmed) as string[],
    joined: row.joined === 1,
    joinedAt: row.joined_at,
    fetchedAt: row.fetched_at,
    differsAt: row.differs_at,
  };
}

export class Groups {
  readonly #db: Cache;

  constructor(db: Cache) {
    this.#db = db;
  }

  get(id: number): StoredGroup | null {
    const row = this.#db.prepare<[number], GroupRow>('SELECT * FROM groups WHERE id = ?').get(id);
    return row ? fromRow(row) : null;
  }

  find(groupId: string): StoredGroup | null {
    const row = this.#db.prepare<[string], GroupRow>('SELECT * FROM groups WHERE group_id = ?').get(groupId);
    return row ? fromRow(row) : null;
  }

  /** Groups that the person is in, as far as this device knows. */
  joined(): StoredGroup[] {
    return this.#db.prepare<[], GroupRow>('SELECT * FROM groups WHERE joined = 1').all().map(fromRow);
  }

  /** How many groups this device knows. */
  count(): number {
    return this.#db.prepare<[], { count: number }>('SELECT count(*) AS count FROM groups').get()?.count ?? 0;
  }

  /**
   * Remembers what the relay shows of a group. Groups do not change their creator: the one that was shown first stays.
   * @param memory as it judges what is shown
   * @param own the person's address
   */
  save(shown: ShownGroup, memory: MembersMemory, own: string, now: number): StoredGroup {
    this.#db
      .prepare(
        `INSERT INTO groups (group_id, name, description, verified, has_password, creator, members, unconfirmed, joined,
                             joined_at, fetched_at)
         VALUES (@groupId, @name, @description, @verified, @hasPassword, @creator, @members, '[]', 0, @now, @now)
         ON CONFLICT (group_id) DO UPDATE SET
           name = @name, description = @description, verified = @verified, has_password = @hasPassword,
           members = @members, fetched_at = @now`,
      )
      .run({
        groupId: shown.groupId,
        name: toLabel(shown.name) || shown.groupId,
        description: shown.description,
        verified: shown.verified ? 1 : 0,
        hasPassword: shown.hasPassword ? 1 : 0,
        creator: shown.creator,
        members: JSON.stringify(shown.members),
        now,
      });
    const group = this.find(shown.groupId);
    if (!group) throw new Error('a group that was just saved is missing');
    return this.setMemory(group, memory, own, now);
  }

  /** Whom this device believes to be in a group, and who was seen to leave it. */
  memory(group: StoredGroup): MembersMemory {
    const rows = this.#db
      .prepare<[number], { address: string }>('SELECT address FROM group_departures WHERE group_id = ?')
      .all(group.id);
    return { believed: believedMembers(group), departed: rows.map(({ address }) => address) };
  }

  /** Replaces the memory of a group. The person is in it if they are among the believed. */
  setMemory(group: StoredGroup, memory: MembersMemory, own: string, now: number): StoredGroup {
    const unconfirmed = unconfirmedIn(memory, group.members);
    this.#db
      .prepare(
        `UPDATE groups SET unconfirmed = @unconfirmed, joined = @joined,
                joined_at = iif(joined = 0 AND @joined = 1, @now, joined_at) WHERE id = @id`,
      )
      .run({
        id: group.id,
        unconfirmed: JSON.stringify(unconfirmed),
        joined: memory.believed.includes(own) ? 1 : 0,
        now,
      });
    const insert = this.#db.prepare('INSERT OR IGNORE INTO group_departures VALUES (?, ?)');
    for (const address of memory.departed) insert.run(group.id, address);
    const saved = this.get(group.id);
    if (!saved) throw new Error('a group that was just saved is missing');
    return saved;
  }

  /** The relay shows this person as a member of the group no more. */
  forgetShown(id: number, address: string): void {
    const group = this.get(id);
    if (!group) return;
    const without = (members: string[]) => JSON.stringify(members.filter((member) => member !== address));
    this.#db
      .prepare('UPDATE groups SET members = ?, unconfirmed = ? WHERE id = ?')
      .run(without(group.members), without(group.unconfirmed), id);
  }

  /**
   * Remembers hashes of lists of members that others may have been shown.
   * @param current of what the relay shows now, all of it or without unconfirmed members. All other lists are over
   * @param past of lists that have been over since now at the latest; null where there are too many to tell
   */
  addHashes(id: number, current: readonly string[], past: readonly string[] | null, now: number): void {
    this.#db
      .prepare('UPDATE group_hashes SET ended_at = ? WHERE group_id = ? AND ended_at IS NULL')
      .run(now, id);
    const insert = this.#db.prepare(
      'INSERT INTO group_hashes VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET ended_at = excluded.ended_at',
    );
    for (const hash of past ?? []) insert.run(id, hash, now);
    for (const hash of current) insert.run(id, hash, null);
    const dropped = this.#db
      .prepare<[{ id: number; most: number }], { ended_at: number | null }>(
        `DELETE FROM group_hashes WHERE group_id = @id AND hash IN (
           SELECT hash FROM group_hashes WHERE group_id = @id
           ORDER BY ended_at IS NOT NULL, ended_at DESC LIMIT -1 OFFSET @most) RETURNING ended_at`,
      )
      .all({ id, most: MOST_HASHES });
    const untold = Math.max(past ? 0 : now, ...dropped.map((each) => each.ended_at ?? 0));
    if (untold > 0) {
      this.#db.prepare('UPDATE groups SET untold_until = max(untold_until, ?) WHERE id = ?').run(untold, id);
    }
  }

  /**
   * Whether this device was shown the list of members with this hash, or one between two that it was shown, and that
   * list was not over when it was named. What was named at a time of which not all lists are known is not doubted.
   */
  hasShown(id: number, hash: string, namedAt: number): boolean {
    const until = this.#db
      .prepare<[{ id: number; hash: string }], { at: number | null }>(
        `SELECT max(g.untold_until, iif(h.hash IS NULL, 0, coalesce(h.ended_at, ${Number.MAX_SAFE_INTEGER}))) AS at
           FROM groups g LEFT JOIN group_hashes h ON h.group_id = g.id AND h.hash = @hash WHERE g.id = @id`,
      )
      .get({ id, hash })?.at;
    return until != null && until > 0 && namedAt <= until + HASH_GRACE;
  }

  /** What is known of the group is known to be outdated: it has to be asked for before it is used. */
  expire(id: number): void {
    this.#db.prepare('UPDATE groups SET fetched_at = 0 WHERE id = ?').run(id);
  }

  setDiffers(id: number, at: number | null): void {
    this.#db.prepare('UPDATE groups SET differs_at = ? WHERE id = ?').run(at, id);
  }

  /** Takes the next number for an own payload to this group. It never starts again. */
  takeSeq(id: number): number {
    const row = this.#db
      .prepare<[number], { seq: number }>(
        'UPDATE groups SET next_seq = next_seq + 1 WHERE id = ? RETURNING next_seq - 1 AS seq',
      )
      .get(id);
    if (!row) throw new Error('no such group');
    return row.seq;
  }
}
