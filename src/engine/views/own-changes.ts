/**
 * Current values set by own devices that were removed since. The person decides on each: keep or undo. Values
 * that a remaining device confirms are not listed.
 */
import { isDeepStrictEqual } from 'node:util';
import type { DeviceChange, NamedDevice } from '../../bridge/shapes/device.ts';
import { deviceNameKey } from '../../messaging/contents/kinds/own.ts';
import { toLabel } from '../../protocol/label.ts';
import { isCreatorOrAdmin } from '../../protocol/roster/state.ts';
import { isWireAddress } from '../../protocol/wire-address.ts';
import type { GroupTimer } from '../cache/group-chains.ts';
import type { OwnRegister, Setter } from '../cache/own-registers.ts';
import type { Context } from '../context.ts';
import { personName } from './person-name.ts';

/** Number of listed changes. */
export const MAX_CHANGES = 200;

type Parts = Pick<Context, 'contacts' | 'groups' | 'identity' | 'own' | 'ownRegisters'>;

/** Ids of the person's devices; null if unknown, and then no device counts as removed. */
type Listed = ReadonlySet<string> | null;

/** The device responsible for a value: of two, the removed one. Null: this device. */
export function answeringDevice(
  listed: Listed,
  { deviceId, by }: Setter,
): { id: string; isRemoved: boolean } | null {
  if (deviceId === null) return null;
  const isRemoved = (id: string) => listed !== null && !listed.has(id);
  const id = by !== null && isRemoved(by) ? by : deviceId;
  return { id, isRemoved: isRemoved(id) };
}

/** Reports whether the value of a key needs a decision. */
export function isOpenChange(listed: Listed, register: OwnRegister): boolean {
  const isRemoved = answeringDevice(listed, register)?.isRemoved === true;
  return isRemoved && !isDeepStrictEqual(before(listed, register), register.value);
}

/** The newest value by this device or a remaining one; null for none. */
function before(listed: Listed, { history }: OwnRegister): unknown {
  return history.find((each) => answeringDevice(listed, each)?.isRemoved !== true)?.value ?? null;
}

/** Open decisions, newest first. */
export function openChanges(parts: Parts): DeviceChange[] {
  const listed = parts.identity.listedDevices();
  const timers = [...openTimers(parts, listed), ...openGroupTimers(parts, listed)];
  return openRegisters(parts, listed)
    .slice(0, MAX_CHANGES)
    .map((register) => toChange(parts, listed, register))
    .concat(timers.map((timer) => toTimerChange(parts, listed, timer)))
    .slice(0, MAX_CHANGES);
}

/**
 * Applies the person's decision: a removed device's value becomes theirs, or the previous value is restored.
 */
export function answerChanges(parts: Parts, keys: readonly string[], answer: 'keep' | 'undo'): void {
  const listed = parts.identity.listedDevices();
  for (const register of openRegisters(parts, listed)) {
    if (!keys.includes(register.key)) continue;
    parts.own.set(register.key, answer === 'keep' ? register.value : before(listed, register));
  }
}

/**
 * Applies the person's decision on timers of direct chats: either way, this device sets the timer, so that the other ones have the
 * answer too.
 * @param setTimer sets the timer of the direct chat with an address, in seconds
 */
export function answerTimers(
  parts: Parts,
  keys: readonly string[],
  answer: 'keep' | 'undo',
  setTimer: (address: string, seconds: number) => void,
): void {
  for (const { name, seconds, before } of openTimers(parts, parts.identity.listedDevices())) {
    if (keys.includes(timerKey(name))) setTimer(name, answer === 'keep' ? seconds : before);
  }
}

/**
 * Applies the person's decision on timers of groups: either way, an entry of this device follows, which also confirms the chain.
 * @param setTimer sets the timer of a group, in seconds, unless its value is no longer `from`
 * @throws as `setTimer`
 */
export async function answerGroupTimers(
  parts: Parts,
  keys: readonly string[],
  answer: 'keep' | 'undo',
  setTimer: (groupId: string, from: number, seconds: number) => Promise<unknown>,
): Promise<void> {
  for (const { name, seconds, before } of openGroupTimers(parts, parts.identity.listedDevices()))
    if (keys.includes(timerKey(name))) await setTimer(name, seconds, answer === 'keep' ? seconds : before);
}

