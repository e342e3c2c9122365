/**
 * The relay's catalogue of problems: a code for the wire, a reason for programs, one sentence for people.
 */
import { expect, test } from 'vitest';
import { PROBLEMS, type ProblemCode } from '../../../../src/protocol/problems.ts';
import { Problem } from '../../../../src/protocol/schemas/problem.ts';
import { ProblemError } from '../../../../src/relay/problems/problem-error.ts';
import { REASONS } from '../../../../src/relay/problems/reasons.ts';

/** A value for every parameter of any sentence. */
const ANYTHING = new Proxy({}, { get: (_, name) => (name === 'allowed' ? ['GET'] : `<${String(name)}>`) });

const ALL = Object.entries(REASONS).flatMap(([code, reasons]) =>
  Object.entries(reasons).map(([reason, sentence]): [string, string, (parameters: object) => string] => [
    code,
    reason,
    sentence as (parameters: object) => string,
  ]),
);

test('each code has a reason, and each reason its own sentence', () => {
  expect(new Set(ALL.map(([code]) => code))).toEqual(new Set(Object.keys(PROBLEMS)));
  const sentences = ALL.map(([, , sentence]) => sentence(ANYTHING));
  expect(new Set(sentences).size).toBe(ALL.length);
  for (const sentence of sentences) expect(sentence).toMatch(/[.…]$/);
});

test('a reason has its own name, or that of its code if it is the only one', () => {
  for (const [code, reasons] of Object.entries(REASONS)) {
    const names = Object.keys(reasons);
    if (names.length === 1) expect(names).toEqual([code]);
    for (const name of names) expect(name).toMatch(/^[a-z][A-Za-z0-9_]*$/);
  }
});

test('answers with code, reason and sentence together', () => {
  const problem = new ProblemError('quota_reached', 'apiKeys', { most: 3 });
  const body = problem.toBody('x');
  expect(Problem.parse(body)).toEqual(body);
  expect(body).toMatchObject({
    status: 409,
    code: 'quota_reached' satisfies ProblemCode,
    reason: 'apiKeys',
    detail: 'You have 3 API keys, as many as this relay allows. Revoke one first.',
  });
});

test('adds the place of an element in a larger request, and keeps code and reason', () => {
  const inside = new ProblemError('too_large', 'payload', { bytes: 7 }).inside('envelopes.3');
  expect(inside).toMatchObject({
    code: 'too_large',
    reason: 'payload',
    message: 'envelopes.3: An envelope can have at most 7 bytes at this relay.',
    errors: [{ path: 'envelopes.3', message: 'An envelope can have at most 7 bytes at this relay.' }],
  });
});

// @ts-expect-error: a reason of another code, a missing parameter or an unknown reason does not compile
() => new ProblemError('not_found', 'apiKeys');
// @ts-expect-error: its parameter is missing
() => new ProblemError('quota_reached', 'apiKeys');
