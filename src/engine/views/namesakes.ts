import { type HasNamesake, namesakesIn } from '../../base/person-name.ts';
import type { Person } from '../../bridge/shapes/person.ts';
import { toChecksumAddress } from '../../protocol/address.ts';
import type { StoredGroup } from '../cache/group-chains.ts';
import type { Context } from '../context.ts';
import type { Names } from './names.ts';

/** Number of direct chats whose people are compared, the newest first. */
const MAX_COMPARED = 1_000;

/**
 * Reports whether another member of a group, or without a group another person with an accepted chat, has the name of an
 * address. For one view: each group is looked up once.
 */
export function namesakesOf({ contacts, conversations, groupNames }: Context, names: Names) {
  const known = new Map<string | null, HasNamesake>();
  const inChats = () =>
    namesakesIn(
      contacts
        .profiles(conversations.acceptedPeers(MAX_COMPARED))
        .map((each) => ({ ...each, address: toChecksumAddress(each.address) })),
    );
  return (group: StoredGroup | null, address: string): boolean => {
    const key = group?.groupId ?? null;
    const hasNamesake = known.get(key) ?? (group ? groupNames.hasNamesakeIn(group) : inChats());
    known.set(key, hasNamesake);
    return hasNamesake(names(address));
  };
}

export type Namesakes = ReturnType<typeof namesakesOf>;

/** People as they are shown in a group: marked if another member has their name. Without a group, none is marked. */
export function namesInGroup(group: StoredGroup | null, names: Names, namesakes: Namesakes): Names {
  if (!group) return names;
  const marked = new Map<string, Person>();
  return (address) => {
    let person = marked.get(address);
    if (!person) {
      person = namesakes(group, address) ? { ...names(address), hasNamesake: true } : names(address);
      marked.set(address, person);
    }
    return person;
  };
}
