import { Failure } from './failure.ts';
import { passphraseFault, SHORTEST_PASSPHRASE } from './passphrase-rule.ts';

/**
 * Checks a new passphrase by the rule of passphrase-rule.ts.
 * @param own handle and name of its owner, if known
 * @throws Failure `passphrase_short`, `passphrase_guessable`
 */
export function requirePassphrase(passphrase: string, own: readonly string[] = []): void {
  const fault = passphraseFault(passphrase, own);
  if (fault === 'short') throw new Failure('passphrase_short', { least: SHORTEST_PASSPHRASE });
  if (fault !== null) throw new Failure('passphrase_guessable', { reason: fault });
}
