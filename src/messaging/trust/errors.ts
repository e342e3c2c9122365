/**
 * What keeps words from being sealed to an address. Each message is a sentence for the person.
 */

/** What the relay shows of an address is not what its wallet or its devices signed. */
export class UnverifiableError extends Error {
  override readonly name: string = 'UnverifiableError';
}

/**
 * The newest devices of an address are known to exist, and the relay does not show them. That may pass: a message waits,
 * and the relay is asked again.
 */
export class KeysWithheldError extends UnverifiableError {
  override readonly name = 'KeysWithheldError';
}
