/**
 * What receiving works with, and what comes of an envelope.
 */
import type { EnvelopeHeader, Route, SealedCopy, Suite } from '../../protocol/envelope.ts';
import type { DirectBody, GroupBody, Payload, UnverifiedPayload } from '../../protocol/payload.ts';
import type { RosterBot, RosterEntry } from '../../protocol/roster/forms.ts';
import type { GroupMessage, GroupRefusal } from '../../protocol/roster/messages.ts';
import type { RosterReference } from '../../protocol/roster/reference.ts';
import type { RosterState } from '../../protocol/roster/state.ts';
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

/** The group token that posted what nobody signed: what the relay says of it, and no more. */
export interface TokenBot {
  /** Id of the token. */
  token: string;
  /** As it is shown; empty if nothing is left of it. */
  name: string;
}

/** What wrote a group message in the place of a person: a bot that the chain names and that signed it, or a token. */
export type MessageBot = RosterBot | TokenBot;

/** A group as far as receiving looks at it. */
export interface HeardGroup {
  groupId: string;
  state: RosterState;
}

/** What of a group message decides whether it counts. Times are milliseconds since 1970. */
export interface HeardMessage extends GroupMessage {
  readonly groupId: string;
  /** Whether its sender is asked and answered about the chain: nobody is for what no one signed. */
  readonly isSigned: boolean;
  /** How old what the relay showed may be where it is asked, in milliseconds. */
  readonly freshFor: number;
}

/** What becomes of a group message by the entry of the chain that it names. */
export type Heard<G extends HeardGroup> =
  /** `manages`: whether its sender has the rights of a creator or admin by that entry. */
  | ({ is: 'shown'; group: G; bot: RosterBot | null; manages: boolean } & RosterNotes)
  /** It names what the relay does not show: its sender is asked, and it comes again. */
  | { is: 'held'; group: G; bot: RosterBot | null }
  | { is: 'refused'; why: GroupRefusal };

/** What a person is told beside a group message. */
export interface RosterNotes {
  /** Who had been removed ten minutes before it was written, without its sender knowing. */
  unaware: readonly string[];
  /** Whether its sender knows of changes that the relay does not show. */
  isBeyond: boolean;
}

/** What is known of groups. */
export interface GroupsHeard<G extends HeardGroup> {
  /**
   * Judges a message into a group that the recipient is in, which is asked for if need be.
   * @throws RelayRefusal, RelayUnreachable, UnverifiableError
   */
  hear(message: HeardMessage): Promise<Heard<G>>;
  /**
   * Takes what a `hello` says about a group.
   * @param hello `roster` is the newest entry that its sender knows, `entries` what it hands over, unproven
   * @throws RelayRefusal, RelayUnreachable, UnverifiableError
   */
  heardHello(
    sender: string,
    hello: { groupId: string; roster: RosterReference | null; entries: readonly RosterEntry[] },
  ): Promise<void>;
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
  /** When this device last read its queue to its end, by its own clock, in milliseconds since 1970; null if it never did. */
  lastEnd(): number | null;
  /** Number of the newest own device list that is known here; 0 if none is. */
  ownSequence(): number;
  /** A newer own list than that may have been published: the relay is to be asked for it. */
  onNewerOwnList(): void;
  /** Whether a signed message was asked for because it was missing. Never unless given. */
  wasAskedFor?(message: Payload): boolean;
  /** The sender of a signed body seems to know an older own list: the one of this number. */
  onBehind?(sender: string, sequence: number, group: G | null): void;
}

/** How a body came. */
export interface Provenance {
  /** The device that signed it; null where none did. */
  deviceId: string | null;
  /** Of its exact bytes: `bodyDigest`. */
  digest: string;
  /** When the relay had it, as far as it could not lie, in milliseconds since 1970. */
  receivedAt: number;
  /** Whether it was asked for because it was missing. */
  askedFor: boolean;
  /** In which the copy was sealed. */
  suite: Suite;
}

/** A body whose sender is proven and may send it. */
export type Arrival<G extends HeardGroup> = Provenance & {
  envelope: InboxEnvelope;
  header: EnvelopeHeader;
  proof: SenderProof;
  judged: Judged;
  /** By the sender's clock, in milliseconds since 1970. */
  sentAt: number;
} & (
    | { channel: 'direct'; body: DirectBody }
    /** `bot`: what wrote it; null for a person, and for a token of which the relay does not tell. */
    | {
        channel: 'group';
        body: GroupBody;
        group: G;
        notes: RosterNotes;
        bot: MessageBot | null;
        /** Whether its sender has the rights of a creator or admin by the entry that it names. */
        manages: boolean;
      }
  );

export type Verdict<G extends HeardGroup> =
  | { kind: 'accepted'; arrival: Arrival<G> }
  /** It waits for what its group's chain does not have yet. It comes again, and holds up nothing. */
  | { kind: 'held'; held: HeldMessage<G> }
  /** It lies or cannot be opened: noted, never shown, never in the way of the inbox. */
  | { kind: 'refused'; error: RefusedEnvelope }
  /** It comes again: what it takes to judge it could not be had. `error` is null for a fault of ours, which may pass. */
  | { kind: 'later'; error: RelayUnreachable | RelayRefusal | null };

/** A message whose sender is proven, and that names an entry which the relay does not show. */
export interface HeldMessage<G extends HeardGroup> extends Provenance {
  body: GroupBody;
  proof: SenderProof;
  /** What wrote it; null for a person, and for a token of which the relay does not tell. */
  bot: MessageBot | null;
  group: G;
}

/** What a payload is before its sender is proven. */
export interface Unproven {
  envelope: InboxEnvelope;
  header: EnvelopeHeader;
  payload: UnverifiedPayload;
}
