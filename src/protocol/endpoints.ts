/**
 * Every call of the API in one table. The relay registers its routes from it, clients call by it, and the OpenAPI
 * file is generated from it. Add a call to the table of its area in ./endpoints; its bodies belong in ./schemas.
 */
import type { z } from 'zod';
import { ACCOUNT_ENDPOINTS } from './endpoints/account-endpoints.ts';
import { BLOB_ENDPOINTS } from './endpoints/blob-endpoints.ts';
import { DIRECTORY_ENDPOINTS } from './endpoints/directory-endpoints.ts';
import type { Endpoint } from './endpoints/endpoint.ts';
import { ENVELOPE_ENDPOINTS } from './endpoints/envelope-endpoints.ts';
import { GROUP_ENDPOINTS } from './endpoints/group-endpoints.ts';
import { INBOX_ENDPOINTS } from './endpoints/inbox-endpoints.ts';
import { LINKING_ENDPOINTS } from './endpoints/linking-endpoints.ts';
import { SESSION_ENDPOINTS } from './endpoints/session-endpoints.ts';
import { type BodyLimit, type Limits, SMALL_BODY } from './limits.ts';
import type { ProblemCode } from './problems.ts';

/** The prefix of every path below. */
export const API_PREFIX = '/api/v1';
/** The version of the API in the prefix. */
export const API_VERSION = '1';

/** Problems of every call, besides those of its row. */
export const COMMON_PROBLEMS = [
  'invalid_request',
  'misdirected_request',
  'request_timeout',
  'too_large',
  'rate_limited',
  'internal',
  'unavailable',
] as const satisfies readonly ProblemCode[];

export const ENDPOINTS = {
  ...SESSION_ENDPOINTS,
  ...ACCOUNT_ENDPOINTS,
  ...DIRECTORY_ENDPOINTS,
  ...ENVELOPE_ENDPOINTS,
  ...BLOB_ENDPOINTS,
  ...INBOX_ENDPOINTS,
  ...LINKING_ENDPOINTS,
  ...GROUP_ENDPOINTS,
} as const satisfies Record<string, Endpoint>;

/** JSON values in one envelope of a request, and a few in reserve. */
const ENVELOPE_VALUES = 8;

/** The size limit of a call's body at a relay with these limits. */
export function bodyLimitOf(endpoint: Endpoint, limits: Limits): BodyLimit {
  const { body = SMALL_BODY } = endpoint;
  if (body !== 'envelopes') return body;
  const envelopes = Math.max(limits.batchEnvelopes, limits.groupEnvelopes);
  return { bytes: limits.bodyBytes, values: (envelopes + 2) * ENVELOPE_VALUES };
}

export type EndpointName = keyof typeof ENDPOINTS;

type Part<E, Key extends keyof Endpoint> =
  E extends Record<Key, infer Schema extends z.ZodType> ? z.output<Schema> : undefined;

/** The types of one row, after `z.decode` and before `z.encode`. */
export type ParamsOf<E> = Part<E, 'params'>;
export type QueryOf<E> = Part<E, 'query'>;
export type RequestOf<E> = Part<E, 'request'>;
export type HeadersOf<E> = Part<E, 'headers'>;
export type ResponseOf<E> = Part<E, 'response'>;
