/**
 * Current values set by own devices that were removed since. The person decides on each: keep or undo. Values
 * that a remaining device confirms are not listed.
 */
import { isDeepStrictEqual } from 'node:util';
import type { DeviceChange, NamedDevice } from '../../bridge/shapes/device.ts';
import { deviceNameKey } from '../../messaging/contents/kinds/own.ts';
import { toLabel } from '../../protocol/label.ts';
import { isWireAddress } from '../../protocol/wire-address.ts';
import type { TimerElsewhere } from '../cache/contacts.ts';
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
  return openRegisters(parts, listed)
    .slice(0, MAX_CHANGES)
    .map((register) => toChange(parts, listed, register))
    .concat(openTimers(parts, listed).map((timer) => toTimerChange(parts, listed, timer)))
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
 * Applies the person's decision on timers of chats. Kept ones are not listed again on this device.
 * @param setTimer sets the timer of the direct chat with an address, in seconds
 */
export function answerTimers(
  parts: Parts,
  keys: readonly string[],
  answer: 'keep' | 'undo',
  setTimer: (address: string, seconds: number) => void,
): void {
  for (const { address, before: seconds } of openTimers(parts, parts.identity.listedDevices())) {
    if (!keys.includes(timerKey(address))) continue;
    if (answer === 'keep') parts.contacts.keepTimer(address);
    else setTimer(address, seconds ?? 0);
  }
}

/** Timers of chats that removed devices have set, and changed. */
function openTimers({ contacts }: Parts, listed: Listed): TimerElsewhere[] {
  return contacts
    .timersElsewhere()
    .filter(
      ({ seconds, before, deviceId }) =>
        seconds !== (before ?? 0) && answeringDevice(listed, { deviceId, by: null })?.isRemoved,
    );
}

const timerKey = (address: string) => `timer/${address}`;

function toTimerChange(
  parts: Parts,
  listed: Listed,
  { address, seconds, before, deviceId }: TimerElsewhere,
): DeviceChange {
  return {
    key: timerKey(address),
    mark: 'chatTimer',
    subject: subjectName(parts, address),
    isSet: seconds > 0,
    text: null,
    before: null,
    seconds: { now: seconds, before: before ?? 0 },
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
