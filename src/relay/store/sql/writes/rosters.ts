/**
 * Writes of chains: an entry together with its changes. Entries were judged before, by the store's data at that
 * time. Checked here is that the data has not changed since, and the limits of the account.
 */

import { isDeepStrictEqual } from 'node:util';
import { ROSTER_BYTES_A_DAY } from '../../../../protocol/figures.ts';
import { toGroupSearch } from '../../../../protocol/name-search.ts';
import type { RosterBody } from '../../../../protocol/roster/forms.ts';
import { arrivalOf, departuresOf } from '../../../../protocol/roster/history.ts';
import type { RosterPerson, RosterState } from '../../../../protocol/roster/state.ts';
import type { AuditAction } from '../../operator-records.ts';
import { type AccountKey, type GroupKey, TooManyChanges } from '../../records.ts';
import type {
  AppendOutcome,
  FoundOutcome,
  MembershipQuotas,
  NewRoster,
  RosterStep,
  VerifiedEntry,
} from '../../roster-records.ts';
import { type Database, inserted, type SqlValue } from '../database.ts';
import { fieldsOf } from '../rows.ts';
import { addressToBlob, toBlob, toText } from '../values.ts';
import type { Audit } from './audit.ts';
import { groupRemover } from './group-rows.ts';
import { listedCredentials } from './listed-credentials.ts';
import { liveAccounts } from './live-accounts.ts';
import { publishedLists } from './published-list.ts';

interface HeadRow {
  public_id: string;
  epoch: number;
  hash: Buffer;
  listed: number;
}

const DAY = 24 * 3_600_000;
/** The hash of a chain that has no entry yet. */
const NO_HASH = new Uint8Array(32);

