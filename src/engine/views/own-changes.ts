/**
 * Current values set by own devices that were removed since. The person decides on each: keep or undo. Values
 * that a remaining device confirms are not listed.
 */
import { isDeepStrictEqual } from 'node:util';
import type { DeviceChange, NamedDevice } from '../../bridge/shapes/device.ts';
import { deviceNameKey } from '../../messaging/contents/kinds/own.ts';
import { toLabel } from '../../protocol/label.ts';
import { isWireAddress } from '../../protocol/wire-address.ts';
import type { OwnRegister, Setter } from '../cache/own-registers.ts';
import type { Context } from '../context.ts';
import { personName } from './person-name.ts';

type Parts = Pick<Context, 'contacts' | 'groups' | 'identity' | 'own' | 'ownRegisters'>;

/** Ids of the person's devices; null if unknown, and then no device counts as removed. */
export type Listed = ReadonlySet<string> | null;

/** Reports whether a device was removed. */
export function isRemoved(listed: Listed, deviceId: string): boolean {
  return listed !== null && !listed.has(deviceId);
}

/** A change that needs a decision, converted when it is shown. */
export interface ListedChange {
  deviceId: string;
  kind: string;
  toChange: () => DeviceChange;
}

/** The device responsible for a value: of two, the removed one. Null: this device. */
export function answeringDevice(
  listed: Listed,
  { deviceId, by }: Setter,
): { id: string; isRemoved: boolean } | null {
  if (deviceId === null) return null;
  const id = by !== null && isRemoved(listed, by) ? by : deviceId;
  return { id, isRemoved: isRemoved(listed, id) };
}

/** Reports whether the value of a key needs a decision. */
export function isOpenChange(listed: Listed, register: OwnRegister): boolean {
  return isByRemoved(listed, register) && !isDeepStrictEqual(before(listed, register), register.value);
}

function isByRemoved(listed: Listed, setter: Setter): boolean {
  return answeringDevice(listed, setter)?.isRemoved === true;
}

/**
 * Reports whether the person decided to keep something. A decision on a device that was removed does not count.
 * @param value the expected one of the key
 */
export function isKept(
  { ownRegisters }: Pick<Parts, 'ownRegisters'>,
  listed: Listed,
  key: string,
  value: number | string | true,
): boolean {
  const register = ownRegisters.get(key);
  if (!register?.isKnown) return false;
  return (isByRemoved(listed, register) ? before(listed, register) : register.value) === value;
}

/** The newest value by this device or a remaining one; null for none. */
function before(listed: Listed, { history }: OwnRegister): unknown {
  return history.find((each) => answeringDevice(listed, each)?.isRemoved !== true)?.value ?? null;
}

/** Values of settings that need a decision, newest first. */
export function registerChanges(parts: Parts, listed: Listed): ListedChange[] {
  return openRegisters(parts, listed).map((register) => ({
    deviceId: answeringDevice(listed, register)?.id ?? '',
    kind: 'setting',
    toChange: () => toChange(parts, listed, register),
  }));
}

/** Timers of direct chats that need a decision. */
export function timerChanges(parts: Parts, listed: Listed): ListedChange[] {
  return openTimers(parts, listed).map((timer) => ({
    deviceId: timer.deviceId,
    kind: 'timer',
    toChange: () => toTimerChange(parts, listed, timer),
  }));
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

/** A timer of a direct chat that a removed device has set, and changed. */
interface OpenTimer {
  /** Wire address. */
  name: string;
  seconds: number;
  /** The value before; 0 for never. */
  before: number;
  deviceId: string;
}

function openTimers({ contacts }: Parts, listed: Listed): OpenTimer[] {
  return contacts.timersElsewhere().flatMap(({ address: name, seconds, history, ...setter }) => {
    const device = answeringDevice(listed, setter);
    const kept = history.find((each) => answeringDevice(listed, each)?.isRemoved !== true);
    const before = kept?.seconds ?? 0;
    return device?.isRemoved && seconds !== before ? [{ name, seconds, before, deviceId: device.id }] : [];
  });
}

const OF_A_SETTING = { group: null, messages: null, undo: 'possible' } as const;

const timerKey = (name: string) => `timer/${name}`;

function toTimerChange(
  parts: Parts,
  listed: Listed,
  { name, seconds, before, deviceId }: OpenTimer,
): DeviceChange {
  return {
    key: timerKey(name),
    mark: 'chatTimer',
    subject: subjectName(parts, name),
    ...OF_A_SETTING,
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
    ...OF_A_SETTING,
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
