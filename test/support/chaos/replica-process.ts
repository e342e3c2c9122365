/**
 * One of several relays on one database, in its own process that can be killed. It ends with the process that has
 * started it. Its argument is its configuration as JSON.
 */
import type { RelayOptions } from '../../../src/relay/index.ts';
import { ROOMY_QUOTAS, ROOMY_RATES } from '../rates.ts';
import { type Mutant, mutate, reportSweeps } from './mutants.ts';

export interface ReplicaOptions extends Pick<RelayOptions, 'dataDirectory' | 'publicUrl' | 'hosts'> {
  database: string;
  port: number;
  mutants: readonly Mutant[];
}

const { mutants, ...options } = JSON.parse(process.argv[2] ?? '{}') as ReplicaOptions;
process.stdin.resume().once('end', () => process.exit());
const checks = [...mutants.map(mutate), reportSweeps()];
const { startRelay } = await import('../../../src/relay/index.ts');
const relay = await startRelay({
  ...options,
  limits: {
    rates: ROOMY_RATES,
    quotas: ROOMY_QUOTAS,
    queueEnvelopes: 1e7,
    queueBytes: 1e11,
    heldPolls: 1_000,
  },
});
for (const requireDone of checks) requireDone();
console.log(relay.port);
