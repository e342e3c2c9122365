/** A short run of `npm run chaos -- relay`, and runs with faulty relays, whose faults the check must find. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Fault } from '../support/chaos/ledger.ts';
import type { Mutant } from '../support/chaos/mutants.ts';
import { runChaos } from '../support/chaos/relay-chaos.ts';
import { LONG_TEST_LIMIT } from '../support/limits.ts';
import { PostgresPair } from '../support/postgres-pair.ts';

const pair = new PostgresPair();
beforeAll(() => pair.start());
afterAll(() => pair[Symbol.asyncDispose]());

test('no confirmed write is lost or repeated when a primary, relays and links are killed', {
  timeout: LONG_TEST_LIMIT,
}, async () => {
  const { ledger } = await runChaos(pair, {
    failovers: 1,
    replicasKilled: 3,
    linksCut: 1,
    people: 4,
    seed: 3,
  });
  expect(ledger.examples).toEqual([]);
  expect(ledger.isClean).toBe(true);
  expect(ledger.accepted).toBeGreaterThan(10);
});

/** Two faults in one run, with different symptoms. */
const MUTANTS: [Mutant[], Fault[]][] = [
  [
    ['early-answer', 'kept-credential'],
    ['lost', 'revokedWorked'],
  ],
  [
    ['unsynced', 'lost-hint'],
    ['lost', 'sweptWakeUps'],
  ],
];

test.each(MUTANTS)(
  'the check finds the faults of relays with %s',
  { timeout: LONG_TEST_LIMIT },
  async (mutants, faults) => {
    const { ledger } = await runChaos(pair, {
      failovers: 1,
      ends: ['cut off'],
      cutFor: 8_000,
      replicasKilled: 0,
      linksCut: 0,
      people: 3,
      replicas: 2,
      revokedWithin: 1_000,
      mutants: [mutants],
    });
    for (const fault of faults) expect(ledger.counts[fault], fault).toBeGreaterThan(0);
  },
);
