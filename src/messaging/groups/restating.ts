/** Changes to restate when a group continues with a different chain than the pinned one. */
import type { z } from 'zod';
import type { ChangeContent } from '../../protocol/roster/forms.ts';
import { isMember, type RosterState } from '../../protocol/roster/state.ts';

/** Addresses in one field of one change. A change is limited to 16,384 bytes. */
const MAX_ADDRESSES = 100;

type Change = z.infer<typeof ChangeContent>;
type Setting = 'name' | 'description' | 'timer' | 'join' | 'links' | 'bots' | 'unsignedBots' | 'admins';

/** Three states of a group. */
export interface States {
  /** After the last common entry. */
  readonly fork: RosterState;
  /** After the newest entry of the abandoned chain. */
  readonly pinned: RosterState;
  /** After the newest entry of the continued chain. */
  readonly state: RosterState;
}

/**
 * The next change that restates the abandoned chain; without fields if there is none. Settings that were also
 * changed in the other chain stay as they are there. Removals come first, a hundred at a time.
 * @param by its signer: the creator, or an admin with fewer rights
 * @param gone members of the other chain to remove
 */
export function restating(states: States, by: string, gone: readonly string[]): Change {
  const { pinned, fork, state } = states;
  const isCreator = state.creator === by;
  const mayRemove = (address: string) =>
    isMember(state, address) && address !== state.creator && (isCreator || !state.admins.includes(address));
  const remove = gone.filter(mayRemove).slice(0, MAX_ADDRESSES);
  const uninvite = Object.keys(pinned.uninvited)
    .filter((address) => timeIn(pinned, address) > timeIn(fork, address))
    .filter((address) => timeIn(state, address) < timeIn(pinned, address))
    .slice(0, MAX_ADDRESSES);
  const admins = pinned.admins.filter(
    (address) => isMember(state, address) && address !== state.creator && !gone.includes(address),
  );
  const lost = <S extends Setting>(setting: S, value: RosterState[S] = pinned[setting]) => {
    const isLost = !isSame(pinned[setting], fork[setting]) && isSame(state[setting], fork[setting]);
    return isLost && !isSame(value, state[setting]) ? { [setting]: value } : {};
  };
  // The relay requires the password itself for a new one: until then the old one does not admit new members.
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
