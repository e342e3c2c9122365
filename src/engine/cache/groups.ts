/**
 * Groups as this device knows them: what the relay showed last, and which lists of members it has shown.
 */
import type { Cache } from './database.ts';

export interface StoredGroup {
  id: number;
  groupId: string;
  name: string;
  description: string;
  verified: boolean;
  hasPassword: boolean;
  creator: string;
  /** Wire addresses in their order. */
  members: string[];
  joined: boolean;
  /** Since when this device knows that the person is a member. */
  joinedAt: number;
  fetchedAt: number;
  differsAt: number | null;
}

/** What the relay shows of a group. */
export type ShownGroup = Omit<StoredGroup, 'id' | 'joined' | 'joinedAt' | 'fetchedAt' | 'differsAt'> & {
  membersHash: string;
};

interface GroupRow {
  id: number;
  group_id: string;
  name: string;
  description: string;
  verified: number;
  has_password: number;
  creator: string;
  members: string;
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

  /** Remembers what the relay shows of a group that the person is a member of. */
  save(shown: ShownGroup, now: number): StoredGroup {
    this.#db
      .prepare(
        `INSERT INTO groups (group_id, name, description, verified, has_password, creator, members, joined, joined_at,
                             fetched_at)
         VALUES (@groupId, @name, @description, @verified, @hasPassword, @creator, @members, 1, @now, @now)
         ON CONFLICT (group_id) DO UPDATE SET
           name = @name, description = @description, verified = @verified, has_password = @hasPassword,
           creator = @creator, members = @members, joined_at = iif(joined = 1, joined_at, @now), joined = 1,
           fetched_at = @now`,
      )
      .run({
        groupId: shown.groupId,
        name: shown.name,
        description: shown.description,
        verified: shown.verified ? 1 : 0,
        hasPassword: shown.hasPassword ? 1 : 0,
        creator: shown.creator,
        members: JSON.stringify(shown.members),
        now,
      });
    const group = this.find(shown.groupId);
    if (!group) throw new Error('a group that was just saved is missing');
    this.addHashes(group.id, [shown.membersHash]);
    return group;
  }

  /** Remembers hashes of lists of members that others may have been shown. */
  addHashes(id: number, hashes: readonly string[]): void {
    const insert = this.#db.prepare('INSERT OR IGNORE INTO group_hashes VALUES (?, ?)');
    for (const hash of hashes) insert.run(id, hash);
  }

  /** Whether this device was ever shown the list of members with this hash, or one between two that it was shown. */
  hasShown(id: number, hash: string): boolean {
    return (
      this.#db
        .prepare<[number, string], { hash: string }>(
          'SELECT hash FROM group_hashes WHERE group_id = ? AND hash = ?',
        )
        .get(id, hash) !== undefined
    );
  }

  /** What is known of the group is known to be outdated: it has to be asked for before it is used. */
  expire(id: number): void {
    this.#db.prepare('UPDATE groups SET fetched_at = 0 WHERE id = ?').run(id);
  }

  setLeft(id: number): void {
    this.#db.prepare('UPDATE groups SET joined = 0 WHERE id = ?').run(id);
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
