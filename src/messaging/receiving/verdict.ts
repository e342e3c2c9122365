/**
 * The verdict on an envelope, and the ports that judging it needs.
 */
import type { EnvelopeHeader } from '../../protocol/envelope-form.ts';
import type { GroupBody, Payload } from '../../protocol/payload.ts';
import type { Contents } from '../contents/all-kinds.ts';
import type { SenderProof } from '../contents/rights.ts';
import type { RelayRefusal, RelayUnreachable } from '../relay.ts';
import type { KeyDirectory } from '../trust/directory.ts';
import type { ChainGroup, GroupVerdicts } from './group-verdict.ts';
import type { Opened, OpenJob } from './open.ts';
import type { MessageBot, Provenance, Received } from './received.ts';
import type { RefusedEnvelope } from './refused-envelope.ts';

export type Verdict<G extends ChainGroup> =
  | { kind: 'accepted'; received: Received<G>; header: EnvelopeHeader }
  /** It waits for an entry of its group's chain, and delays no other envelope. */
  | { kind: 'pending'; pending: PendingMessage<G> }
  /** The envelope is false or cannot be opened: recorded, never shown, and acknowledged. */
  | { kind: 'refused'; error: RefusedEnvelope }
  /**
   * The envelope is delivered again: a call that its verdict needs failed. `error` is null for a fault of this program, which may be
   * transient.
   */
  | { kind: 'later'; error: RelayUnreachable | RelayRefusal | null };

/** A message with a proven sender that names an entry which the relay does not show. */
export interface PendingMessage<G extends ChainGroup> extends Provenance {
  body: GroupBody;
  proof: SenderProof;
  /** Null for a person, and for a token that the relay does not name. */
  bot: MessageBot | null;
  group: G;
}

export interface InboxParts<G extends ChainGroup> {
  /** The recipient's address. */
  address: string;
  /** The own seal keys, newest first: the public key in base64url, and the secret. */
  sealKeys(): readonly { key: string; secret: Uint8Array }[];
  /** Opens copies, in their order. */
  open(jobs: OpenJob[]): Promise<Opened[]>;
  directory: KeyDirectory;
  groups: GroupVerdicts<G>;
  contents: Contents;
  /** The longest retention that the relay has reported, in milliseconds; null before its first report. */
  retention(): number | null;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Reports whether a message of that time may be a duplicate whose id is no longer remembered. */
  mayBeForgotten?(sender: string, sentAt: number): boolean;
  /**
   * The last time at which this device read its queue to the end, by its own clock, in milliseconds since 1970; null if
   * never.
   */
  lastEnd(): number | null;
  /** Number of the newest own device list on this device; 0 without one. */
  ownSequence(): number;
  /** Called when a newer own list may exist: the relay should be asked for it. */
  onNewerOwnList(): void;
  /** Reports whether this device had asked for a signed message because it was missing. Default: never. */
  wasRequested?(message: Payload): boolean;
  /** Called when the sender of a signed body seems to know only an older own list, of this number. */
  onBehind?(sender: string, sequence: number, group: G | null): void;
}
