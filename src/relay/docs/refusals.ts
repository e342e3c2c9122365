/**
 * Which problems a call can be answered with, all told: those of its row, and those that come from its form.
 */
import { COMMON_PROBLEMS, type Endpoint } from '../../protocol/endpoints.ts';
import { PROBLEMS, type ProblemCode } from '../../protocol/problems.ts';

/** Problem codes of a call by their status, in ascending order. */
export function refusalsOf(endpoint: Endpoint): Map<number, ProblemCode[]> {
  const codes = [...new Set(problemsOf(endpoint))];
  return new Map(
    Object.entries(Object.groupBy(codes, (code) => PROBLEMS[code].status)).map(([status, group]) => [
      Number(status),
      group ?? [],
    ]),
  );
}

function problemsOf(endpoint: Endpoint): ProblemCode[] {
  const readsBody = endpoint.method !== 'GET';
  const needsEntitlement = endpoint.access !== 'anyone' && endpoint.access !== 'any credential';
  return [
    ...endpoint.problems,
    ...(endpoint.access === 'anyone' ? [] : (['unauthorized'] as const)),
    ...(needsEntitlement ? (['missing_entitlement'] as const) : []),
    // A parameter that is too long to be one.
    ...(endpoint.params ? (['not_found'] as const) : []),
    ...(readsBody ? (['unsupported_media_type'] as const) : []),
    ...COMMON_PROBLEMS.filter((code) => readsBody || code !== 'too_large'),
    'misdirected_request',
    'headers_too_large',
  ];
}
