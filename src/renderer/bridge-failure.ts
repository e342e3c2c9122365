import type { FailureCode, FailureData } from '../base/failure.ts';
import { failureText } from './words.tsx';

/** A failure from the bridge. Its message is the sentence for the person. */
export class BridgeFailure extends Error {
  override readonly name = 'BridgeFailure';
  readonly code: FailureCode;
  readonly data: FailureData;

  constructor(failure: FailureData) {
    super(failureText(failure));
    this.code = failure.code;
    this.data = failure;
  }
}
