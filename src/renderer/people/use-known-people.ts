import type { Conversation } from '../../bridge/shapes/conversation.ts';
import type { Person } from '../../bridge/shapes/person.ts';
import { useBridgeQuery } from '../bridge.ts';
import { looksLikeAddress } from '../shared/address.ts';
import { isCalled } from '../shared/person.ts';
import { useDebounced } from '../shared/use-debounced.ts';

const LONGEST_QUERY = 64;

interface KnownPeople {
  people: Person[];
  /** The chats with them, by address. */
  chats: ReadonlyMap<string, Conversation>;
  /** True until the people of this text are known. */
  isLoading: boolean;
}

/**
 * Known people, by handle, name or the beginning of an address, with or without the relay: first those with a chat,
 * newest first, then those met elsewhere, such as in groups.
 */
export function useKnownPeople(text: string): KnownPeople {
  const wanted = text.trim();
  const query = useDebounced(wanted, 200);
  const { data: conversations, isLoading } = useBridgeQuery('conversations.list', {});
  const enabled = isName(query);
  const { data: met, isPending } = useBridgeQuery('people.known', { query }, { enabled });
  const direct = (conversations ?? [])
    .filter((each) => each.kind === 'direct' && each.state !== 'blocked')
    .toSorted((one, other) => other.activeAt - one.activeAt);
  const chats = new Map(
    direct.flatMap((each) => (each.kind === 'direct' ? [[each.peer.address, each]] : [])),
  );
  const peers = direct.flatMap((each) =>
    each.kind === 'direct' && each.state === 'accepted' && !each.isSelf ? [each.peer] : [],
  );
  const others = ((enabled && met) || []).filter(
    ({ address }) => !peers.some((peer) => peer.address === address),
  );
  const matches = (person: Person) =>
    isCalled(person, wanted) || person.address.toLowerCase().startsWith(wanted.toLowerCase());
  const isSearching = isName(wanted) && (query !== wanted || isPending);
  return { people: [...peers, ...others].filter(matches), chats, isLoading: isLoading || isSearching };
}

/** Reports whether a text may be a part of a name or handle. */
function isName(text: string): boolean {
  return text !== '' && text.length <= LONGEST_QUERY && !looksLikeAddress(text);
}
