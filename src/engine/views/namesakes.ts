import { type HasNamesake, namesakesIn } from '../../base/person-name.ts';
import { membersOf } from '../../protocol/roster/state.ts';
import type { StoredGroup } from '../cache/group-chains.ts';
import type { Context } from '../context.ts';
import { type Names, toPerson } from './conversations.ts';

/** Number of direct chats whose people are compared, the newest first. */
const MAX_COMPARED = 1_000;

/**
 * Reports whether another member of a group, or without a group another person with an accepted chat, has the name of an
 * address. The names of a group are read once.
 */
export function namesakesOf({ contacts, conversations }: Context, names: Names) {
  const known = new Map<string | null, HasNamesake>();
  return (group: StoredGroup | null, address: string): boolean => {
    const key = group?.groupId ?? null;
    let hasNamesake = known.get(key);
    if (!hasNamesake) {
      const addresses = group ? membersOf(group.state) : conversations.acceptedPeers(MAX_COMPARED);
      hasNamesake = namesakesIn(contacts.profiles(addresses).map(toPerson));
      known.set(key, hasNamesake);
    }
    return hasNamesake(names(address));
  };
}

export type Namesakes = ReturnType<typeof namesakesOf>;
