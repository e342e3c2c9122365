/**
 * The fold: applies entries to a state, and returns the new state or the reason for stopping
 * (docs/protocol.md, 'Rosters'). It makes no calls: device lists are passed in proven, and the clock as a
 * number.
 */

import { verifyEd25519 } from '../crypto.ts';
import { decodeBase64Url, decodeTime } from '../encoding.ts';
import { CLOCK_SKEW } from '../figures.ts';
import { applyChange, judgeChange } from './change.ts';
import { findDevice, hasExpired } from './devices.ts';
import { changePerson, depart, draftOf, type RosterDraft } from './draft.ts';
import { entryBytes, groupIdOf, type OpenedEntry, openEntry } from './entry.ts';
import { type RosterBody, type RosterBot, type RosterEntry, readKind } from './forms.ts';
import { applyJoin, judgeJoin } from './join.ts';
import { MAX_ENTRIES } from './limits.ts';
import { changedRoles, type GivenRole, roleOf } from './roles.ts';
import { type SetField, setFields } from './set-fields.ts';
import { isMember, personOf, type RosterState } from './state.ts';
import { type RosterContext, type RosterEnd, refuse } from './verdict.ts';

/** A folded entry. */
export interface FoldedEntry {
  readonly body: RosterBody;
  /** In base64url. */
  readonly hash: string;
  readonly deviceId: string;
  /** The bots that it ended. */
  readonly endedBots: readonly RosterBot[];
  /** Members whose role it changed, with their new roles. */
  readonly roles: readonly GivenRole[];
  readonly sets: readonly SetField[];
}

export interface Folded {
  /** State after the last valid entry. */
  readonly state: RosterState;
  /** The valid entries, in order. */
  readonly entries: readonly FoldedEntry[];
  /** Reason for stopping before the next entry; null at the end. */
  readonly end: RosterEnd | null;
}

/**
 * Folds the entries after a state. Folding page by page gives the same result as all at once. A state only
 * goes forward: an invalid entry is refused, and changes nothing.
 * @param state {@link emptyRoster} of the group's id before the first entry
 */
export function foldRoster(
  state: RosterState,
  entries: readonly RosterEntry[],
  context: RosterContext,
): Folded {
  const draft = draftOf(state);
  const folded: FoldedEntry[] = [];
  for (const entry of entries) {
    const next = foldEntry(draft, entry, context);
    if ('end' in next) return { state: draft, entries: folded, end: next };
    folded.push(next);
  }
  return { state: draft, entries: folded, end: null };
}

function foldEntry(draft: RosterDraft, entry: RosterEntry, context: RosterContext): FoldedEntry | RosterEnd {
  const opened = openEntry(entry);
  if (!opened) return refuse('malformed');
  const end = judgePlace(draft, opened, context) ?? judgeSigner(draft, entry, opened, context);
  if (end) return end;
  const body = readKind(opened.json);
  if (body === 'newer') return { end: 'newer' };
  if (!body) return refuse('malformed');
  const wrong = judgeKind(draft, body, context);
  if (wrong) return wrong;
  // An entry replaces these fields as a whole.
  const before = { ...draft };
  apply(draft, body, opened.hash);
  const endedBots = before.bots.filter(({ key }) => !draft.bots.some((bot) => bot.key === key));
  const roles = changedRoles(before, draft).map((address) => ({
    address,
    role: roleOf(draft, address),
  }));
  const sets = setFields(before, body, draft);
  return { body, hash: opened.hash, deviceId: entry.deviceId, endedBots, roles, sets };
}

/** Reports whether an entry is in the next place of the chain. */
function judgePlace(
  state: RosterState,
  { json, bytes }: OpenedEntry,
  { now }: RosterContext,
): RosterEnd | null {
  const issued = decodeTime(json.issued);
  if (state.epoch >= MAX_ENTRIES) return refuse('group_ended');
  if (json.epoch !== state.epoch + 1) return refuse('wrong_epoch');
  if (json.previous !== state.hash) return refuse('wrong_previous');
  if (state.epoch === 0 && groupIdOf(bytes) !== state.groupId) return refuse('wrong_group');
  if ((json.kind === 'create') !== (state.epoch === 0)) return refuse('misplaced_create');
  if (issued < state.issued) return refuse('issued_too_early');
  if (issued > now + CLOCK_SKEW) return { end: 'wait', for: 'clock', until: issued - CLOCK_SKEW };
  return null;
}

/** Reports whether the signing device is in a list that is not older than the chain's. */
function judgeSigner(
  state: RosterState,
  entry: RosterEntry,
  { json, bytes }: OpenedEntry,
  context: RosterContext,
): RosterEnd | null {
  if (json.list < (personOf(state, json.by)?.list ?? 0)) return refuse('list_too_low');
  const device = findDevice(context, json.by, json.list, entry.deviceId);
  if (!device) return refuse('unknown_device');
  if ('end' in device) return device;
  if (hasExpired(device, decodeTime(json.issued))) return refuse('device_expired');
  const [key, signature] = [decodeBase64Url(device.key), decodeBase64Url(entry.signature)];
  return verifyEd25519(key, entryBytes(state.groupId, bytes), signature) ? null : refuse('wrong_signature');
}

function judgeKind(state: RosterState, body: RosterBody, context: RosterContext): RosterEnd | null {
  switch (body.kind) {
    case 'create':
      return null;
    case 'join':
      return judgeJoin(state, body, context);
    case 'leave':
      return isMember(state, body.by) ? null : refuse('not_a_member');
    case 'change':
      return judgeChange(state, body);
  }
}

function apply(draft: RosterDraft, body: RosterBody, hash: string): void {
  const at = decodeTime(body.issued);
  switch (body.kind) {
    case 'create':
      draft.name = body.name;
      draft.creator = body.by;
      draft.memberCount = 1;
      draft.people = {
        [body.by]: { list: body.list, since: 1, joins: [], departed: null, removed: false, signed: 1 },
      };
      break;
    case 'join':
      applyJoin(draft, body);
      break;
    case 'leave':
      depart(draft, body.by, at, false);
      break;
    case 'change':
      applyChange(draft, body);
      break;
  }
  changePerson(draft, body.by, { list: body.list, signed: body.epoch });
  draft.epoch = body.epoch;
  draft.hash = hash;
  draft.issued = at;
}
