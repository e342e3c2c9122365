import { expect, test } from 'vitest';
import { ENDPOINTS } from '../../../src/protocol/endpoints.ts';
import { fuzzEnvelopes, fuzzPlaintext } from '../../support/fuzz/envelope-fuzz.ts';
import { fuzzRelay } from '../../support/fuzz/relay-fuzz.ts';
import { LONG_TEST_LIMIT } from '../../support/limits.ts';
import { runs } from '../../support/runs.ts';

/** The quick run repeats one batch; the others try a new one. `npm run fuzz` tries a million requests. */
const seed = runs({ quick: 1, all: Date.now() % 2 ** 31, nightly: Date.now() % 2 ** 31 });
const REQUESTS = runs({ quick: 400, all: 3_000, nightly: 50_000 });
const TEXTS = runs({ quick: 500, all: 5_000, nightly: 50_000 });

test(`${REQUESTS} generated requests: no fault, no undocumented answer, and no refusal that writes (seed ${seed})`, {
  timeout: LONG_TEST_LIMIT,
}, async () => {
  const report = await fuzzRelay(REQUESTS, seed);
  expect(report.runs).toBe(REQUESTS);
  expect(report.passedValidation / report.runs).toBeGreaterThanOrEqual(0.3);
  for (const code of ['done', 'invalid_request', 'plaintext_rejected', 'unauthorized', 'not_found']) {
    expect(report.codes.get(code), code).toBeGreaterThan(0);
  }
  // A short batch does not reach every call.
  if (REQUESTS < 3_000) return;
  expect([...report.done.keys()].sort(), 'every call has succeeded').toEqual(Object.keys(ENDPOINTS).sort());
});

test(`${TEXTS} changed envelopes: none opens, nothing fails (seed ${seed})`, () => {
  fuzzEnvelopes(TEXTS, seed);
});

test(`${TEXTS} texts, documents and files: none is accepted as an envelope (seed ${seed})`, () => {
  fuzzPlaintext(TEXTS, seed);
});
