/**
 * For tests of published vectors, of the cost of a guess, and of other programs: scrypt at its real cost.
 */
import { afterAll, beforeAll } from 'vitest';
import { FULL_COST } from './scrypt-cost.ts';

/** The tests of this file, or of the `describe` that calls it, use the full cost. */
export function payFullScrypt(): void {
  beforeAll(() => {
    process.env[FULL_COST] = '1';
  });
  afterAll(() => {
    delete process.env[FULL_COST];
  });
}

/** Runs a function that uses scrypt at its real cost, before the tests begin. */
export function withFullScrypt<T>(work: () => T): T {
  process.env[FULL_COST] = '1';
  try {
    return work();
  } finally {
    delete process.env[FULL_COST];
  }
}
