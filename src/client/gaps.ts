/** Detection of missing messages for a program (src/messaging/gaps). */

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
  /** A registered identity. */
  identity: Identity;
}

/** A message that may be missing. */
export interface Missing {
  /** Its sender. */
  from: string;
  /** Its group; null for a direct message. */
  groupId: string | null;
}

/**
 * @param continues true if the program continues receiving, so that requests need not be sent before it ends
 * @param onMissing called when a message is still missing a day after it was requested
 */
export function createGaps(
  { account, directory, groups, identity }: ProgramGapsParts,
  continues: boolean,
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
    gapRequests: journal.gapRequests,
    company: {
      together(conversation, address) {
        // Recipients of the program's messages count as accepted.
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
    random: () => (continues ? Math.random() : 0),
    onReported(conversation, from, isReported) {
      if (isReported) onMissing({ from, groupId: isWireAddress(conversation) ? null : conversation });
    },
    automated: true,
    repeatsRequests: continues,
  });
}
