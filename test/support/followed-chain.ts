/** A group's chain that is followed from a relay into a cache. */
import { Journal } from '../../src/client/identity/journal/journal.ts';
import type { Cache } from '../../src/engine/cache/database.ts';
import { Groups, type StoredGroup } from '../../src/engine/cache/group-chains.ts';
import { type FollowParts, follow } from '../../src/messaging/groups/follow.ts';
import { KeyDirectory } from '../../src/messaging/trust/directory.ts';
import { SignerLists } from '../../src/messaging/trust/signer-lists.ts';
import type { ChainRelay } from './chain-relay.ts';

type Advance = FollowParts<StoredGroup>['memory']['advance'];

/**
 * @param own the member's address
 * @param at the time, in milliseconds since 1970
 * @param onAdvance called with the entries of each step before they are stored
 */
export function followedChain(
  db: Cache,
  relay: ChainRelay,
  own: string,
  at: number,
  onAdvance: (entries: Parameters<Advance>[1]) => void = () => undefined,
) {
  const groups = new Groups(db);
  const now = () => at;
  const histories: Pick<ChainRelay, 'keyHistories'> = { keyHistories: (wants) => relay.keyHistories(wants) };
  const source = { ...histories, keys: async () => null, pqKeys: async () => ({}) };
  const keys = new KeyDirectory({ source, memory: new Journal(null, at), now, own: null });
  const parts: FollowParts<StoredGroup> = {
    source: {
      roster: (id: string, after: number) => relay.roster(id, after),
    } as FollowParts<never>['source'],
    lists: new SignerLists(histories, keys, now),
    memory: {
      find: (id: string) => groups.find(id),
      advance: (state, entries) => {
        onAdvance(entries);
        return db.transaction(() => groups.advance(state, entries, own))();
      },
    } as FollowParts<StoredGroup>['memory'],
    now,
  };
  return { groups, read: (groupId: string) => follow(parts, groupId, () => true) };
}
