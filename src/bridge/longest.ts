/**
 * How long what a person types may be, in UTF-16 code units: the same for the field that takes it and the call that
 * carries it. A relay counts for itself, and may take less.
 */
export const longest = {
  /** Of a person, an API key or a token; a handle, and a word of a recovery phrase. */
  name: 64,
  groupName: 80,
  groupDescription: 1_000,
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
