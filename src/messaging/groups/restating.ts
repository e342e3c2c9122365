/**
 * What has to be said again where a group goes on with another chain than was pinned, by one who may.
 */
import type { z } from 'zod';
import type { ChangeContent } from '../../protocol/roster/forms.ts';
import { isMember, type RosterState } from '../../protocol/roster/state.ts';

/** Addresses in one field of one change, which has room for 16,384 bytes in all. */
const MOST_ADDRESSES = 100;

type Change = z.infer<typeof ChangeContent>;
type Setting = 'name' | 'description' | 'timer' | 'join' | 'links' | 'bots' | 'unsignedBots' | 'admins';

/** Three states of a group. */
export interface States {
  /** After the last entry that both chains have. */
  readonly fork: RosterState;
  /** After the newest entry of the chain that is given up. */
  readonly pinned: RosterState;
  /** After the newest entry of the chain that the group goes on with. */
  readonly state: RosterState;
}

/**
 * The next change that says again what is lost with the chain that is given up; without fields if there is nothing. What
 * was changed in the other chain as well stays as it is there. Members who are to go come first, a hundred at a time.
 * @param by who signs it: the creator, or an admin, who may say less
 * @param gone members of the other chain who are to go
 */
export function restating(states: States, by: string, gone: readonly string[]): Change {
  const { pinned, fork, state } = states;
  const isCreator = state.creator === by;
  const mayRemove = (address: string) =>
    isMember(state, address) && address !== state.creator && (isCreator || !state.admins.includes(address));
  const remove = gone.filter(mayRemove).slice(0, MOST_ADDRESSES);
  const uninvite = Object.keys(pinned.uninvited)
    .filter((address) => timeIn(pinned, address) > timeIn(fork, address))
    .filter((address) => timeIn(state, address) < timeIn(pinned, address))
    .slice(0, MOST_ADDRESSES);
  const admins = pinned.admins.filter(
    (address) => isMember(state, address) && address !== state.creator && !gone.includes(address),
  );
  const lost = <S extends Setting>(setting: S, value: RosterState[S] = pinned[setting]) => {
    const isLost = !isSame(pinned[setting], fork[setting]) && isSame(state[setting], fork[setting]);
    return isLost && !isSame(value, state[setting]) ? { [setting]: value } : {};
  };
  // The relay takes a new password only from one who tells it: until then nobody comes in by the old one.
  const isPasswordLost = pinned.joinKey !== fork.joinKey && state.joinKey === fork.joinKey;
  const join = isPasswordLost && pinned.join === 'password' ? 'invite' : pinned.join;
  return {
    kind: 'change',
    ...(remove.length > 0 && { remove }),
    ...(uninvite.length > 0 && { uninvite }),
    ...lost('name'),
    ...lost('description'),
    ...lost('timer'),
    ...(isCreator && {
      ...(isPasswordLost && state.join === 'password' ? { join } : lost('join', join)),
      ...lost('links'),
      ...lost('bots'),
      ...lost('unsignedBots'),
      ...lost('admins', admins),
    }),
  };
}

function timeIn({ uninvited }: RosterState, address: string): number {
  return Object.hasOwn(uninvited, address) ? (uninvited[address] ?? -1) : -1;
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
