/**
 * Writes of chains: an entry and what it changes, together. Entries were judged before, by what the store had then; what is
 * checked here is that this is still so, and how much an account may do.
 */
import { isDeepStrictEqual } from 'node:util';
import { ROSTER_BYTES_A_DAY } from '../../../../protocol/limits.ts';
import type { RosterBody } from '../../../../protocol/roster/forms.ts';
import { arrivalOf, departuresOf } from '../../../../protocol/roster/history.ts';
import type { RosterPerson, RosterState } from '../../../../protocol/roster/state.ts';
import type { AuditAction } from '../../operator-records.ts';
import { type AccountKey, type GroupKey, TooManyChanges } from '../../records.ts';
import type {
  AppendOutcome,
  FoundOutcome,
  JudgedEntry,
  MembershipQuotas,
  NewRoster,
  RosterStep,
} from '../../roster-records.ts';
import type { Database } from '../database.ts';
import { fieldsOf } from '../rows.ts';
import { addressToBlob, toBlob, toText } from '../values.ts';
import type { Audit } from './audit.ts';
import { groupRemover } from './group-rows.ts';
import { groupTexts } from './group-texts.ts';
import { listedCredentials } from './listed-credentials.ts';
import { publishedLists } from './published-list.ts';

interface HeadRow {
  public_id: string;
  epoch: number;
  hash: Buffer;
  listed: number;
}

const DAY = 24 * 3_600_000;

