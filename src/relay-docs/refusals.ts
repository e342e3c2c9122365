/** All possible problems of a call: those in its row, and those that follow from its form. */

import type { Endpoint } from '../protocol/endpoints/endpoint.ts';
import { COMMON_PROBLEMS } from '../protocol/endpoints.ts';
import { PROBLEMS, type ProblemCode } from '../protocol/problems.ts';

/** The status for a refused element of a request: 422, Unprocessable Content. */
const ELEMENT_STATUS = 422;

/** Problem codes of a call by their status, in ascending order. */
export function refusalsOf(endpoint: Endpoint): Map<number, ProblemCode[]> {
  const pairs = [
    ...problemsOf(endpoint).map((code) => [PROBLEMS[code].status, code] as const),
    ...(endpoint.elementProblems ?? []).map((code) => [ELEMENT_STATUS, code] as const),
  ];
  const byStatus = new Map<number, Set<ProblemCode>>();
  for (const [status, code] of pairs.sort(([a], [b]) => a - b)) {
    byStatus.set(status, (byStatus.get(status) ?? new Set()).add(code));
  }
  return new Map([...byStatus].map(([status, codes]) => [status, [...codes]]));
}

function problemsOf(endpoint: Endpoint): ProblemCode[] {
  const readsBody = endpoint.method !== 'GET';
  const needsEntitlement = endpoint.access !== 'anyone' && endpoint.access !== 'any credential';
  return [
    ...endpoint.problems,
    ...(endpoint.access === 'anyone' ? [] : (['unauthorized', 'account_suspended'] as const)),
    ...(needsEntitlement ? (['missing_entitlement'] as const) : []),
    // A parameter that is too long for any valid value.
    ...(endpoint.params ? (['not_found'] as const) : []),
    ...(readsBody ? (['unsupported_media_type'] as const) : []),
    ...COMMON_PROBLEMS.filter((code) => readsBody || code !== 'too_large'),
    'misdirected_request',
    'headers_too_large',
  ];
}
