import type { RelayChoice } from '../../bridge/contract.ts';
import type { Entries } from './step.ts';

/** The server that the person chose, as the engine takes it. */
export function relayChoice({ relay, url }: Pick<Entries, 'relay' | 'url'>): RelayChoice {
  return relay === 'embedded' ? { kind: 'embedded' } : { kind: 'url', url: url.trim() };
}
