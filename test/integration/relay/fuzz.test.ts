import { expect, test } from 'vitest';
import { ENDPOINTS } from '../../../src/protocol/endpoints.ts';
import { fuzzEnvelopes, fuzzPlaintext } from '../../support/fuzz/envelope-fuzz.ts';
import { fuzzRelay } from '../../support/fuzz/relay-fuzz.ts';

// Enough for what is easily found. `npm run fuzz` tries a million.
const seed = Math.floor(Math.random() * 2 ** 31);

const REQUESTS = 3_000;

test(`${REQUESTS} generated requests: no fault, no undocumented answer, and no refusal that writes (seed ${seed})`, {
  timeout: 600_000,
}, async () => {
  const report = await fuzzRelay(REQUESTS, seed);
  expect(report.runs).toBe(REQUESTS);
  expect(report.passedValidation / report.runs).toBeGreaterThanOrEqual(0.3);
  expect([...report.done.keys()].sort(), 'every call has succeeded').toEqual(Object.keys(ENDPOINTS).sort());
  for (const code of ['done', 'invalid_request', 'plaintext_rejected', 'unauthorized', 'not_found']) {
    expect(report.codes.get(code), code).toBeGreaterThan(0);
  }
});

test(`5,000 changed envelopes: none opens, nothing fails (seed ${seed})`, () => {
  fuzzEnvelopes(5_000, seed);
});

test(`5,000 texts, documents and files: none is taken for an envelope (seed ${seed})`, () => {
  fuzzPlaintext(5_000, seed);
});
