/**
 * What following groups takes and gives.
 */
import type { RosterEntry } from '../../protocol/roster/forms.ts';
import type { RosterSigner } from '../../protocol/roster/making.ts';
import type { RosterReference } from '../../protocol/roster/reference.ts';
import type { GroupView } from '../../protocol/schemas/groups.ts';
import type { GroupSource } from '../relay.ts';
import type { KeyDirectory, Member } from '../trust/directory.ts';
import type { GroupMemory, RememberedGroup } from './chain-memory.ts';
import type { MemberDeparture } from './departures.ts';
import type { RoleChange } from './role-changes.ts';
import type { TimerChange } from './timer-changes.ts';

/** A group, and what is proven of its members. */
export interface KnownGroup<G extends RememberedGroup> {
  group: G;
  members: Member[];
  /** What the relay shows, which agrees with the chain; null where it was not asked, or does not agree. */
  view: GroupView | null;
}

/** Who came, who left, who is owner or admin now, or no longer, and after how long messages disappear. */
export interface GroupChange {
  joined: string[];
  left: MemberDeparture[];
  roles: RoleChange[];
  /** Null if it is as before. */
  timer: TimerChange | null;
}

/** What the words of members make this device say to them (./hellos.ts). */
export interface GroupTalk<G extends RememberedGroup> {
  /** Someone names an entry that the relay does not show: they are asked for it. */
  ask(group: G, sender: string): void;
  /** Someone knows less than is known here, or what they named: they are told. */
  answer(group: G, sender: string, named: RosterReference): void;
  /** All members are to see an entry: the removal of one of them. */
  spread(group: G, entry: RosterEntry): void;
  /** The same of the proof of a split, which other members have as well: of a large group some of many tell all. */
  passOn(group: G, entry: RosterEntry): void;
}

export interface GroupParts<G extends RememberedGroup> {
  source: GroupSource;
  keys: KeyDirectory;
  memory: GroupMemory<G>;
  /** The user's address; null before it is known. */
  own(): string | null;
  /** The device that signs entries. @throws RelayUnreachable, IdentityError where there is none */
  signer(): RosterSigner;
  /** Asks for the newest own device list: another device of the user's may have changed it. @throws as any call */
  renewSigner(): Promise<void>;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Whether members are proven, and so known by name, as soon as they are seen. Else only before something is sealed. */
  provesEarly: boolean;
  /** The owner of an address as they are called in a sentence; the address unless given. */
  nameOf?: (address: string) => string;
  /** Told whenever members came or left, or became something else, or messages disappear after another time. */
  onTimeline?(group: G, change: GroupChange): void;
  /** Told whenever something changed that a person can see. */
  onChanged?(group: G): void;
  /** Null where nobody is told anything. */
  talk?: () => GroupTalk<G> | null;
}
