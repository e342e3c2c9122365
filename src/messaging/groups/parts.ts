/** Types of the group directory: parts and results. */
import type { RosterEntry } from '../../protocol/roster/forms.ts';
import type { RosterSigner } from '../../protocol/roster/making.ts';
import type { RosterReference } from '../../protocol/roster/reference.ts';
import type { GroupView } from '../../protocol/schemas/groups.ts';
import type { GroupSource } from '../relay.ts';
import type { KeyDirectory, Member } from '../trust/directory.ts';
import type { GroupMemory, RememberedGroup } from './chain-memory.ts';
import type { MemberDeparture } from './departures.ts';
import type { LinkChanges } from './link-changes.ts';
import type { RoleChange } from './role-changes.ts';
import type { TimerChange } from './timer-changes.ts';

/** A group, with the proven facts about its members. */
export interface KnownGroup<G extends RememberedGroup> {
  group: G;
  members: Member[];
  /** The relay's view, which agrees with the chain; null if it was not read, or disagrees. */
  view: GroupView | null;
}

/** Changes between two reads: joins, departures, roles, the timer, and invite links. */
export interface GroupChange {
  joined: string[];
  left: MemberDeparture[];
  roles: RoleChange[];
  /** Null without a change. */
  timer: TimerChange | null;
  /** Null without a change. */
  links: LinkChanges | null;
}

/** Reactions to the statements of members (./hellos.ts). */
export interface GroupMessenger<G extends RememberedGroup> {
  /** Requests an entry that the relay does not show from a member who named it. */
  requestEntry(group: G, sender: string): void;
  /** Answers a member who knows less than this device. */
  answer(group: G, sender: string, named: RosterReference): void;
  /** Sends an entry to all members: the removal of one of them. */
  spread(group: G, entry: RosterEntry): void;
  /** Sends the members that an entry removed the end of the chain with it: the relay does not show it to them. */
  inform(group: G, entry: RosterEntry): void;
  /** Passes on the proof of a split, which other members have, too: in a large group some members do it. */
  passOn(group: G, entry: RosterEntry): void;
}

export interface GroupParts<G extends RememberedGroup> {
  source: GroupSource;
  keys: KeyDirectory;
  memory: GroupMemory<G>;
  /** The user's address; null before it is known. */
  own(): string | null;
  /**
   * The signing device.
   * @throws RelayUnreachable, IdentityError without one
   */
  signer(): RosterSigner;
  /**
   * Fetches the newest own device list: another own device may have changed it.
   * @throws the errors of the call
   */
  renewSigner(): Promise<void>;
  /** Milliseconds since 1970. */
  now: () => number;
  /** True if members are proven on sight, for their names. Otherwise only before sealing. */
  provesEarly: boolean;
  /** Name of an address's owner in a sentence; by default the address. */
  nameOf?: (address: string) => string;
  /** Called after a change of members, roles, the timer or invite links. */
  onTimeline?(group: G, change: GroupChange): void;
  /** Called after each visible change. */
  onChanged?(group: G): void;
  /** Null without hellos. */
  talk?: () => GroupMessenger<G> | null;
}