/** A timer of a chat or group that a removed device has set, and changed. */
interface OpenTimer {
  /** Wire address or group id. */
  name: string;
  seconds: number;
  /** The value before; 0 for never. */
  before: number;
  deviceId: string;
}

function openGroupTimers({ groups, identity }: Parts, listed: Listed): OpenTimer[] {
  const own = identity.get()?.address;
  if (own === undefined) return [];
  const isRemoved = ({ by, deviceId }: GroupTimer) => by === own && listed?.has(deviceId) === false;
  return groups.timersSetBy(own).flatMap((timer) => {
    const { groupId: name, seconds, deviceId } = timer;
    if (!isRemoved(timer)) return [];
    let before = 0;
    for (const earlier of groups.timersOf(name)) {
      if (isRemoved(earlier)) continue;
      before = earlier.seconds;
      break;
    }
    const state = groups.find(name)?.state;
    return seconds !== before && state && isCreatorOrAdmin(state, own)
      ? [{ name, seconds, before, deviceId }]
      : [];
  });
}

function openTimers({ contacts }: Parts, listed: Listed): OpenTimer[] {
  return contacts.timersElsewhere().flatMap(({ address: name, seconds, history, ...setter }) => {
    const device = answeringDevice(listed, setter);
    const kept = history.find((each) => answeringDevice(listed, each)?.isRemoved !== true);
    const before = kept?.seconds ?? 0;
    return device?.isRemoved && seconds !== before ? [{ name, seconds, before, deviceId: device.id }] : [];
  });
}

const timerKey = (name: string) => `timer/${name}`;

function toTimerChange(
  parts: Parts,
  listed: Listed,
  { name, seconds, before, deviceId }: OpenTimer,
): DeviceChange {
  return {
    key: timerKey(name),
    mark: isWireAddress(name) ? 'chatTimer' : 'groupTimer',
    subject: subjectName(parts, name),
    isSet: seconds > 0,
    text: null,
    before: null,
    seconds: { now: seconds, before },
    device: namedDevice(parts, listed, deviceId),
  };
}

function openRegisters({ ownRegisters }: Parts, listed: Listed): OwnRegister[] {
  return ownRegisters.setElsewhere().filter((register) => isOpenChange(listed, register));
}

function toChange(parts: Parts, listed: Listed, register: OwnRegister): DeviceChange {
  const { key, value } = register;
  const slash = key.indexOf('/');
  const [mark, name] = [key.slice(0, slash), key.slice(slash + 1)];
  const earlier = before(listed, register);
  return {
    key,
    mark: (mark === 'setting'
      ? SETTINGS[name]
      : mark === 'device'
        ? 'deviceName'
        : mark) as DeviceChange['mark'],
    subject: mark === 'setting' ? null : mark === 'device' ? name : subjectName(parts, name),
    isSet: value !== null && value !== 0,
    text: typeof value === 'string' ? toLabel(value) : null,
    before: typeof earlier === 'string' ? toLabel(earlier) : null,
    seconds: null,
    device: namedDevice(parts, listed, answeringDevice(listed, register)?.id ?? ''),
  };
}

/** A device with its name. A name set by a removed device counts only after a decision. */
export function namedDevice(
  { ownRegisters }: Pick<Parts, 'ownRegisters'>,
  listed: Listed,
  id: string,
): NamedDevice {
  const register = ownRegisters.get(deviceNameKey(id));
  const isNamed = register?.isKnown && !isOpenChange(listed, register);
  return { id, name: isNamed && typeof register.value === 'string' ? toLabel(register.value) : null };
}

const SETTINGS: Record<string, DeviceChange['mark']> = {
  name: 'displayName',
  about: 'about',
  avatar: 'avatar',
  timer: 'timer',
};

/** Without the nickname, which the removed device may have set. */
function subjectName({ contacts, groups }: Parts, name: string): string {
  if (isWireAddress(name)) return personName({ ...contacts.profile(name), nickname: null });
  return toLabel(groups.find(name)?.state.name ?? '') || name;
}
