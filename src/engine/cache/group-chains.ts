/**
 * Groups known to this device: the state of their chains, the stored entries, and the messages that wait for
 * entries which the relay does not show.
 */
import type { SenderProof } from '../../messaging/contents/rights.ts';
import { byteLength } from '../../messaging/contents/text.ts';
import {
  type AcceptedEntry,
  type GroupNotes,
  isAwaitingChain,
  isJoined,
  MAX_WHOLE_ENTRIES,
  NOTHING_NOTED,
  type RememberedGroup,
} from '../../messaging/groups/chain-memory.ts';
import type { MessageBot, Provenance } from '../../messaging/receiving/received.ts';
import { BoundedMap } from '../../protocol/bounded-map.ts';
import type { Suite } from '../../protocol/envelope-form.ts';
import type { GroupBody } from '../../protocol/payload.ts';
import type { RosterEntry } from '../../protocol/roster/forms.ts';
import type { PastEntry } from '../../protocol/roster/history.ts';
import { emptyRoster, membersOf, type RosterState } from '../../protocol/roster/state.ts';
import type { Cache } from './database.ts';
import { OwnGroupChanges } from './own-group-changes.ts';

/** Number of stored groups, including those that the person has left. */
export const MAX_GROUPS = 5_000;
/** Number of groups whose parsed state is in memory: a large group takes long to parse. */
const MAX_READ = 100;
/** Page size for entries, read backwards. */
const PAGE = 100;
/** Number of waiting messages. The oldest beyond it are shown without their entries. */
const MAX_PENDING = 1_000;
const MAX_PENDING_BYTES = 8 * 1024 * 1024;

export interface StoredGroup extends RememberedGroup {
  id: number;
  /** True if the relay's operator confirms the name. */
  verified: boolean;
  /** True if the person is a member. */
  joined: boolean;
}

/** Parses the bot in a column. */
export function botIn(text: string | null): MessageBot | null {
  return text === null ? null : (JSON.parse(text) as MessageBot);
}

/** A waiting message. */
export interface PendingRow extends Provenance {
  id: number;
  body: GroupBody;
  proof: SenderProof;
  /** The bot that wrote it; null for a person or if unknown. */
  bot: MessageBot | null;
}

interface GroupRow {
  id: number;
  group_id: string;
  hash: string;
  state: string;
  notes: string;
  verified: number;
  joined: number;
  fetched_at: number;
}

export class Groups {
  readonly #db: Cache;
  readonly #changes: OwnGroupChanges;
  /** The last state of each group: one of 20,000 people takes megabytes. The hash commits to all entries. */
  readonly #states = new BoundedMap<string, { hash: string; state: RosterState }>(MAX_READ);

  constructor(db: Cache) {
    this.#db = db;
    this.#changes = new OwnGroupChanges(db);
  }

  get(id: number): StoredGroup | null {
    const row = this.#db.prepare<[number], GroupRow>('SELECT * FROM groups WHERE id = ?').get(id);
    return row ? this.#fromRow(row) : null;
  }

  find(groupId: string): StoredGroup | null {
    const row = this.#db.prepare<[string], GroupRow>('SELECT * FROM groups WHERE group_id = ?').get(groupId);
    return row ? this.#fromRow(row) : null;
  }

