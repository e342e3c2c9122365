import type { Failure, FailureCode } from './failure.ts';

/**
 * What a user interface throws after unwrapping an {@link Answer}.
 *
 * It has a file of its own so that the renderer can import it without zod, whose compiler probes `new Function`
 * and would be reported as a violation of the content security policy.
 */
export class BridgeFailure extends Error {
  readonly code: FailureCode;
  constructor(failure: Failure) {
    super(failure.sentence);
    this.name = 'BridgeFailure';
    this.code = failure.code;
  }
}
