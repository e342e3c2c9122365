import { type DeviceList, deviceIn, isProven, listHash } from './device-list.ts';
import type { ListName } from './forms.ts';
import { isUsable, type SealKey, statementHash } from './seal-key.ts';

/** The stored state of an address (section 10), as plain data that can be written as JSON. */
export interface Known {
  address: string;
  pin: DeviceList | null;
  /** Lists before the pin that were proven, the newest last. */
  earlier: ListName[];
  /** By device: the newest statement that was seen. */
  statements: Record<string, { sequence: number; hash: string }>;
  /** By device: its report of its address's newest list. */
  claims: Record<string, { sequence: number; hash: string | null }>;
  /** True if the pin is the list that the relay showed last. */
  shown: boolean;
  fork: DeviceList | null;
  rejected: ListName[];
}

const EARLIER_MOST = 64;
const REJECTED_MOST = 16;
/** A client may refuse to process more lists at once. */
export const CATCH_UP_MOST = 1000;

export const unknownAddress = (address: string): Known => ({
  address,
  pin: null,
  earlier: [],
  statements: {},
  claims: {},
  shown: false,
  fork: null,
  rejected: [],
});

const isSameName = (a: ListName, b: ListName) => a.sequence === b.sequence && a.hash === b.hash;
const nameOf = (known: Known, list: DeviceList): ListName => ({
  sequence: list.sequence,
  hash: listHash(known.address, list),
});

/** The known hash of the list with a number: the pin or an earlier one. */
export function knownHash(known: Known, sequence: number): string | undefined {
  if (known.pin?.sequence === sequence) return listHash(known.address, known.pin);
  return known.earlier.find((list) => list.sequence === sequence)?.hash;
}

export type Becomes = 'pin' | 'behind' | 'fork' | 'nothing';

/** The effect of a verified list, before it is applied. */
function stand(known: Known, list: DeviceList, between: readonly DeviceList[]): Becomes | 'follows' {
  const { pin } = known;
  if (pin === null) return 'follows';
  const name = nameOf(known, list);
  if (isSameName(name, nameOf(known, pin))) return 'pin';
  if (known.rejected.some((rejected) => isSameName(rejected, name))) return 'behind';
  if (name.sequence <= pin.sequence) {
    const other = knownHash(known, name.sequence);
    return other !== undefined && other !== name.hash ? 'fork' : 'behind';
  }
  let above = list;
  for (let at = list.sequence - 1; at > pin.sequence; at--) {
    const next = between[at - pin.sequence - 1];
    if (next?.sequence !== at || listHash(known.address, next) !== above.previous) return 'nothing';
    above = next;
  }
  return above.previous === listHash(known.address, pin) ? 'follows' : 'fork';
}

function setPin(known: Known, list: DeviceList, between: readonly DeviceList[]): void {
  const earlier = known.pin === null ? [] : [known.pin, ...between].map((old) => nameOf(known, old));
  known.earlier = [...known.earlier, ...earlier].slice(-EARLIER_MOST);
  known.pin = list;
  forgetOthers(known);
}

function forgetOthers(known: Known): void {
  const position = ([deviceId]: [string, unknown]) => deviceIn(known.pin, deviceId) !== undefined;
  known.statements = Object.fromEntries(Object.entries(known.statements).filter(position));
  known.claims = Object.fromEntries(Object.entries(known.claims).filter(position));
}

/**
 * Accepts a list that the relay shows.
 * @param between the lists from the pin's number + 1 to the shown one's - 1, ascending
 */
export async function seeList(
  known: Known,
  list: DeviceList,
  between: readonly DeviceList[],
  now: number,
): Promise<Becomes> {
  if (!(await isProven(known.address, list, now))) return 'nothing';
  const position = stand(known, list, between);
  if (position === 'follows') setPin(known, list, between);
  if (position === 'follows' || position === 'pin') known.shown = true;
  if (position === 'behind') known.shown = false;
  if (position === 'fork') known.fork = list;
  return position === 'follows' ? 'pin' : position;
}

/** The relay no longer shows the address. */
export function seeNothing(known: Known): void {
  known.shown = false;
}

