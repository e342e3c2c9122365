/** Shares of a queue: limits, so that one sender, or many from one network, never block it for the others. */
import type { CredentialType } from '../../protocol/credentials.ts';

/** Waiting mail in a queue: all of it, or the part of one holder. */
export interface Waiting {
  envelopes: number;
  /** Bytes of ciphertext. */
  bytes: number;
}

/** Parts of an empty queue, above 0 and at most 1. */
export interface QueueShares {
  /** For one address, in every way that it sends. Its programs together have half of it. */
  sender: number;
  /** For all senders of one network together. */
  network: number;
}

/** The capacity of a queue. */
export interface QueueLimits {
  queueEnvelopes: number;
  queueBytes: number;
  shares: QueueShares;
}

/** A holder of room in a queue, and its part. */
export interface Holder {
  waiting: Waiting;
  share: number;
}

/**
 * True if one more envelope has a place in a queue. A holder may use its share of the room that the others leave,
 * and that room shrinks as they send. After n senders have filled a queue one by one, about one part in 1 + n / 4
 * stays free, where a fixed share would leave almost nothing. A first envelope of a holder is accepted wherever
 * there is room.
 * @param queue total waiting mail
 * @param holders everyone that the envelope counts for
 * @param size of the envelope's ciphertext, in bytes
 */
export function hasPlace(
  queue: Waiting,
  holders: readonly Holder[],
  size: number,
  { queueEnvelopes, queueBytes }: Pick<QueueLimits, 'queueEnvelopes' | 'queueBytes'>,
): boolean {
  if (queue.envelopes >= queueEnvelopes || queue.bytes + size > queueBytes) return false;
  return holders.every(({ waiting, share }) => {
    if (waiting.envelopes === 0) return true;
    const envelopes = { whole: queueEnvelopes, used: queue.envelopes, own: waiting.envelopes, more: 1 };
    const bytes = { whole: queueBytes, used: queue.bytes, own: waiting.bytes, more: size };
    return hasShare(envelopes, share) && hasShare(bytes, share);
  });
}

/**
 * True if several more envelopes have a place in a queue in any order, for any use of it by their holders. Then
 * {@link hasPlace} accepts each of them.
 * @param queue total waiting mail
 * @param more all envelopes to add
 * @param share the smallest share among their holders
 */
export function hasPlaceForAny(
  queue: Waiting,
  more: Waiting,
  share: number,
  { queueEnvelopes, queueBytes }: Pick<QueueLimits, 'queueEnvelopes' | 'queueBytes'>,
): boolean {
  // A holder has at most all of the mail, and its room is at least the empty part.
  const fits = (whole: number, used: number) =>
    used <= whole && hasShare({ whole, used, own: 0, more: used }, share);
  return fits(queueEnvelopes, queue.envelopes + more.envelopes) && fits(queueBytes, queue.bytes + more.bytes);
}

/** Room shared by holders: its size, the used part, one holder's part, and the request. */
export interface SharedRoom {
  whole: number;
  /** By all holders. */
  used: number;
  own: number;
  more: number;
}

/**
 * True if a holder may have this much more: its share of the room that others leave. The more it has, the less it
 * may add.
 */
export function hasShare({ whole, used, own, more }: SharedRoom, share: number): boolean {
  const room = whole - used + own;
  return own + more <= share * room * (room / whole);
}

/** The origin of an envelope. */
export interface Origin {
  /** The sender's address. */
  sender: Uint8Array;
  via: CredentialType;
  /** The name of the network, where it has a meaning. */
  network: Uint8Array | null;
}

/** Follows an address that means its programs. */
const PROGRAMS = Buffer.of(1);

/**
 * The holders of an envelope: its sender, all programs of that sender, its network. The names differ in their
 * length.
 */
export function holderNames({ sender, via, network }: Origin): Uint8Array[] {
  const names = via === 'session' ? [sender] : [sender, Buffer.concat([sender, PROGRAMS])];
  return network === null ? names : [...names, network];
}

/** A named holder of an envelope's room, and its part of an empty queue. */
export interface NamedHolder {
  name: Uint8Array;
  share: number;
}

/** The holders of an envelope, with their shares. */
export function holdersOf(origin: Origin, shares: QueueShares): NamedHolder[] {
  return holderNames(origin).map((name) => ({ name, share: shareOf(name, origin, shares) }));
}

function shareOf(name: Uint8Array, origin: Origin, shares: QueueShares): number {
  if (name === origin.network) return shares.network;
  return name === origin.sender ? shares.sender : shares.sender / 2;
}

/** People's messages between their own devices: no share limits them. */
export function fillsFreely(origin: Origin, isOwnQueue: boolean): boolean {
  return isOwnQueue && origin.via === 'session';
}
