import type { RelayChoice } from '../../bridge/procedures/setup-procedures.ts';
import type { Entries } from './step.ts';

/** The chosen server, in the engine's form. */
export function relayChoice({ relay, url }: Pick<Entries, 'relay' | 'url'>): RelayChoice {
  return relay === 'embedded' ? { kind: 'embedded' } : { kind: 'url', url: url.trim() };
}
