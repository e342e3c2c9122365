/**
 * How long what a person types may be, in UTF-16 code units: the same for the field that takes it and the call that
 * carries it. A relay counts for itself, and may take less. Names and descriptions are counted in characters
 * (src/base/names.ts): a field for them says when there are too many, so it takes more.
 */
export const longest = {
  /** A name, a handle, and a word of a recovery phrase. */
  name: 1_024,
  groupDescription: 8_192,
  groupPassword: 256,
  passphrase: 1_024,
  /** A recovery phrase or a private key. */
  secret: 1_024,
  /** An invitation code, with room for spaces around it. */
  invitation: 64,
  /** The code of a new computer, with all that may stand between its characters. */
  code: 128,
  /** A handle or an address, however it is written. */
  person: 128,
  url: 2_048,
  /** Of a proxy: scheme, a name of 253 and a port. */
  proxy: 280,
  message: 65_536,
  emoji: 32,
} as const;
