/** Fields of groups set by own devices that were removed since, with the entry that undoes each. */
import type { DeviceChange } from '../../bridge/shapes/device.ts';
import { keptChangeKey } from '../../messaging/contents/kinds/own.ts';
import type { Action } from '../../messaging/groups/act.ts';
import { toLabel } from '../../protocol/label.ts';
import type { JoinMode } from '../../protocol/roster/forms.ts';
import { MAX_ADMINS } from '../../protocol/roster/limits.ts';
import type { FieldValue, GroupField, SubjectField } from '../../protocol/roster/set-fields.ts';
import { isCreatorOrAdmin, isMember, type RosterState } from '../../protocol/roster/state.ts';
import type { StoredGroup } from '../cache/group-chains.ts';
import type { OwnGroupChange } from '../cache/own-group-changes.ts';
import type { Context } from '../context.ts';
import { isKept, isRemoved, type Listed, namedDevice } from './own-changes.ts';
import { personName } from './person-name.ts';

type Parts = Pick<Context, 'contacts' | 'groups' | 'identity' | 'ownGroupChanges' | 'ownRegisters'>;

/** A field whose current value a removed device set. */
export interface OpenGroupChange {
  /** Key for the answer. */
  key: string;
  group: StoredGroup;
  change: OwnGroupChange;
  /** The value before those of removed devices. */
  before: FieldValue;
}

/** The way to undo a change. */
export type GroupUndo =
  /** An entry; null if the change is no longer in effect. */
  | { make: (state: RosterState) => Action | null }
  /** An invitation for a removed member. */
  | { invite: string };

/**
 * Open changes of groups, newest groups first.
 * @param most limit for each device
 */
export function openGroupChanges(parts: Parts, listed: Listed, most: number): OpenGroupChange[] {
  const { groups, identity, ownGroupChanges, ownRegisters } = parts;
  const open: OpenGroupChange[] = [];
  for (const deviceId of identity.removedDevices()) {
    let count = 0;
    /** Of the last change: the row of a large group has megabytes. */
    let group: StoredGroup | null = null;
    for (const change of ownGroupChanges.by(deviceId)) {
      if (count >= most) break;
      const { groupId, field, entry, value } = change;
      const before = valueBefore(listed, change);
      if (value === before || isKept({ ownRegisters }, listed, keptChangeKey(groupId, field), entry))
        continue;
      if (group?.groupId !== groupId) group = groups.find(groupId);
      if (!group || isImplied(group.state, change)) continue;
      open.push({ key: `group/${groupId}/${field}`, group, change, before });
      count++;
    }
  }
  return open;
}

function valueBefore(listed: Listed, { history, base }: OwnGroupChange): FieldValue {
  const earlier = history.find(({ deviceId }) => !isRemoved(listed, deviceId));
  return earlier ? earlier.value : base;
}

/** The role of a person who is no longer a member ended with the membership. */
function isImplied(state: RosterState, { field }: OwnGroupChange): boolean {
  const { kind, subject } = partsOf(field);
  return kind === 'role' && !isMember(state, subject);
}

function partsOf(field: OwnGroupChange['field']): { kind: GroupField | SubjectField; subject: string } {
  const [kind = '', subject = ''] = field.split('/');
  return { kind: kind as GroupField | SubjectField, subject };
}

/** The change for the interface. @param own the person's address */
export function toGroupDeviceChange(
  parts: Parts,
  listed: Listed,
  open: OpenGroupChange,
  own: string,
): DeviceChange {
  const { group, change, before, key } = open;
  const { value, deviceId, field } = change;
  const { kind, subject } = partsOf(field);
  const groupName = toLabel(group.state.name) || group.groupId;
  const isName = kind === 'name' || kind === 'bot';
  const textOf = (text: FieldValue) =>
    typeof text !== 'string' ? null : isName ? toLabel(text) : ['join', 'role'].includes(kind) ? text : null;
  return {
    key,
    mark: markOf(kind, change, before),
    subject:
      kind === 'member' || kind === 'role'
        ? personName({ ...parts.contacts.profile(subject), nickname: null })
        : kind === 'bot'
          ? toLabel(String(value ?? before)) || subject
          : groupName,
    group: groupName,
    isSet: value !== null && value !== false && value !== 0 && value !== '',
    text: textOf(value),
    before: kind === 'role' || value === null ? null : textOf(before),
    seconds: kind === 'timer' ? { now: Number(value), before: Number(before) } : null,
    messages: null,
    undo: undoState(open, own),
    device: namedDevice(parts, listed, deviceId),
  };
}