export function rosterWrites(database: Database, audit: Audit) {
  const account = database.prepare<[Buffer], number>('SELECT id FROM account WHERE address = ?').pluck();
  const groupOf = database.prepare<[string], number>('SELECT id FROM chat_group WHERE public_id = ?').pluck();
  const head = database.prepare<[number], HeadRow>(
    'SELECT public_id, epoch, hash, listed FROM chat_group WHERE id = ?',
  );
  const insertGroup = database.prepare(
    `INSERT INTO chat_group (public_id, name, description, told, listed, member_count, created_at, epoch, hash,
                             issued_at, join_mode, roster)
     VALUES (?, '', '', ?, ?, 0, ?, 0, zeroblob(32), 0, '', '')`,
  );
  const updateGroup = database.prepare(
    `UPDATE chat_group SET verified = verified AND name = :name, name = :name, description = :description,
            creator_id = :creator, member_count = :memberCount, epoch = :epoch, hash = :hash, issued_at = :issued,
            join_mode = :join, roster = :roster
      WHERE id = :group`,
  );
  const setTold = database.prepare('UPDATE chat_group SET told = ? WHERE id = ?');
  const updateListed = database.prepare('UPDATE chat_group SET listed = ? WHERE id = ? AND listed <> ?');
  const insertEntry = database.prepare(
    `INSERT INTO roster_entry (group_id, epoch, hash, body, device_id, signature, account_id, bytes, taken_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const savePerson = database.prepare('INSERT OR REPLACE INTO roster_person VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  const saveUninvited = database.prepare('INSERT OR REPLACE INTO roster_uninvited VALUES (?, ?, ?)');
  const deleteUninvited = database.prepare('DELETE FROM roster_uninvited WHERE group_id = ? AND address = ?');
  const memberships = database
    .prepare<[number], number>('SELECT count(*) FROM member WHERE account_id = ?')
    .pluck();
  const signedOfLate = database.prepare<[number, number], { bytes: number; taken_at: number }>(
    `SELECT bytes, taken_at FROM roster_entry WHERE account_id = ? AND taken_at > ? AND bytes > 0
      ORDER BY taken_at DESC`,
  );
  const revokeTokens = database.prepare<[number, number], { public_id: string }>(
    'UPDATE credential SET revoked_at = ? WHERE group_id = ? AND revoked_at IS NULL RETURNING public_id',
  );
  const texts = groupTexts(database);
  const lists = publishedLists(database);
  const listed = listedCredentials(database);
  const removeGroup = groupRemover(database);

  const accountOf = (address: string): AccountKey => {
    const found = account.get(addressToBlob(address));
    if (found === undefined) throw new Error('somebody in a chain has no account');
    return found;
  };

  /** @throws TooManyChanges if the account has signed as much in the last day as is taken */
  function requireRoom(signer: AccountKey, bytes: number, now: number): void {
    let left = ROSTER_BYTES_A_DAY - bytes;
    for (const row of signedOfLate.all(signer, now - DAY)) {
      left -= row.bytes;
      // Room is there again when this one, with all before it, is a day old.
      if (left < 0) throw new TooManyChanges(row.taken_at + DAY - now);
    }
  }

  function saveEntry(group: GroupKey, { entry, folded }: JudgedEntry, signer: AccountKey, now: number): void {
    const body = toBlob(entry.body);
    const bytes = isAlwaysTaken(folded.body) ? 0 : body.length;
    if (bytes > 0) requireRoom(signer, bytes, now);
    const [hash, device, signature] = [folded.hash, entry.deviceId, entry.signature].map(toBlob);
    insertEntry.run(group, folded.body.epoch, hash, body, device, signature, signer, bytes, now);
  }

  function savePeople(group: GroupKey, before: RosterState['people'], after: RosterState['people']): void {
    for (const [address, person] of Object.entries(after)) {
      if (isDeepStrictEqual(person, before[address])) continue;
      const { list, since, joins, departed, removed, signed }: RosterPerson = person;
      const times = JSON.stringify(joins);
      savePerson.run(group, accountOf(address), list, since, times, departed, removed ? 1 : 0, signed);
    }
  }

  function saveWithdrawn(group: GroupKey, before: RosterState, after: RosterState): void {
    for (const [address, at] of Object.entries(after.uninvited)) {
      if (before.uninvited[address] !== at) saveUninvited.run(group, addressToBlob(address), at);
    }
    for (const address of Object.keys(before.uninvited)) {
      if (!Object.hasOwn(after.uninvited, address)) deleteUninvited.run(group, addressToBlob(address));
    }
  }

  function saveState(group: GroupKey, before: RosterState, after: RosterState): void {
    savePeople(group, before.people, after.people);
    saveWithdrawn(group, before, after);
    updateGroup.run({
      group,
      name: after.name,
      description: after.description,
      creator: after.creator === null ? null : accountOf(after.creator),
      memberCount: after.memberCount,
      epoch: after.epoch,
      hash: toBlob(after.hash ?? ''),
      issued: after.issued,
      join: after.join,
      roster: JSON.stringify(fieldsOf(after)),
    });
  }

  const isNewest = (signer: AccountKey, body: RosterBody) => lists.newest(signer)?.sequence === body.list;

  /** Nobody answers for the tokens of a creator who is none any more. */
  function endTokens(group: GroupKey, { before, after, now }: RosterStep): string[] {
    if (before.creator === null || before.creator === after.creator) return [];
    const revoked = revokeTokens.all(now, group).map((token) => token.public_id);
    listed.forgetEnded(accountOf(before.creator), 'group_token', now);
    return revoked;
  }

  return {
    createRoster(roster: NewRoster, most: MembershipQuotas): FoundOutcome {
      const { creator, entries, state, told, now } = roster;
      if (groupOf.get(state.groupId) !== undefined) return 'exists';
      if (!entries.every(({ folded }) => isNewest(creator, folded.body))) return 'moved';
      if ((memberships.get(creator) ?? 0) >= most.groups) return 'groups';
      audit({ at: now, actor: creator, action: 'group.created', target: state.groupId });
      const { lastInsertRowid } = insertGroup.run(state.groupId, told, roster.listed ? 1 : 0, now);
      const group = Number(lastInsertRowid);
      for (const entry of entries) saveEntry(group, entry, creator, now);
      saveState(group, { ...state, people: {}, uninvited: {} }, state);
      if (roster.listed) texts.show(group, state.name);
      return 'made';
    },

    appendEntry(step: RosterStep, most: MembershipQuotas): AppendOutcome {
      const { group, before, after, folded, told, now } = step;
      const row = head.get(group);
      if (!row || row.epoch !== before.epoch || toText(row.hash) !== before.hash) {
        return { status: 'moved' };
      }
      const { body } = folded;
      const signer = accountOf(body.by);
      if (!isNewest(signer, body)) return { status: 'moved' };
      if (arrivalOf(folded) !== null) {
        if ((memberships.get(signer) ?? 0) >= most.groups) return { status: 'groups' };
        if (before.memberCount >= most.groupMembers) return { status: 'groupMembers' };
      }
      saveEntry(group, step, signer, now);
      saveState(group, before, after);
      if (told !== undefined) setTold.run(told, group);
      if (row.listed === 1 && before.name !== after.name) texts.rename(group, after.name);
      const revoked = endTokens(group, step);
      const departed = departuresOf(folded).map(({ address }) => address);
      const detail = {
        epoch: body.epoch,
        ...(body.kind === 'change' && { fields: changedFields(body) }),
        ...(departed.length > 0 && { departed, revokedTokens: revoked.length }),
      };
      audit({ at: now, actor: signer, action: actionOf(body), target: row.public_id, detail });
      const ended = after.memberCount === 0;
      if (ended) {
        removeGroup(group);
        audit({ at: now, actor: signer, action: 'group.removed', target: row.public_id });
      }
      return { status: 'appended', ended, departed: departed.map(accountOf), revoked };
    },

    setListed(group: GroupKey, isListed: boolean, by: AccountKey, now: number): void {
      const row = head.get(group);
      const value = isListed ? 1 : 0;
      if (!row || updateListed.run(value, group, value).changes === 0) return;
      if (isListed) texts.showAsNamed(group);
      else texts.hide(group);
      const action = isListed ? 'group.listed' : 'group.unlisted';
      audit({ at: now, actor: by, action, target: row.public_id });
    },
  };
}

/** What a change says beside its place. */
function changedFields(body: Extract<RosterBody, { kind: 'change' }>): string[] {
  const { epoch: _, previous: _p, issued: _i, by: _b, list: _l, kind: _k, ...fields } = body;
  return Object.keys(fields);
}

/** What ends a membership, and does nothing else. Its size is bounded by the members who go. */
function isAlwaysTaken(body: RosterBody): boolean {
  if (body.kind === 'leave') return true;
  return body.kind === 'change' && changedFields(body).join() === 'remove';
}

function actionOf(body: RosterBody): AuditAction {
  switch (body.kind) {
    case 'create':
      return 'group.created';
    case 'join':
      return 'group.joined';
    case 'leave':
      return 'group.left';
    case 'change':
      return isAlwaysTaken(body) ? 'group.member_removed' : 'group.changed';
  }
}
