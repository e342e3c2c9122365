/**
 * What following the numbers of messages works with in a program (src/messaging/gaps).
 */

import { Gaps, togetherIn } from '../messaging/gaps/gaps.ts';
import type { RememberedGroup } from '../messaging/groups/chain-memory.ts';
import type { GroupDirectory } from '../messaging/groups/directory.ts';
import type { KeyDirectory } from '../messaging/trust/directory.ts';
import { isWireAddress } from '../protocol/wire-address.ts';
import type { RelayApi } from './api.ts';
import type { Identity } from './identity/identity.ts';
import { authorOf, sealHere } from './sealing.ts';

export interface ProgramGapsParts {
  /** Calls with a session of the identity. */
  account: RelayApi;
  directory: KeyDirectory;
  groups: GroupDirectory<RememberedGroup>;
  /** One that is registered. */
  identity: Identity;
}

/** Something that may be missing. */
export interface Missing {
  /** Who sent it. */
  from: string;
  /** The group that it was sent to; null for a direct message. */
  groupId: string | null;
}

/**
 * @param goesOn whether the program goes on receiving, so that what is said need not be said before it ends
 * @param onMissing called when something stays missing a day after it was asked for
 */
export function createGaps(
  { account, directory, groups, identity }: ProgramGapsParts,
  goesOn: boolean,
  onMissing: (missing: Missing) => void,
): Gaps {
  const { address: own, journal } = identity;
  return new Gaps({
    sending: {
      relay: account,
      directory,
      author: authorOf(own, identity),
      seal: sealHere,
      now: () => Date.now(),
      groups,
    },
    followed: journal.gaps,
    asks: journal.asks,
    company: {
      together(conversation, address) {
        // Whom the program has written to is accepted.
        if (isWireAddress(conversation))
          return { since: 0, isAccepted: address === own || journal.sent(address) > 0 };
        const group = journal.chains.find(conversation);
        return group && togetherIn(group.state, own, address);
      },
    },
    find(conversation, seq) {
      const body = journal.sentMessages.find(conversation, seq, Date.now());
      return body && { body, isSent: true };
    },
    wasMember: (groupId, address, epoch) => groups.wasMember(groupId, address, epoch),
    retention: () => identity.retention,
    lastEnd: () => journal.lastEnd,
    random: () => (goesOn ? Math.random() : 0),
    onTold(conversation, from, isTold) {
      if (isTold) onMissing({ from, groupId: isWireAddress(conversation) ? null : conversation });
    },
    automated: true,
    asksAgain: goesOn,
  });
}
