/**
 * Finds faults of an answer, for any request.
 */

import type { Endpoint } from '../../../src/protocol/endpoints/endpoint.ts';
import { COMMON_PROBLEMS } from '../../../src/protocol/endpoints.ts';
import { PROBLEMS, type ProblemCode } from '../../../src/protocol/problems.ts';
import { Problem } from '../../../src/protocol/schemas/problem.ts';
import { openApiChecker } from '../openapi.ts';
import type { WireAnswer, WireRequest } from './request.ts';

/** Problems of a path or a credential, which no row of the table names. */
const FRAME_PROBLEMS: readonly ProblemCode[] = [
  'unauthorized',
  'missing_entitlement',
  'method_not_allowed',
  'unsupported_media_type',
  'misdirected_request',
  'headers_too_large',
];

/** Problems that are reported before a handler reads the request. */
const BEFORE_HANDLERS: readonly ProblemCode[] = [
  'invalid_request',
  'plaintext_rejected',
  'too_large',
  ...FRAME_PROBLEMS,
];
const NO_SUCH_PATH = 'There is nothing at this path. The page of the relay, at /, has all calls.';
/** Technical terms that must not be in sentences. */
const ROUGH = /undefined|\[object|\bexpected |Invalid |Too (?:big|small)|must match pattern|\n {2}at /;

export interface Verdict {
  /** A sentence about a fault, or null if the answer is correct. */
  fault: string | null;
  /** The code of the refusal; null for a success. */
  code: string | null;
  /** True if the request passed validation: it succeeded, or was refused for its meaning. */
  passedValidation: boolean;
}

export function judge(endpoint: Endpoint, request: WireRequest, answer: WireAnswer): Verdict {
  const { status, text } = answer;
  const headers = new Headers(Object.entries(answer.headers).map(([name, value]) => [name, String(value)]));
  const path = request.path.split('?')[0] ?? '';
  const [undocumented] = openApiChecker().findProblems(request.method, path, { status, headers, text });
  if (undocumented !== undefined) {
    return {
      fault: `the OpenAPI document knows no such answer: ${undocumented}`,
      code: '',
      passedValidation: false,
    };
  }
  if (status < 400) {
    const fault = endpoint.statuses.includes(status) ? null : `the status ${status} is none of this call`;
    return { fault, code: null, passedValidation: true };
  }
  const problem = Problem.parse(JSON.parse(text));
  const { code } = problem;
  const isMeant = !(BEFORE_HANDLERS as readonly string[]).includes(code) && problem.detail !== NO_SUCH_PATH;
  return { fault: findFault(endpoint, status, problem), code, passedValidation: isMeant };
}

function findFault(endpoint: Endpoint, status: number, problem: Problem): string | null {
  const code = problem.code as ProblemCode;
  const kind = PROBLEMS[code];
  if (!kind) return `the code ${code} is not in the catalogue`;
  if (code === 'internal' || code === 'unavailable') return 'the relay failed';
  const isOfElement = status === 422 && endpoint.elementProblems?.includes(code);
  if (problem.status !== status || (kind.status !== status && !isOfElement)) {
    return `the status ${status} is not that of ${code}`;
  }
  const known: readonly ProblemCode[] = [...endpoint.problems, ...COMMON_PROBLEMS, ...FRAME_PROBLEMS];
  if (!known.includes(code) && problem.detail !== NO_SUCH_PATH) return `${code} is no problem of this call`;
  const sentences = [problem.detail, ...(problem.errors ?? []).map(({ message }) => message)];
  const rough = sentences.find((sentence) => ROUGH.test(sentence));
  return rough === undefined ? null : `this is no sentence for a person: ${rough}`;
}