export function rosterWrites(database: Database, audit: Audit) {
  const account = database.prepare<[Buffer], number>('SELECT id FROM account WHERE address = ?').pluck();
  const groupOf = database.prepare<[string], number>('SELECT id FROM chat_group WHERE public_id = ?').pluck();
  const head = database.prepare<[number], HeadRow>(
    'SELECT public_id, epoch, hash, listed FROM chat_group WHERE id = ?',
  );
  const insertGroup = database
    .prepare<SqlValue[], number>(
      `INSERT INTO chat_group (public_id, name, search_name, description, password_hash, listed, member_count, created_at, epoch, hash,
                             issued_at, join_mode, roster)
     VALUES (?, '', '', '', ?, ?, 0, ?, 0, ?, 0, '', '') RETURNING id`,
    )
    .pluck();
  const updateGroup = database.prepare(
    `UPDATE chat_group SET verified = CASE WHEN name = ? THEN verified ELSE 0 END, name = ?, search_name = ?, description = ?,
            creator_id = ?, member_count = ?, epoch = ?, hash = ?, issued_at = ?, join_mode = ?, roster = ?
      WHERE id = ?`,
  );
  const setPasswordHash = database.prepare('UPDATE chat_group SET password_hash = ? WHERE id = ?');
  const updateListed = database.prepare('UPDATE chat_group SET listed = ? WHERE id = ? AND listed <> ?');
  const insertEntry = database.prepare(
    `INSERT INTO roster_entry (group_id, epoch, hash, body, device_id, signature, account_id, bytes, accepted_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const savePerson = database.prepare(
    `INSERT INTO roster_person (group_id, account_id, list, since, joins, departed, removed, signed)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (group_id, account_id) DO UPDATE SET list = excluded.list, since = excluded.since,
       joins = excluded.joins, departed = excluded.departed, removed = excluded.removed, signed = excluded.signed`,
  );
  const saveUninvited = database.prepare(
    `INSERT INTO roster_uninvited (group_id, address, at) VALUES (?, ?, ?)
     ON CONFLICT (group_id, address) DO UPDATE SET at = excluded.at`,
  );
  const deleteUninvited = database.prepare('DELETE FROM roster_uninvited WHERE group_id = ? AND address = ?');
  const memberships = database
    .prepare<[number], number>('SELECT count(*) FROM member WHERE account_id = ?')
    .pluck();
  const recentlySigned = database.prepare<[number, number], { bytes: number; accepted_at: number }>(
    `SELECT bytes, accepted_at FROM roster_entry WHERE account_id = ? AND accepted_at > ? AND bytes > 0
      ORDER BY accepted_at DESC`,
  );
  const revokeRows = database.prepare<[number, number], { public_id: string }>(
    'UPDATE credential SET revoked_at = ? WHERE group_id = ? AND revoked_at IS NULL RETURNING public_id',
  );
  const endAdmission = database.prepare('DELETE FROM group_admission WHERE group_id = ? AND account_id = ?');
  const { isLive, requireLive } = liveAccounts(database);
  const lists = publishedLists(database);
  const listed = listedCredentials(database);
  const removeGroup = groupRemover(database);

  const accountOf = async (address: string): Promise<AccountKey> => {
    const found = await account.get(addressToBlob(address));
    if (found === undefined) throw new Error('a person in a chain has no account');
    return found;
  };

  /** @throws TooManyChanges if the account has reached its limit of signed bytes in a day */
  async function requireRoom(signer: AccountKey, bytes: number, now: number): Promise<void> {
    let left = ROSTER_BYTES_A_DAY - bytes;
    for (const row of await recentlySigned.all(signer, now - DAY)) {
      left -= row.bytes;
      // Room is free again when this one, with all before it, is a day old.
      if (left < 0) throw new TooManyChanges(row.accepted_at + DAY - now);
    }
  }

  async function saveEntry(
    group: GroupKey,
    { entry, folded }: VerifiedEntry,
    signer: AccountKey,
    now: number,
  ): Promise<void> {
    const body = toBlob(entry.body);
    const bytes = isAlwaysAccepted(folded.body) ? 0 : body.length;
    if (bytes > 0) await requireRoom(signer, bytes, now);
    await insertEntry.run(
      group,
      folded.body.epoch,
      toBlob(folded.hash),
      body,
      toBlob(entry.deviceId),
      toBlob(entry.signature),
      signer,
      bytes,
      now,
    );
  }

  async function savePeople(
    group: GroupKey,
    before: RosterState['people'],
    after: RosterState['people'],
  ): Promise<void> {
    for (const [address, person] of Object.entries(after)) {
      if (isDeepStrictEqual(person, before[address])) continue;
      const { list, since, joins, departed, removed, signed }: RosterPerson = person;
      const times = JSON.stringify(joins);
      await savePerson.run(
        group,
        await accountOf(address),
        list,
        since,
        times,
        departed,
        removed ? 1 : 0,
        signed,
      );
    }
  }

  async function saveWithdrawn(group: GroupKey, before: RosterState, after: RosterState): Promise<void> {
    for (const [address, at] of Object.entries(after.uninvited)) {
      if (before.uninvited[address] !== at) await saveUninvited.run(group, addressToBlob(address), at);
    }
    for (const address of Object.keys(before.uninvited)) {
      if (!Object.hasOwn(after.uninvited, address)) await deleteUninvited.run(group, addressToBlob(address));
    }
  }

  async function saveState(group: GroupKey, before: RosterState, after: RosterState): Promise<void> {
    await savePeople(group, before.people, after.people);
    await saveWithdrawn(group, before, after);
    await updateGroup.run(
      after.name,
      after.name,
      toGroupSearch(after.name),
      after.description,
      after.creator === null ? null : await accountOf(after.creator),
      after.memberCount,
      after.epoch,
      toBlob(after.hash ?? ''),
      after.issued,
      after.join,
      JSON.stringify(fieldsOf(after)),
      group,
    );
  }

  const isNewest = async (signer: AccountKey, body: RosterBody) =>
    (await lists.newest(signer))?.sequence === body.list;

  /** The tokens of a former creator have no responsible owner. */
  async function revokeTokens(group: GroupKey, { before, after, now }: RosterStep): Promise<string[]> {
    if (before.creator === null || before.creator === after.creator) return [];
    const revoked = (await revokeRows.all(now, group)).map((token) => token.public_id);
    await listed.forgetEnded(await accountOf(before.creator), 'group_token', now);
    return revoked;
  }

  return {
    async createRoster(roster: NewRoster, most: MembershipQuotas): Promise<FoundOutcome> {
      const { creator, entries, state, passwordHash, now } = roster;
      await requireLive(creator);
      if ((await groupOf.get(state.groupId)) !== undefined) return 'exists';
      for (const { folded } of entries) {
        if (!(await isNewest(creator, folded.body))) return 'moved';
      }
      if (((await memberships.get(creator)) ?? 0) >= most.groups) return 'groups';
      await audit({ at: now, actor: creator, action: 'group.created', target: state.groupId });
      const group = await inserted(
        insertGroup.get(state.groupId, passwordHash, roster.listed ? 1 : 0, now, NO_HASH),
      );
      for (const entry of entries) await saveEntry(group, entry, creator, now);
      await saveState(group, { ...state, people: {}, uninvited: {} }, state);
      return 'made';
    },

    async appendEntry(step: RosterStep, most: MembershipQuotas): Promise<AppendOutcome> {
      const { group, before, after, folded, passwordHash, now } = step;
      const row = await head.get(group);
      if (!row || row.epoch !== before.epoch || toText(row.hash) !== before.hash) {
        return { status: 'moved' };
      }
      const { body } = folded;
      const signer = await accountOf(body.by);
      if (!(await isLive(signer))) return { status: 'signer_gone' };
      if (!(await isNewest(signer, body))) return { status: 'moved' };
      if (arrivalOf(folded) !== null) {
        if (((await memberships.get(signer)) ?? 0) >= most.groups) return { status: 'groups' };
        if (before.memberCount >= most.groupMembers) return { status: 'groupMembers' };
      }
      await saveEntry(group, step, signer, now);
      await saveState(group, before, after);
      if (passwordHash !== undefined) await setPasswordHash.run(passwordHash, group);
      const revoked = await revokeTokens(group, step);
      const departed = departuresOf(folded).map(({ address }) => address);
      // An account that left or was removed must prove again that it could join.
      for (const address of departed) await endAdmission.run(group, await accountOf(address));
      const detail = {
        epoch: body.epoch,
        ...(body.kind === 'change' && { fields: changedFields(body) }),
        ...(departed.length > 0 && { departed, revokedTokens: revoked.length }),
      };
      await audit({ at: now, actor: signer, action: actionOf(body), target: row.public_id, detail });
      const ended = after.memberCount === 0;
      if (ended) {
        await removeGroup(group);
        await audit({ at: now, actor: signer, action: 'group.removed', target: row.public_id });
      }
      return { status: 'appended', ended, revoked };
    },

    async setListed(group: GroupKey, isListed: boolean, by: AccountKey, now: number): Promise<void> {
      const row = await head.get(group);
      const value = isListed ? 1 : 0;
      if (!row || (await updateListed.run(value, group, value)).changes === 0) return;
      const action = isListed ? 'group.listed' : 'group.unlisted';
      await audit({ at: now, actor: by, action, target: row.public_id });
    },
  };
}

/** The details of a change apart from its position. */
function changedFields(body: Extract<RosterBody, { kind: 'change' }>): string[] {
  const { epoch: _, previous: _p, issued: _i, by: _b, list: _l, kind: _k, ...fields } = body;
  return Object.keys(fields);
}

/** Changes that only end memberships. The number of removed members bounds their size. */
function isAlwaysAccepted(body: RosterBody): boolean {
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
      return isAlwaysAccepted(body) ? 'group.member_removed' : 'group.changed';
  }
}
