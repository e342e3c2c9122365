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
import type { RecipientKey, Route } from '../../protocol/envelope.ts';
import type { EnvelopeHeader, SealedCopy } from '../../protocol/envelope-form.ts';
import type { DirectBody, GroupBody } from '../../protocol/payload.ts';
import type { GroupEnvelope } from '../../protocol/schemas/groups.ts';
import type { PostOffice, RelayRefusal } from '../relay.ts';
import type { KeyDirectory } from '../trust/directory.ts';

export type MessageBody = DirectBody | GroupBody;

/** Reports whether an own body is of a direct message. */
export function isDirect(body: MessageBody): body is DirectBody {
  return 'peer' in body;
}

/** One sealed copy, in the form for the relay. */
export interface Copy {
  envelope: GroupEnvelope;
  /** True if the relay has it. */
  accepted: boolean;
}

/** Storage of one outgoing message. Every change must be durable when the call returns. */
export interface Outgoing {
  readonly body: MessageBody;
  /**
   * Replaces the body before its first copy.
   * @param digest of the body as given
   * @returns the saved body: a program's journal numbers it here, the app returns it as given
   */
  saveBody(body: MessageBody, digest: string): MessageBody;
  /** The latest `sentAt` of the device in the conversation; null or absent if unknown. */
  readonly lastSentAt?: number | null;
  /** Copies are keyed by the seal key of their device. */
  copies(): readonly Copy[];
  addCopies(envelopes: readonly GroupEnvelope[]): void;
  acceptCopies(keys: readonly string[]): void;
  removeCopies(keys: readonly string[]): void;
  /**
   * Recipients without a copy for some device after all others have theirs. In a group, later members get nothing
   * of it.
   */
  readonly pendingRecipients: readonly string[] | null;
}

/** One payload for several devices of one address. */
export interface SealJob {
  route: Route;
  header: EnvelopeHeader;
  payload: Uint8Array;
  /** One per copy. */
  recipientKeys: RecipientKey[];
}

/** The sender. */
export interface Author {
  /** Wire address: the one that the relay names as the sender. */
  address: string;
  /** The signing device, which gets no copy; null without one. */
  device: { id: string; key: PrivateKey } | null;
  /** The key of the signing bot, for groups only; null or absent without one. */
  bot?: PrivateKey | null;
  /** The newest known device list of the address; null for none. */
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

/** Header fields of the copies. */
export interface Flags {
  /** Marks a first contact. */
  asRequest: boolean;
  /** True if a program wrote it. */
  automated: boolean;
}

/** A recipient of whom at least one device has no copy. */
export interface Undelivered {
  address: string;
  reason: FailureData;
  /**
   * Condition for a later copy: `keys` that the relay does not show now, or `room` in the full queue of a device.
   * Null if a retry is useless.
   */
  waitsFor: 'keys' | 'room' | null;
}

/** Condition for another attempt with a refused copy, as in {@link Undelivered}. */
export function waitsFor({ code }: RelayRefusal): Undelivered['waitsFor'] {
  return code === 'inbox_full' ? 'room' : null;
}

/** Number of resealing rounds within one attempt because devices or members changed. */
export const MAX_ROUNDS = 5;
