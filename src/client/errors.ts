/**
 * What a caller can meet besides the relay's own refusals (http.ts). Each message is a sentence for a person.
 */

import { RelayUnreachable } from '../messaging/relay.ts';

/** The clocks of this computer and the relay are far apart. Nothing is sent or taken until that is mended. */
export class ClockError extends RelayUnreachable {
  override readonly name = 'ClockError';

  /** @param days how far they are apart, at least 1 */
  constructor(days: number) {
    super(
      `The clock of this computer and the server’s are ${days === 1 ? 'a day' : `${days} days`} apart. Set the clock of this computer right; messages wait until then.`,
    );
  }
}

/** What came is no answer to what was asked: it is about another group, address, handle, envelope or link. */
export class WrongAnswer extends RelayUnreachable {
  override readonly name = 'WrongAnswer';

  constructor() {
    super('The relay gave an answer to something that was not asked. Nothing of it was believed.');
  }
}

export { RelayRefusal, RelayUnreachable } from '../messaging/relay.ts';
export { ForkError, KeysWithheldError, UnverifiableError } from '../messaging/trust/errors.ts';

/** An identity cannot be used: its file, its device or its place at the relay is not what it must be. */
export class IdentityError extends Error {
  override readonly name = 'IdentityError';
}
