/** Refusals in the form of RFC 9457, protocol §15. */
import { expect } from 'vitest';
import type { Answer, Problem } from './calls.ts';

/** Fails the test unless the answer is a problem with this status and code, in full form. */
export function expectProblem(answer: Answer<Problem>, status: number, code: string): void {
  expect(answer).toMatchObject({ status, body: { status, code } });
  expect(answer.contentType).toMatch(/^application\/problem\+json/);
  for (const field of ['type', 'title', 'detail', 'requestId'] as const) {
    expect(answer.body[field], field).toMatch(/./);
  }
}
