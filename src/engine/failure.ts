/**
 * Failures that a person reads: thrown anywhere in the engine, handed across the bridge as they are.
 */
import type { FailureCode } from '../bridge/failure.ts';

export class EngineFailure extends Error {
  override readonly name = 'EngineFailure';
  readonly code: FailureCode;

  /** @param sentence what happened and what to do, for the person */
  constructor(code: FailureCode, sentence: string) {
    super(sentence);
    this.code = code;
  }
}