  /** Groups with the person as a member, as far as this device knows. */
  joined(): StoredGroup[] {
    const rows = this.#db.prepare<[], GroupRow>('SELECT * FROM groups WHERE joined = 1').all();
    return rows.map((row) => this.#fromRow(row));
  }

  /** Ids of groups of histories that wait for their chains. */
  awaitingChain(): string[] {
    const rows = this.#db
      .prepare<[], GroupRow>("SELECT * FROM groups WHERE joined = 0 AND hash = ''")
      .all()
      .map((row) => this.#fromRow(row));
    return rows.filter(isAwaitingChain).map(({ groupId }) => groupId);
  }

  /** Row ids of all groups that this device knows, also those that the person is in no longer. */
  ids(): number[] {
    return this.#db
      .prepare<[], { id: number }>('SELECT id FROM groups')
      .all()
      .map(({ id }) => id);
  }

  /** Number of groups known to this device. */
  count(): number {
    return this.#db.prepare<[], { count: number }>('SELECT count(*) AS count FROM groups').get()?.count ?? 0;
  }

  /**
   * Advances a group by some entries, in the caller's transaction.
   * @param own the person's address
   */
  advance(state: RosterState, accepted: readonly AcceptedEntry[], own: string): StoredGroup {
    const before = this.find(state.groupId);
    const notes = before?.notes ?? NOTHING_NOTED;
    this.#db
      .prepare(
        `INSERT INTO groups (group_id, hash, state, members, notes, joined)
         VALUES (@groupId, @hash, @state, @members, @notes, @joined)
         ON CONFLICT (group_id) DO UPDATE SET hash = @hash, state = @state, members = @members, joined = @joined`,
      )
      .run({
        groupId: state.groupId,
        hash: state.hash ?? '',
        state: JSON.stringify(state),
        members: JSON.stringify(membersOf(state)),
        notes: JSON.stringify(notes),
        joined: isJoined({ groupId: state.groupId, state, notes, fetchedAt: 0 }, own) ? 1 : 0,
      });
    const group = this.#require(state.groupId);
    const insert = this.#db.prepare('INSERT INTO group_entries VALUES (?, ?, ?, ?, ?)');
    for (const { past, entry } of accepted) {
      insert.run(group.id, past.body.epoch, past.hash, JSON.stringify(past), entry && JSON.stringify(entry));
    }
    this.#changes.add(group.id, accepted, own);
    this.#db
      .prepare(
        'UPDATE group_entries SET entry = NULL WHERE group_id = ? AND epoch <= ? AND entry IS NOT NULL',
      )
      .run(group.id, state.epoch - MAX_WHOLE_ENTRIES);
    return group;
  }

  /**
   * Adds a group of a history without any entry of its chain, in the caller's transaction. It is none of the person's
   * until the relay shows the chain.
   */
  addUnproven(
    { groupId, name }: Pick<RosterState, 'groupId' | 'name'>,
    notes: GroupNotes,
    own: string,
  ): void {
    this.note(this.advance({ ...emptyRoster(groupId), name }, [], own), notes, own);
  }

  /**
   * Replaces the chain of a group, in the caller's transaction.
   * @param accepted all entries of the new chain
   */
  replace(
    state: RosterState,
    accepted: readonly AcceptedEntry[],
    notes: GroupNotes,
    own: string,
  ): StoredGroup {
    const { id } = this.#require(state.groupId);
    this.#db.prepare('DELETE FROM group_entries WHERE group_id = ?').run(id);
    this.#changes.remove(id);
    return this.note(this.fetched(this.advance(state, accepted, own), 0), notes, own);
  }

  note({ groupId, state, fetchedAt }: StoredGroup, notes: GroupNotes, own: string): StoredGroup {
    this.#db
      .prepare('UPDATE groups SET notes = ?, joined = ? WHERE group_id = ?')
      .run(JSON.stringify(notes), isJoined({ groupId, state, notes, fetchedAt }, own) ? 1 : 0, groupId);
    return this.#require(groupId);
  }

  /** @param at time of the request to the relay, in milliseconds since 1970; 0 forces a new request */
  fetched({ groupId, verified: before }: StoredGroup, at: number, verified = before): StoredGroup {
    this.#db
      .prepare('UPDATE groups SET fetched_at = ?, verified = ? WHERE group_id = ?')
      .run(at, verified ? 1 : 0, groupId);
    return this.#require(groupId);
  }

  hashAt(groupId: string, epoch: number): string | null {
    const row = this.#db
      .prepare<[string, number], { hash: string }>(
        `SELECT e.hash FROM group_entries e JOIN groups g ON g.id = e.group_id
          WHERE g.group_id = ? AND e.epoch = ?`,
      )
      .get(groupId, epoch);
    return row?.hash ?? null;
  }

  /** Stored entries after an epoch, ascending. */
  after(groupId: string, epoch: number): PastEntry[] {
    return this.#db
      .prepare<[string, number], { past: string }>(
        `SELECT e.past FROM group_entries e JOIN groups g ON g.id = e.group_id
          WHERE g.group_id = ? AND e.epoch > ? ORDER BY e.epoch`,
      )
      .all(groupId, epoch)
      .map(({ past }) => JSON.parse(past) as PastEntry);
  }

  *newestFirst(groupId: string): Generator<PastEntry> {
    const page = this.#db.prepare<[string, number], { epoch: number; past: string }>(
      `SELECT e.epoch, e.past FROM group_entries e JOIN groups g ON g.id = e.group_id
        WHERE g.group_id = ? AND e.epoch < ? ORDER BY e.epoch DESC LIMIT ${PAGE}`,
    );
    for (let before = Number.MAX_SAFE_INTEGER; before > 1; ) {
      const rows = page.all(groupId, before);
      for (const { past } of rows) yield JSON.parse(past) as PastEntry;
      before = rows.at(-1)?.epoch ?? 0;
    }
  }

  /** The newest complete entries, ascending. */
  whole(groupId: string): RosterEntry[] {
    return this.#db
      .prepare<[string], { entry: string }>(
        `SELECT e.entry FROM group_entries e JOIN groups g ON g.id = e.group_id
          WHERE g.group_id = ? AND e.entry IS NOT NULL ORDER BY e.epoch`,
      )
      .all(groupId)
      .map(({ entry }) => JSON.parse(entry) as RosterEntry);
  }

  /** Stores a message that names an entry which the relay does not show. Duplicates are ignored. */
  addPending(id: number, { body, proof, bot, isRequested, ...provenance }: Omit<PendingRow, 'id'>): void {
    const { receivedAt, deviceId, digest, suite } = provenance;
    const text = JSON.stringify(body);
    const signer = bot && JSON.stringify(bot);
    this.#db
      .prepare(
        `INSERT OR IGNORE INTO held_messages (group_id, sender, uid, body, bytes, proof, bot, requested, received_at, device_id, digest,
           suite)
         VALUES (@id, @sender, @uid, @text, @bytes, @proof, @signer, @requested, @receivedAt, @deviceId, @digest, @suite)`,
      )
      .run({
        ...{ id, sender: body.sender, uid: body.id, text, bytes: byteLength(text), proof, signer },
        ...{ requested: isRequested ? 1 : 0, receivedAt, deviceId, digest, suite },
      });
  }

  /** Waiting messages of a group, in order of arrival. */
  pending(id: number): PendingRow[] {
    return this.#db
      .prepare<
        [number],
        {
          id: number;
          body: string;
          proof: SenderProof;
          bot: string | null;
          isRequested: number;
          receivedAt: number;
          deviceId: string | null;
          digest: string;
          suite: Suite;
        }
      >(
        `SELECT id, body, proof, bot, requested AS isRequested, received_at AS receivedAt, device_id AS deviceId, digest,
             suite FROM held_messages WHERE group_id = ? ORDER BY id`,
      )
      .all(id)
      .map((row) => ({
        ...row,
        body: JSON.parse(row.body) as GroupBody,
        bot: botIn(row.bot),
        isRequested: row.isRequested === 1,
      }));
  }

  /** Groups with a waiting message older than a time, or beyond the limit. */
  withOverdue(time: number): number[] {
    return this.#db
      .prepare<[number], { id: number }>(
        `SELECT DISTINCT group_id AS id FROM (
           SELECT group_id, received_at, row_number() OVER newest AS place, sum(bytes) OVER newest AS total
             FROM held_messages WINDOW newest AS (ORDER BY id DESC))
          WHERE received_at <= ? OR place > ${MAX_PENDING} OR total > ${MAX_PENDING_BYTES}`,
      )
      .all(time)
      .map(({ id }) => id);
  }

  release(pendingId: number): void {
    this.#db.prepare('DELETE FROM held_messages WHERE id = ?').run(pendingId);
  }

  /** The highest number of an own payload to this group; 0 for none. */
  lastSeq(id: number): number {
    const row = this.#db
      .prepare<[number], { seq: number }>('SELECT next_seq - 1 AS seq FROM groups WHERE id = ?')
      .get(id);
    return row?.seq ?? 0;
  }

  /** Reserves the next payload number for this group. It is never reset. */
  reserveSeq(id: number): number {
    const row = this.#db
      .prepare<[number], { seq: number }>(
        'UPDATE groups SET next_seq = next_seq + 1 WHERE id = ? RETURNING next_seq - 1 AS seq',
      )
      .get(id);
    if (!row) throw new Error('no such group');
    return row.seq;
  }

  #fromRow(row: GroupRow): StoredGroup {
    const { hash } = row;
    const known = this.#states.get(row.group_id);
    const state = known?.hash === hash ? known.state : (JSON.parse(row.state) as RosterState);
    this.#states.set(row.group_id, { hash, state });
    return {
      id: row.id,
      groupId: row.group_id,
      state,
      notes: JSON.parse(row.notes) as GroupNotes,
      verified: row.verified === 1,
      joined: row.joined === 1,
      fetchedAt: row.fetched_at,
    };
  }

  #require(groupId: string): StoredGroup {
    const group = this.find(groupId);
    if (!group) throw new Error('a group that was just there is missing');
    return group;
  }
}
