import { expect, test } from 'vitest';
import { ENDPOINTS } from '../../../src/protocol/endpoints.ts';
import { fuzzEnvelopes, fuzzPlaintext } from '../../support/fuzz/envelope-fuzz.ts';
import { fuzzRelay } from '../../support/fuzz/relay-fuzz.ts';

const seed = Math.floor(Math.random() * 2 ** 31);

test(`20,000 generated requests: no fault, no undocumented answer, and no refusal that writes (seed ${seed})`, {
  timeout: 300_000,
}, async () => {
  const report = await fuzzRelay(20_000, seed);
  expect(report.runs).toBe(20_000);
  expect(report.passedValidation / report.runs).toBeGreaterThanOrEqual(0.3);
  expect([...report.done.keys()].sort(), 'every call has succeeded').toEqual(Object.keys(ENDPOINTS).sort());
  for (const code of ['done', 'invalid_request', 'plaintext_rejected', 'unauthorized', 'not_found']) {
    expect(report.codes.get(code), code).toBeGreaterThan(0);
  }
});

test(`20,000 changed envelopes: none opens, nothing fails (seed ${seed})`, { timeout: 120_000 }, () => {
  fuzzEnvelopes(20_000, seed);
});

test(`20,000 texts, documents and files: none is taken for an envelope (seed ${seed})`, {
  timeout: 120_000,
}, () => {
  fuzzPlaintext(20_000, seed);
});
