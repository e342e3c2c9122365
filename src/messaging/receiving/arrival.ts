/**
 * What receiving works with, and what comes of an envelope.
 */
import type { EnvelopeHeader, Route, SealedCopy } from '../../protocol/envelope.ts';
import type { DirectBody, GroupBody, UnverifiedPayload } from '../../protocol/payload.ts';
import type { InboxEnvelope } from '../../protocol/schemas/inbox.ts';
import type { Contents, Judged } from '../contents/all-kinds.ts';
import type { SenderProof } from '../contents/rights.ts';
import type { RelayRefusal, RelayUnreachable } from '../relay.ts';
import type { KeyDirectory } from '../trust/directory.ts';
import type { RefusedEnvelope } from './refused-envelope.ts';

/** One copy, and the own secrets that may open it, most likely first. */
export interface OpenJob {
  route: Route;
  asRequest: boolean;
  copy: SealedCopy;
  /** Seeds of hybrid seal keys, of 32 bytes. */
  secrets: Uint8Array[];
}

/** Null for a copy that does not open. */
export type Opened = { header: EnvelopeHeader; payload: Uint8Array } | null;

/** A group as far as receiving looks at it. */
export interface HeardGroup {
  /** The relay's id of it. */
  groupId: string;
  creator: string;
}

/** What is known of groups. */
export interface GroupsHeard<G extends HeardGroup> {
  /**
   * A group that the recipient is in, asked for if it is not known.
   * @throws RelayRefusal, RelayUnreachable, UnverifiableError
   */
  of(groupId: string): Promise<G>;
  /**
   * Holds the list of members that a sender names against those that were shown here.
   * @param hash the `members` of a body
   * @param by whether an own device signed it, when by its clock, and how old what the relay showed may be
   * @returns the group after it
   * @throws RelayRefusal, RelayUnreachable, UnverifiableError
   */
  compare(group: G, hash: string, by: { isOwn: boolean; sentAt: number; freshFor: number }): Promise<G>;
  /** The group, not older than `freshFor` milliseconds. @throws RelayRefusal, RelayUnreachable, UnverifiableError */
  refresh(groupId: string, freshFor: number): Promise<G>;
  /** Whether this address is in it, or was, as far as was seen. */
  hears(group: G, address: string): boolean;
}

export interface ReceivingParts<G extends HeardGroup> {
  /** The recipient's address. */
  address: string;
  /** The own seal keys, newest first: the public key in base64url, and the secret. */
  sealKeys(): readonly { key: string; secret: Uint8Array }[];
  /** Opens copies; in their order. */
  open(jobs: OpenJob[]): Promise<Opened[]>;
  directory: KeyDirectory;
  groups: GroupsHeard<G>;
  contents: Contents;
  /** The longest retention that the relay has told of, in milliseconds; null before it has told any. */
  retention(): number | null;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Whether so much was taken since that a message of that time may be one that is not remembered any more. */
  mayBeForgotten?(sender: string, sentAt: number): boolean;
  /** Number of the newest own device list that is known here; 0 if none is. */
  ownSequence(): number;
  /** A newer own list than that may have been published: the relay is to be asked for it. */
  onNewerOwnList(): void;
  /** The sender of a signed body seems to know an older own list: the one of this number. */
  onBehind?(sender: string, sequence: number, group: G | null): void;
}

/** A body whose sender is proven and may send it. */
export type Arrival<G extends HeardGroup> = {
  envelope: InboxEnvelope;
  header: EnvelopeHeader;
  proof: SenderProof;
  judged: Judged;
  /** By the sender's clock, in milliseconds since 1970. */
  sentAt: number;
} & ({ channel: 'direct'; body: DirectBody } | { channel: 'group'; body: GroupBody; group: G });

export type Verdict<G extends HeardGroup> =
  | { kind: 'accepted'; arrival: Arrival<G> }
  /** It lies or cannot be opened: noted, never shown, never in the way of the inbox. */
  | { kind: 'refused'; error: RefusedEnvelope }
  /** It comes again: what it takes to judge it could not be had. `error` is null for a fault of ours, which may pass. */
  | { kind: 'later'; error: RelayUnreachable | RelayRefusal | null };

/** What a payload is before its sender is proven. */
export interface Unproven {
  envelope: InboxEnvelope;
  header: EnvelopeHeader;
  payload: UnverifiedPayload;
}
