/**
 * The longest typed texts, in UTF-16 code units: the same for the field and for the call. A relay has its own limits,
 * which may be lower. Names and descriptions are counted in characters (src/base/names.ts). Their fields accept
 * longer texts, and show an error when there are too many.
 */
export const longest = {
  /** A name, a handle, or a word of a recovery phrase. */
  name: 1_024,
  groupDescription: 8_192,
  about: 1_024,
  groupPassword: 256,
  passphrase: 1_024,
  /** A recovery phrase or a private key. */
  secret: 1_024,
  /** An invitation code, with room for spaces around it. */
  invitation: 64,
  /** The code of a new computer, with separators between its characters. */
  code: 128,
  /** A handle or an address, in any form. */
  person: 128,
  url: 2_048,
  /** An invite link, with room for spaces around it. */
  invite: 2_100,
  /** A proxy: scheme, a name of 253 and a port. */
  proxy: 280,
  message: 65_536,
  emoji: 32,
  search: 500,
} as const;

/** Number of opened links that wait for the page, or for the end of first run. */
export const MAX_FIRST_LINKS = 16;
