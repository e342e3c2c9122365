/** Form of a row of the table of calls. */
import type { z } from 'zod';
import type { Entitlement } from '../credentials.ts';
import type { BodyLimit } from '../limits.ts';
import type { ProblemCode } from '../problems.ts';

/** The credential that a call requires: none, any valid one, or one with an entitlement. */
export type Access = 'anyone' | 'any credential' | Entitlement;

export interface Endpoint {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path after `API_PREFIX`; `:name` is a parameter. */
  path: string;
  access: Access;
  summary: string;
  params?: z.ZodObject;
  /** Query string: `z.decode` reads it, `z.encode` writes it. */
  query?: z.ZodObject;
  request?: z.ZodType;
  /** Header fields of the call, by their names in lower case. */
  headers?: z.ZodObject;
  /** The size limit of the request; `SMALL_BODY` by default. For envelopes it follows from `limits`. */
  body?: BodyLimit | 'envelopes';
  /** Absent for an answer without a body. */
  response?: z.ZodType;
  /**
   * True if the answer repeats nothing of the call, and so belongs to any such call. All other answers with a body
   * have a rule in src/protocol/answers.ts.
   */
  repeatsNothing?: true;
  /** The side that sends raw bytes, `application/octet-stream`: then `request` or `response` is absent. */
  octets?: 'request' | 'response';
  /** Also answers HEAD: as GET, without the body. */
  head?: true;
  /** The statuses of success, the usual one first. */
  statuses: readonly [number, ...number[]];
  /** Problems of this call, besides `COMMON_PROBLEMS`. */
  problems: readonly ProblemCode[];
  /** Problems of one element of the request. Answered 422 instead of their own status. */
  elementProblems?: readonly ProblemCode[];
}
