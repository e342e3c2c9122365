/**
 * Who may put how much into a queue, so that one sender, or many from one network, never take it from the others.
 */
import type { CredentialType } from '../../protocol/credentials.ts';

/** What waits in a queue: all of it, or the part of one holder. */
export interface Waiting {
  envelopes: number;
  /** Of ciphertext. */
  bytes: number;
}

/** Parts of an empty queue, above 0 and at most 1. */
export interface QueueShares {
  /** For one address, however it sends. Its programs together have half of it. */
  sender: number;
  /** For all senders of one network together. */
  network: number;
}

/** What a queue holds at most. */
export interface QueueLimits {
  queueEnvelopes: number;
  queueBytes: number;
  shares: QueueShares;
}

/** One who takes up room in a queue, and the part that is theirs. */
export interface Holder {
  waiting: Waiting;
  share: number;
}

/**
 * Whether one more envelope has a place in a queue. A holder may have its share of the room that all others leave, and
 * the share itself shrinks with that room: so of a queue that n senders fill one after the other, about one part in
 * 1 + n / 4 stays free, where a fixed share would leave next to nothing. One envelope of a holder is taken wherever
 * there is room at all.
 * @param queue what waits in it in all
 * @param holders all that the envelope would count for
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
    const envelopes = { whole: queueEnvelopes, taken: queue.envelopes, own: waiting.envelopes, more: 1 };
    const bytes = { whole: queueBytes, taken: queue.bytes, own: waiting.bytes, more: size };
    return hasShare(envelopes, share) && hasShare(bytes, share);
  });
}

/** Room that holders share: how much there is of it, how much is taken, by one holder among them, and how much it wants. */
export interface SharedRoom {
  whole: number;
  /** By all holders. */
  taken: number;
  own: number;
  more: number;
}

/** Whether a holder may have so much more: of the room that others leave its share, and less the more they have. */
export function hasShare({ whole, taken, own, more }: SharedRoom, share: number): boolean {
  const room = whole - taken + own;
  return own + more <= share * room * (room / whole);
}

/** Where an envelope comes from. */
export interface Origin {
  /** The address under which it is routed. */
  sender: Uint8Array;
  via: CredentialType;
  /** The name of the network, where it says something. */
  network: Uint8Array | null;
}

/** Follows an address that stands for its programs. */
const PROGRAMS = Buffer.of(1);

/** Whom an envelope counts for: its sender, all programs of that one, its network. The names differ in their length. */
export function holderNames({ sender, via, network }: Origin): Uint8Array[] {
  const names = via === 'session' ? [sender] : [sender, Buffer.concat([sender, PROGRAMS])];
  return network === null ? names : [...names, network];
}

/** One who takes up the room of an envelope, by a name, and the part of an empty queue that is theirs. */
export interface NamedHolder {
  name: Uint8Array;
  share: number;
}

/** Whom an envelope counts for, with their shares. */
export function holdersOf(origin: Origin, shares: QueueShares): NamedHolder[] {
  return holderNames(origin).map((name) => ({ name, share: shareOf(name, origin, shares) }));
}

function shareOf(name: Uint8Array, origin: Origin, shares: QueueShares): number {
  if (name === origin.network) return shares.network;
  return name === origin.sender ? shares.sender : shares.sender / 2;
}

/** What people write on their own devices to their own is theirs to fill: no share holds it back. */
export function fillsFreely(origin: Origin, isOwnQueue: boolean): boolean {
  return isOwnQueue && origin.via === 'session';
}
