/**
 * Faults of data from the wire, with their wording. A fault of a field follows its name; a fault of a payload, device
 * list, seal key or sealed copy follows the request. Programs read the names.
 */

/** Faults of a field's value. */
export const FIELD_FAULTS = {
  bytes: (length: number) => `must be ${length} bytes in base64url without padding`,
  base64url: () => 'must be base64url without padding',
  address: () => 'must be an address: 0x and 40 hexadecimal digits in lower case',
  time: () => 'must be a time in UTC with milliseconds, such as 2026-11-20T20:00:00.000Z',
  wallet_signature: () => 'must be 0x and 130 hexadecimal digits',
  id: () => 'must be an id of this relay',
  cursor: () => 'must be a cursor of this relay',
  nonce: () => 'must be the nonce of a challenge',
  label: () => 'must be one line without control or invisible characters and without spaces at its ends',
  text: () => 'must be a text without control characters',
  text_of_bytes: (most: number) =>
    `must be at most ${most} bytes of UTF-8, without control characters but line feed and tab`,
  one_line: () => 'must be one line',
  handle: () => 'must be 3 to 32 of a-z, 0-9 and _, and begin with a letter',
  handle_or_at: () => 'must be a handle: 3 to 32 of a-z, 0-9 and _, beginning with a letter',
  relay_origin: () => 'must be the origin of a relay, such as https://relay.example',
  invitation_code: () => 'must be an invitation code',
  blob_part: () => 'must be the number of a part',
  content_digest: () => 'must be the SHA-256 of the part, such as sha-256=:base64:',
  blob_length: () => 'must be the length of a sealed file',
  whole_number: () => 'must be a whole number',
  null: () => 'must be null',
  named_twice: () => 'must not name one twice',
  empty: () => 'must not be empty',
  no_body: () => 'this call has no body',
  unknown_fields: ({ names }: { names: readonly string[] }) => `unknown field ${names.join(', ')}`,
  missing: ({ type }: { type: FieldType }) => `is missing; it must be ${fieldTypes[type]}`,
  type: ({ type }: { type: FieldType }) => `must be ${fieldTypes[type]}`,
  choice: ({ choices }: { choices: readonly unknown[] }) =>
    `must be ${choices.map((choice) => JSON.stringify(choice)).join(' or ')}`,
  size: ({ bound, size, of }: { bound: Bound; size: unknown; of: SizeUnit }) =>
    `must be ${bound} ${size}${sizeUnits[of]}`,
  not_a_member: ({ address }: { address: string }) => `${address} is not a current member of this group`,
  unknown_device: ({ address }: { address: string }) => `must be a device key of ${address}`,
} as const;

/** Everyday names of JSON types. */
export const fieldTypes = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'an object',
} as const;
export type FieldType = keyof typeof fieldTypes;

export type Bound = 'exactly' | 'at least' | 'more than' | 'at most' | 'less than';
export const sizeUnits = { number: '', string: ' characters', array: ' elements' } as const;
export type SizeUnit = keyof typeof sizeUnits;

/**
 * A malformed text or value. Has a code, and the details for a sentence about it where needed. The message is the
 * code, not a sentence.
 */
export class FormatError<Fault extends string | { wrong: string }> extends Error {
  readonly fault: Fault;

  constructor(fault: Fault) {
    super(typeof fault === 'string' ? fault : fault.wrong);
    this.fault = fault;
  }
}

/** Faults of sealed and signed data, by its form. */
export const FAULTS = {
  /** Faults of a payload. */
  payload: {
    label: 'they begin with neither SEALEDMSG nor SEALEDGRP',
    version: 'this version does not know their form',
    signing: 'they are signed in an unknown way',
    cut: 'they are cut off before the body',
    bot: 'a bot signed them, and bots write into groups alone',
    list_missing: 'they are signed and do not name the device list of their sender',
    json: 'the body is not JSON',
    deep: 'the body is nested too deeply',
    fields: 'the body lacks a field or has a wrong one',
  },
  /** Faults of a device list. */
  deviceList: {
    device_twice: 'a device is in the list twice',
    device_id_wrong: 'a deviceId is not the hash of its key',
    device_life_long: 'a device is valid for more than 400 days after the list was issued',
    previous_wrong: 'only the first list has no previous one',
    issued_in_future: 'the list is issued in the future',
    signature_wrong: 'the list is not signed by the wallet of its address',
  },
  /** Faults of a seal key. */
  sealKey: {
    other_device: 'the seal key belongs to another device',
    key_unusable: 'the seal key is not an X25519 key that may be used',
    pq_digest_zero: 'the digest of the post-quantum key is all zero, which means that there is none',
    life_long: 'a seal key lives for at most 45 days',
    too_early: 'the seal key is not valid yet',
    expired: 'the seal key has expired',
    device_expired: 'the device is no longer valid',
    signature_wrong: 'the seal key is not signed by its device',
  },
  /** Faults in the outer form of a sealed copy. */
  shape: {
    nonce: 'nonce must be 12 bytes',
    ephemeral_key: 'ephemeralPublicKey must be an X25519 public key',
    ciphertext_length: 'ciphertext must be a header of 12 bytes, a padded payload and a tag of 16 bytes',
    hybrid_ciphertext_length:
      'ciphertext must be a header of 12 bytes, an ML-KEM ciphertext of 1,088, a padded payload and a tag of 16 bytes',
    header: 'ciphertext must begin with version 1, suite 1 or 2 and known flags',
    request_flag: 'asRequest must be the same in the envelope and in the header',
    readable: 'the sealed part is readable text',
  },
} as const;
export type FaultOf<Form extends keyof typeof FAULTS> = keyof (typeof FAULTS)[Form];

/** The parameters of a function that returns a sentence. */
export type ParametersOf<Sentence extends (parameters: never) => string> =
  Parameters<Sentence> extends [infer P] ? P : Record<never, never>;
