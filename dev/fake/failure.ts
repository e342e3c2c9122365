import { BridgeFailure } from '../../src/bridge/bridge-failure.ts';
import type { FailureCode } from '../../src/bridge/failure.ts';

/** What a fake answer throws to fail as an engine would. */
export function refuse(code: FailureCode, sentence = 'The scene says no.'): BridgeFailure {
  return new BridgeFailure({ code, sentence });
}
