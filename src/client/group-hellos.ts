/** Announcing a group's chain to members, for a program (src/messaging/groups/hellos.ts). */
import type { RememberedGroup } from '../messaging/groups/chain-memory.ts';
import { GroupHellos } from '../messaging/groups/hellos.ts';
import { type GroupsForHello, postHello } from '../messaging/groups/post-hello.ts';
import type { KeyDirectory } from '../messaging/trust/directory.ts';
import type { RelayApi } from './api.ts';
import type { Identity } from './identity/identity.ts';
import { authorOf, sealHere } from './sealing.ts';

/**
 * @param identity a registered one
 * @param account calls with a session of it
 */
export function createGroupHellos(
  identity: Identity,
  directory: KeyDirectory,
  account: RelayApi,
  groups: GroupsForHello,
): GroupHellos<RememberedGroup> {
  const { address, journal } = identity;
  const author = authorOf(address, identity);
  const sending = { relay: account, directory, author, seal: sealHere, now: () => Date.now() };
  return new GroupHellos({
    sending,
    people: { relationOf: (who) => (journal.sent(who) > 0 ? 'accepted' : 'none') },
    whole: (groupId) => journal.chains.whole(groupId),
    find: (groupId) => journal.chains.find(groupId),
    post: (groupId, fields) => postHello({ ...sending, groups }, groupId, fields, true),
    automated: true,
    random: () => Math.random(),
    later(milliseconds, call) {
      const timer = setTimeout(call, milliseconds);
      // The timer does not keep the process running.
      timer.unref();
      return () => clearTimeout(timer);
    },
  });
}
