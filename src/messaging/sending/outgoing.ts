/**
 * A message on its way, in three steps, each durable before the next:
 *   1. its body is kept,
 *   2. a copy is sealed for each device, and the copies are kept,
 *   3. the relay has accepted each copy.
 * A retry after the second step sends the same bytes, which the relay knows again: nothing is delivered twice.
 */
import type { FailureData } from '../../base/failure.ts';
import type { PrivateKey } from '../../protocol/crypto.ts';
import type { DeviceList } from '../../protocol/device-list.ts';
import type { EnvelopeHeader, RecipientKey, Route, SealedCopy } from '../../protocol/envelope.ts';
import type { DirectBody, GroupBody } from '../../protocol/payload.ts';
import type { GroupEnvelope } from '../../protocol/schemas/groups.ts';
import type { PostOffice } from '../relay.ts';
import type { KeyDirectory } from '../trust/directory.ts';

export type MessageBody = DirectBody | GroupBody;

/** Whether an own body is of a direct message. */
export function isDirect(body: MessageBody): body is DirectBody {
  return 'peer' in body;
}

/** One sealed copy, as it goes to the relay. */
export interface Copy {
  envelope: GroupEnvelope;
  /** Whether the relay has it. */
  accepted: boolean;
}

/** Where one message is kept while it is on its way. Every change must be durable when the call returns. */
export interface Outgoing {
  readonly body: MessageBody;
  /**
   * Replaces the body before its first copy.
   * @param digest of the body as given
   * @returns the saved body: a program's journal numbers it here, the app returns it as given
   */
  saveBody(body: MessageBody, digest: string): MessageBody;
  /** The latest `sentAt` that the device has put into a body for the conversation; null, or left out, if that is not known. */
  readonly lastSentAt?: number | null;
  /** Copies are named by the seal key of the device that they are for. */
  copies(): readonly Copy[];
  addCopies(envelopes: readonly GroupEnvelope[]): void;
  acceptCopies(keys: readonly string[]): void;
  removeCopies(keys: readonly string[]): void;
  /** In a group: for whom it is still kept, though all others have it. Who joined later gets nothing of it. */
  readonly heldFor: readonly string[] | null;
}

/** One payload for several devices of one address. */
export interface SealJob {
  route: Route;
  header: EnvelopeHeader;
  payload: Uint8Array;
  /** One a copy. */
  recipientKeys: RecipientKey[];
}

/** Who sends. */
export interface Author {
  /** Wire address: the one that the relay will name as the sender. */
  address: string;
  /** The device that signs, and gets no copy; null where none does. */
  device: { id: string; key: PrivateKey } | null;
  /** The key of the bot that signs, into a group alone; null, or left out, where none does. */
  bot?: PrivateKey | null;
  /** The newest device list of the address that is known here; null if none is. */
  newestList(): DeviceList | null;
}

export interface SendingParts {
  relay: PostOffice;
  directory: KeyDirectory;
  author: Author;
  /** Copies in the order of the keys. */
  seal: (job: SealJob) => Promise<SealedCopy[]>;
  /** Milliseconds since 1970. */
  now: () => number;
}

/** What the header of the copies says. */
export interface Flags {
  /** Marks a first contact. */
  asRequest: boolean;
  /** Whether a program wrote it. */
  automated: boolean;
}

/** Whom a message did not reach. */
export interface Unreached {
  address: string;
  reason: FailureData;
  /** Whether they have devices that the relay does not show, and may show later. */
  isWithheld: boolean;
}

/** How often copies are sealed again within one attempt because devices or members changed meanwhile. */
export const MOST_ROUNDS = 5;
