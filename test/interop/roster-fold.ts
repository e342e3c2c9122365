import { fromBase64url } from './bytes.ts';
import { AHEAD_MS, type DeviceList, deviceIn, hasEnded } from './device-list.ts';
import { type EntryName, type Fields, msOf } from './forms.ts';
import { isSigned } from './keys.ts';
import { must, Refusal } from './refusal.ts';
import {
  type BodyHead,
  bodyOf,
  type Entry,
  entryBytes,
  entryHash,
  groupIdOf,
  isEntry,
  type KnownBody,
  NewerEntry,
  readBody,
  readKind,
} from './roster-entry.ts';
import { applyEntry, type ListOf, mustBeAllowed } from './roster-rights.ts';
import { ENTRIES_MOST, type GroupState, lastEntry } from './roster-state.ts';

/** The fold of a group's chain (section 11, 'The fold'). */

/** Result of an entry. Only `folded` changes the state. */
export type Folded =
  | { is: 'folded' }
  | { is: 'refused'; reason: string }
  /** A later version wrote it. */
  | { is: 'newer' }
  /** Judge again at `until`, in milliseconds. */
  | { is: 'wait'; for: 'clock'; until: number }
  /** Judge again when that list is known. */
  | { is: 'wait'; for: 'list'; address: string; sequence: number };

/** Proven device lists, by address and number; undefined for a list that is not available. */
export type Lists = (address: string, sequence: number) => DeviceList | undefined;

class MissingList extends Error {
  readonly of: { address: string; sequence: number };

  constructor(address: string, sequence: number) {
    super('a device list is missing');
    this.of = { address, sequence };
  }
}

class TooEarly extends Error {
  readonly until: number;

  constructor(until: number) {
    super('issued ahead of the clock');
    this.until = until;
  }
}

const orMissing =
  (lists: Lists): ListOf =>
  (address, sequence) => {
    const list = lists(address, sequence);
    if (list === undefined) throw new MissingList(address, sequence);
    return list;
  };

/** Step 2, and the number of entries. */
function mustFollow(state: GroupState, bytes: Uint8Array, head: BodyHead): void {
  const last = lastEntry(state);
  must(last !== null || groupIdOf(bytes) === state.groupId, 'wrong_group');
  must(last !== null || head.kind === 'create', 'misplaced_create');
  must(state.entries.length < ENTRIES_MOST, 'group_ended');
  must(head.epoch === (last?.epoch ?? 0) + 1, 'wrong_epoch');
  must(head.previous === (last?.hash ?? null), 'wrong_previous');
  must(last === null || head.kind !== 'create', 'misplaced_create');
}

/** Step 4: the list that an entry names, and the device in it that signed. */
function mustBeSigned(
  state: GroupState,
  entry: Entry,
  bytes: Uint8Array,
  head: BodyHead,
  listOf: ListOf,
): void {
  const device = deviceIn(listOf(head.by, head.list), entry.deviceId);
  must(device !== undefined, 'unknown_device');
  must(!hasEnded(device, msOf(head.issued)), 'device_expired');
  const isValid = isSigned(
    fromBase64url(device.key, 32),
    fromBase64url(entry.signature, 64),
    entryBytes(state.groupId, bytes),
  );
  must(isValid, 'wrong_signature');
}

interface CheckedEntry {
  head: BodyHead & Fields;
  known: KnownBody;
  hash: string;
}

function judge(state: GroupState, entry: Entry, now: number, lists: Lists): CheckedEntry {
  must(isEntry(entry), 'malformed');
  const bytes = bodyOf(entry);
  const head = readBody(bytes);
  mustFollow(state, bytes, head);
  const issued = msOf(head.issued);
  const last = lastEntry(state);
  must(last === null || issued >= msOf(last.head.issued), 'issued_too_early');
  if (issued > now + AHEAD_MS) throw new TooEarly(issued - AHEAD_MS);
  must(head.list >= (state.highestList.get(head.by) ?? 0), 'list_too_low');
  const listOf = orMissing(lists);
  mustBeSigned(state, entry, bytes, head, listOf);
  const known = readKind(head);
  mustBeAllowed(state, head, known, issued, listOf);
  return { head, known, hash: entryHash(bytes) };
}

function verdictOn(work: () => CheckedEntry): CheckedEntry | Exclude<Folded, { is: 'folded' }> {
  try {
    return work();
  } catch (error) {
    if (error instanceof NewerEntry) return { is: 'newer' };
    if (error instanceof Refusal) return { is: 'refused', reason: error.reason };
    if (error instanceof TooEarly) return { is: 'wait', for: 'clock', until: error.until };
    if (error instanceof MissingList) return { is: 'wait', for: 'list', ...error.of };
    throw error;
  }
}

/** Result of an entry, without changing the state. */
export function judgeEntry(state: GroupState, entry: Entry, now: number, lists: Lists): Folded {
  const verdict = verdictOn(() => judge(state, entry, now, lists));
  return 'is' in verdict ? verdict : { is: 'folded' };
}

/** Folds one entry into the state, if it is valid. `now` in milliseconds. */
export function foldEntry(state: GroupState, entry: Entry, now: number, lists: Lists): Folded {
  const verdict = verdictOn(() => judge(state, entry, now, lists));
  if ('is' in verdict) return verdict;
  const { head, known, hash } = verdict;
  applyEntry(state, head, known, msOf(head.issued));
  state.entries.push({ epoch: head.epoch, hash, entry, head, known });
  return { is: 'folded' };
}

/** The hash of the entry with that epoch, if the chain has it. */
export const hashAt = (state: GroupState, epoch: number): string | undefined =>
  state.entries[epoch - 1]?.hash;

/** Reports whether the chain contains the entry with that hash. */
export const hasEntry = (state: GroupState, { epoch, hash }: EntryName): boolean =>
  hashAt(state, epoch) === hash;
