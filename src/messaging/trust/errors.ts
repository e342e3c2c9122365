/**
 * What keeps words from being sealed to an address. Each message is a sentence for the person.
 */

/** What is said of an address whose owner's name is not known. */
const NAMELESS = 'this person';

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
  /** The owner of the address, as they are called in a sentence; null for oneself. */
  readonly who: string | null;

  constructor(who: string | null = NAMELESS) {
    const whose = who === null ? 'your own' : `${who}’s`;
    super(`Waiting for ${whose} current devices. The server doesn’t show them yet.`);
    this.who = who;
  }
}

/** A wallet has signed two lists that contradict each other: nobody but the person can say which one counts. */
export class ForkError extends UnverifiableError {
  override readonly name = 'ForkError';

  /** @param who the owner of the address, as they are called in a sentence; null for oneself */
  constructor(who: string | null = NAMELESS) {
    const rest =
      who === null
        ? 'Nothing is sent until that is mended.'
        : 'Nothing is sent to them until you choose one in their details.';
    super(`There are two different device lists for ${who ?? 'your account'}, and both are signed. ${rest}`);
  }
}