/**
 * Processes the lists of a `hello`, oldest first, as evidence: the last one as if the relay had shown it.
 * They can only cause a new pin or a fork, because only the relay can show a list.
 */
export async function judgeEvidence(
  known: Known,
  lists: readonly DeviceList[],
  now: number,
): Promise<Becomes> {
  const last = lists.at(-1);
  if (last === undefined || known.pin === null) return 'nothing';
  if (!(await isProven(known.address, last, now))) return 'nothing';
  const floor = known.pin.sequence;
  const between = lists.slice(0, -1).filter(({ sequence }) => sequence > floor);
  const position = stand(known, last, between);
  if (position === 'fork') known.fork = last;
  if (position !== 'follows') return position;
  setPin(known, last, between);
  known.shown = false;
  return 'pin';
}

export type Freshness = 'same' | 'newer' | 'older' | 'fork';

/** Compares a statement with the newest known one of its device. Only the same and newer ones are usable. */
export function freshness(
  seen: { sequence: number; hash: string } | undefined,
  sequence: number,
  hash: string,
): Freshness {
  if (seen === undefined || sequence > seen.sequence) return 'newer';
  if (sequence < seen.sequence) return 'older';
  return hash === seen.hash ? 'same' : 'fork';
}

/** The statements to seal to, one for each device, and whether the relay also showed old ones. */
export interface UsableKeys {
  keys: SealKey[];
  hasOld: boolean;
}

/** Judges the seal keys for the pin, and stores them. */
export function seeSealKeys(known: Known, shown: readonly SealKey[], now: number): UsableKeys {
  const { pin, address } = known;
  const usable: UsableKeys = { keys: [], hasOld: false };
  if (pin === null) return usable;
  const counted = new Set<string>();
  for (const key of shown.filter((one) => isUsable(address, pin, one, now))) {
    if (counted.has(key.deviceId)) continue;
    const hash = statementHash(address, key);
    const is = freshness(known.statements[key.deviceId], key.sequence, hash);
    if (is === 'older' || is === 'fork') {
      usable.hasOld = true;
      continue;
    }
    known.statements[key.deviceId] = { sequence: key.sequence, hash };
    claim(known, key.deviceId, key.listSequence, null);
    counted.add(key.deviceId);
    usable.keys.push(key);
  }
  return usable;
}

/** Records a device's report of its address's newest list. Only reports of devices of the pin count. */
export function claim(known: Known, deviceId: string, sequence: number, hash: string | null): void {
  if (deviceIn(known.pin, deviceId) === undefined) return;
  const before = known.claims[deviceId];
  const isNew =
    before === undefined ||
    sequence > before.sequence ||
    (sequence === before.sequence && before.hash === null && hash !== null);
  if (isNew) known.claims[deviceId] = { sequence, hash };
}

/** Reports whether a device has referred to a list that the pin does not include. */
export function hasOpenClaim(known: Known): boolean {
  return Object.values(known.claims).some(({ sequence, hash }) => {
    if (hash !== null && known.rejected.some((name) => isSameName(name, { sequence, hash }))) return false;
    if (known.pin === null || sequence > known.pin.sequence) return true;
    const other = knownHash(known, sequence);
    return hash !== null && other !== undefined && other !== hash;
  });
}

/** Reason why nothing is sealed to the address now; null if sending is possible. */
export function sendingProblem(known: Known): 'unknown' | 'fork' | 'waiting' | null {
  if (known.fork !== null) return 'fork';
  if (known.pin === null) return 'unknown';
  return known.shown && !hasOpenClaim(known) ? null : 'waiting';
}

/** The person decides about a fork. */
export function decideFork(known: Known, chosen: 'pin' | 'other'): void {
  const { fork, pin } = known;
  if (fork === null || pin === null) return;
  const loser = chosen === 'pin' ? fork : pin;
  known.rejected = [...known.rejected, nameOf(known, loser)].slice(-REJECTED_MOST);
  known.fork = null;
  known.claims = {};
  if (chosen === 'pin') return;
  known.pin = fork;
  known.earlier = [];
  known.shown = false;
  forgetOthers(known);
}