function markOf(
  kind: GroupField | SubjectField,
  { value }: OwnGroupChange,
  before: FieldValue,
): DeviceChange['mark'] {
  const isReplaced = before !== null && value !== null;
  if (isReplaced && kind === 'bot') return 'groupBotName';
  return isReplaced && kind === 'link' ? 'groupLinkEnd' : MARKS[kind];
}

const MARKS: Record<GroupField | SubjectField, DeviceChange['mark']> = {
  name: 'groupName',
  description: 'groupText',
  join: 'groupJoin',
  joinKey: 'groupPassword',
  timer: 'groupTimer',
  unsignedBots: 'groupUnsigned',
  member: 'groupMember',
  role: 'groupRole',
  bot: 'groupBot',
  link: 'groupLink',
};

function undoState(open: OpenGroupChange, own: string): DeviceChange['undo'] {
  if (!open.group.joined) return 'left';
  if (undoOf(open, open.group.state, own)) return 'possible';
  const { creator } = open.group.state;
  // Nothing undoes the change: the creator has all rights. Another password is the creator's choice, too.
  if (creator !== own && open.change.field === 'joinKey') return 'rights';
  return creator === own || !undoOf(open, { ...open.group.state, creator: own }, own) ? 'never' : 'rights';
}

/**
 * The way to undo a change with the person's rights in a state; null for none.
 * @param own the person's address
 */
export function undoOf(
  { change: { field, value }, before }: Pick<OpenGroupChange, 'change' | 'before'>,
  state: RosterState,
  own: string,
): GroupUndo | null {
  const { kind, subject } = partsOf(field);
  const isCreator = state.creator === own;
  if (!isCreatorOrAdmin(state, own)) return null;
  switch (kind) {
    case 'name':
    case 'description':
    case 'timer':
      return { make: (now) => (now[kind] === value ? { kind: 'change', [kind]: before } : null) };
    case 'join':
      if (!isCreator) return null;
      return { make: (now) => (now.join === value ? { kind: 'change', join: before as JoinMode } : null) };
    case 'unsignedBots':
      if (!isCreator) return null;
      return {
        make: (now) =>
          now.unsignedBots === value ? { kind: 'change', unsignedBots: before === true } : null,
      };
    case 'member':
      return undoMember(state, subject, value === true, isCreator);
    case 'role':
      return isCreator ? undoRole(state, subject, value) : null;
    case 'bot':
    case 'link':
      // A removed bot has lost its token, too, and a removed link has no secret here.
      return isCreator && value !== null
        ? { make: (now) => undoKey(now, kind, subject, { value, before }) }
        : null;
    case 'joinKey':
      // The relay demands a proof of the password.
      return null;
  }
}

function undoMember(
  state: RosterState,
  address: string,
  isAdded: boolean,
  isCreator: boolean,
): GroupUndo | null {
  if (!isAdded) return { invite: address };
  if (address === state.creator || (state.admins.includes(address) && !isCreator)) return null;
  return { make: (now) => (isMember(now, address) ? { kind: 'change', remove: [address] } : null) };
}

function undoRole({ admins }: RosterState, address: string, role: FieldValue): GroupUndo | null {
  if (role === 'admin')
    return {
      make: (now) =>
        now.admins.includes(address)
          ? { kind: 'change', admins: now.admins.filter((admin) => admin !== address) }
          : null,
    };
  if (role !== 'none' || admins.length >= MAX_ADMINS) return null;
  return {
    make: (now) =>
      isMember(now, address) && !now.admins.includes(address) && now.creator !== address
        ? { kind: 'change', admins: [...now.admins, address] }
        : null,
  };
}

/** Removes an added bot or link, and restores the previous value of another one. */
function undoKey(
  { bots, links }: RosterState,
  kind: 'bot' | 'link',
  key: string,
  { value, before }: Pick<OpenGroupChange, 'before'> & Pick<OwnGroupChange, 'value'>,
): Action | null {
  const former = typeof before === 'string' ? before : null;
  if (kind === 'bot') {
    if (!bots.some((bot) => bot.key === key && bot.name === value)) return null;
    return { kind: 'change', bots: replaced(bots, key, former === null ? null : { name: former }) };
  }
  if (!links.some((link) => link.key === key && link.expires === value)) return null;
  return { kind: 'change', links: replaced(links, key, former === null ? null : { expires: former }) };
}

/** @param fields null to remove it */
function replaced<T extends { key: string }>(all: readonly T[], key: string, fields: Partial<T> | null): T[] {
  return all.flatMap((each) => (each.key !== key ? each : fields ? { ...each, ...fields } : []));
}
