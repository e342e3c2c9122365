/**
 * Copies of envelopes on their way to the writer thread: columns and one buffer. A message of thousands of objects with buffers of
 * their own would stop both threads for many times as long.
 */
import type { EnvelopeToAccept } from '../records.ts';

/** @template Key the type of `recipientDeviceKey` */
type Copy<Key> = EnvelopeToAccept & { recipientDeviceKey: Key };

export interface PackedCopies<Key extends string | null = string | null> {
  ids: string[];
  recipients: string[];
  recipientDeviceKeys: Key[];
  /** Bits of each copy: {@link AS_REQUEST}, {@link IS_REMEMBERED}. */
  flags: Uint8Array;
  /** The ends of `ephemeralPublicKey`, `nonce` and `ciphertext` of each copy in `bytes`. */
  ends: Uint32Array;
  bytes: Uint8Array;
}

const AS_REQUEST = 1;
const IS_REMEMBERED = 2;
const FIELDS = ['ephemeralPublicKey', 'nonce', 'ciphertext'] as const;

export function packCopies<Key extends string | null>(copies: readonly Copy<Key>[]): PackedCopies<Key> {
  const ends = new Uint32Array(copies.length * FIELDS.length);
  let end = 0;
  for (const [index, copy] of copies.entries()) {
    for (const [place, field] of FIELDS.entries()) {
      end += copy[field].length;
      ends[index * FIELDS.length + place] = end;
    }
  }
  const bytes = new Uint8Array(end);
  let begin = 0;
  for (const copy of copies) {
    for (const field of FIELDS) {
      bytes.set(copy[field], begin);
      begin += copy[field].length;
    }
  }
  return {
    ids: copies.map(({ id }) => id),
    recipients: copies.map(({ to }) => to),
    recipientDeviceKeys: copies.map(({ recipientDeviceKey }) => recipientDeviceKey),
    flags: Uint8Array.from(
      copies,
      ({ asRequest, isRemembered }) => (asRequest ? AS_REQUEST : 0) | (isRemembered ? IS_REMEMBERED : 0),
    ),
    ends,
    bytes,
  };
}

/** The copies again; their bytes are views of the common buffer. */
export function unpackCopies<Key extends string | null>(packed: PackedCopies<Key>): Copy<Key>[] {
  const buffer = Buffer.from(packed.bytes.buffer, packed.bytes.byteOffset, packed.bytes.byteLength);
  let begin = 0;
  const field = (index: number, place: number) => {
    const end = packed.ends[index * FIELDS.length + place] as number;
    const bytes = buffer.subarray(begin, end);
    begin = end;
    return bytes;
  };
  return packed.ids.map((id, index) => {
    const flags = packed.flags[index] as number;
    return {
      id,
      to: packed.recipients[index] as string,
      recipientDeviceKey: packed.recipientDeviceKeys[index] as Key,
      asRequest: (flags & AS_REQUEST) !== 0,
      isRemembered: (flags & IS_REMEMBERED) !== 0,
      // In the order of FIELDS.
      ephemeralPublicKey: field(index, 0),
      nonce: field(index, 1),
      ciphertext: field(index, 2),
    };
  });
}
