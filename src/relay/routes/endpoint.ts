/** One row of the table of endpoints as a route: rate limit, credential, entitlement, schemas, then its handler. */

import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { credentialTypeOf } from '../../protocol/credentials.ts';
import type { Endpoint } from '../../protocol/endpoints/endpoint.ts';
import {
  API_PREFIX,
  bodyLimitOf,
  type HeadersOf,
  type ParamsOf,
  type QueryOf,
  type RequestOf,
  type ResponseOf,
} from '../../protocol/endpoints.ts';
import { ENTITLEMENTS } from '../../protocol/entitlements.ts';
import { FIELD_FAULTS } from '../../protocol/faults.ts';
import type { RelayContext } from '../context.ts';
import { type Awaitable, andThen } from '../http/and-then.ts';
import { onGone } from '../http/gone.ts';
import { roomOf } from '../http/json-body.ts';
import { networkOf } from '../http/network.ts';
import { NetworkLimit } from '../http/network-limit.ts';
import { OctetAnswer } from '../http/octets.ts';
import { countCall } from '../http/rate-limit.ts';
import { ReadyJson } from '../http/ready-json.ts';
import { read } from '../http/validation.ts';
import { ProblemError } from '../problems/problem-error.ts';
import { digestOf } from '../secrets.ts';
import type { CredentialRecord } from '../store/records.ts';

/** A handler's input, fully validated. */
export interface Call<E extends Endpoint> {
  params: ParamsOf<E>;
  query: QueryOf<E>;
  body: RequestOf<E>;
  /** Header fields named by the endpoint. */
  headers: HeadersOf<E>;
  /** The unread body, where the endpoint accepts bytes; null if there is none. */
  octets: Readable | null;
  /** True for a HEAD request. */
  isHead: boolean;
  /** True if a range is requested under a condition. */
  ifRange: boolean;
  /** Null where no credential is needed. */
  credential: E['access'] extends 'anyone' ? null : CredentialRecord;
  /** The caller's network address, as limits count it. */
  network: string;
  /**
   * Looks the credential up again. A handler that has waited calls this before it writes: another relay on the same
   * database may have revoked the credential, without notice to this one. The endpoint itself calls it before the
   * answer to a read is sent.
   * @throws ProblemError unauthorized, account_suspended
   */
  requireStillValid: () => Promise<void>;
  /**
   * Reserves bytes for an answer, until it is sent; a negative number returns some.
   * @throws ProblemError rate_limited if the account has too much in progress
   */
  reserveRoom: (bytes: number) => void;
  /** Calls a listener when the caller disconnects. An open poll needs less memory for it than for a signal. */
  onGone: (listener: () => void) => void;
}

/** A handler's result: one of the endpoint's statuses, the first by default, and the body. */
export interface Answer<E extends Endpoint> {
  status?: E['statuses'][number];
  body: ResponseOf<E> | ReadyJson | OctetAnswer;
}

export type Handler<E extends Endpoint> = (call: Call<E>) => Awaitable<Answer<E>>;
/** Adds a route for an endpoint. */
export type AddEndpoint = <const E extends Endpoint>(endpoint: E, handler: Handler<E>) => void;

const JSON_TYPE = 'application/json; charset=utf-8';
/** The shortest time between two updates of a credential's last use, in milliseconds. */
const TOUCH_INTERVAL = 60_000;
/** The age after which a look-up of a credential is repeated when the body has arrived, in milliseconds. */
export const BODY_TIME = 500;

/** The answer to every invalid credential, for any reason. */
export function unauthorized(): ProblemError {
  return new ProblemError('unauthorized', 'credential');
}

/** A function that adds endpoints to a server, with the rate limits that they share. */
export function endpointAdder(app: FastifyInstance, context: RelayContext): AddEndpoint {
  const { rates } = context.limits;
  const byAddress = new NetworkLimit(context.counters, 'address', rates.address);
  const byLogin = new NetworkLimit(context.counters, 'login', rates.login);
  const byCredential = context.counters.limit('credential', rates.credential, 'others');

  // Nearly every answer is there at once. An await of each would cost more than the work between them.
  function authenticate(
    endpoint: Endpoint,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Awaitable<CredentialRecord | null> {
    const network = networkOf(request.ip);
    request.network = network;
    return andThen(countCall(byAddress, network, reply), () => {
      if (endpoint.access === 'anyone') {
        return endpoint.method === 'GET' ? null : andThen(countCall(byLogin, network, reply), () => null);
      }
      const isLeased = isServedByLease(endpoint);
      return andThen(findCredential(context, request.headers.authorization, isLeased), (credential) =>
        andThen(countCall(byCredential, credential.id, reply), () => {
          requireEntitlement(endpoint, credential);
          return credential;
        }),
      );
    });
  }

  return (endpoint, handler) => {
    type E = typeof endpoint;
    app.route({
      method: endpoint.head ? ['GET', 'HEAD'] : endpoint.method,
      url: API_PREFIX + endpoint.path,
      config: {
        body: bodyLimitOf(endpoint, context.limits),
        octets: endpoint.octets === 'request',
      },
      // The credential is checked before the body is read: unauthorized callers cost no reading.
      onRequest: (request, reply, done) => {
        const admitted = andThen(authenticate(endpoint, request, reply), (credential) => {
          request.credential = credential;
          request.authenticatedAt = context.steady.now();
        });
        // Fastify goes on after the promise, or after the call of `done`.
        if (admitted instanceof Promise) return admitted;
        done();
      },
      // Without an async function: each would add a promise and a microtask to every call.
      handler: (request, reply) => {
        const requireStillValid = async () => {
          if (request.credential) await findCredential(context, request.headers.authorization, false);
        };
        const answer = () =>
          handler({
            params: readPart(endpoint.params, request.params),
            query: readPart(endpoint.query, request.query),
            body: endpoint.octets === 'request' ? undefined : readBody(endpoint, request.body),
            headers: readPart(endpoint.headers, request.headers),
            octets: request.body instanceof Readable ? request.body : null,
            isHead: request.method === 'HEAD',
            ifRange: request.headers['if-range'] !== undefined,
            credential: request.credential,
            network: request.network,
            requireStillValid,
            reserveRoom: (bytes) => roomOf(request, reply)?.reserve(bytes),
            onGone: (listener) => onGone(request, reply, listener),
          } as Call<E>);
        // A slow body must not pass with a permission that was revoked meanwhile.
        const isLate = context.steady.now() - request.authenticatedAt > BODY_TIME;
        return andThen(isLate ? requireStillValid().then(answer) : answer(), ({ status, body }) => {
          const send = () => sendAnswer(request, reply, status ?? endpoint.statuses[0], body);
          if (endpoint.method !== 'GET' && !(body instanceof ReadyJson)) return send();
          // The answer may have waited for its turn. It is sent only if the credential is still valid.
          return requireStillValid().then(send, (error) => {
            if (body instanceof OctetAnswer) body.stream?.destroy();
            throw error;
          });
        });
      },
    });
  };
}

declare module 'fastify' {
  interface FastifyRequest {
    credential: CredentialRecord | null;
    /** The caller's network address, as limits count it. */
    network: string;
    /** The time of the credential's look-up, in milliseconds of a monotonic clock. */
    authenticatedAt: number;
  }
}

/** @returns the body that Fastify is to send, or its reply, which is sent */
function sendAnswer(request: FastifyRequest, reply: FastifyReply, status: number, body: unknown): unknown {
  reply.code(status);
  if (body instanceof ReadyJson) {
    roomOf(request, reply)?.reserve(body.bytes.length);
    return reply.type(JSON_TYPE).send(body.bytes);
  }
  if (body instanceof OctetAnswer) return reply.headers(body.headers).send(body.stream ?? undefined);
  return body ?? reply.send();
}

function readPart(schema: z.ZodObject | undefined, value: unknown): unknown {
  return schema ? read(schema, value) : undefined;
}

function readBody(endpoint: Endpoint, body: unknown): unknown {
  return read(endpoint.request ?? NO_BODY, body);
}

const NO_BODY = z.undefined({ error: FIELD_FAULTS.no_body() });

/** For callers who proved ownership of the account: by one of its credentials, or by a login. */
export function accountSuspended(): ProblemError {
  return new ProblemError('account_suspended', 'account_suspended');
}

/** @param isLeased whether a recent answer of the store is enough */
function findCredential(
  context: RelayContext,
  header: string | undefined,
  isLeased: boolean,
): Awaitable<CredentialRecord> {
  const [, secret] = /^Bearer (\S+)$/i.exec(header ?? '') ?? [];
  if (secret === undefined || credentialTypeOf(secret) === null) throw unauthorized();
  const now = context.clock();
  const found = isLeased
    ? context.credentials.findCredential(secret, now)
    : context.store.findCredential(digestOf(secret), now);
  return andThen(found, (credential) => requireValid(context, credential, now));
}

/** @throws ProblemError unauthorized, account_suspended */
function requireValid(
  context: RelayContext,
  credential: CredentialRecord | null,
  now: number,
): CredentialRecord {
  if (!credential) throw unauthorized();
  if (credential.suspended) throw accountSuspended();
  touch(context, credential, now);
  return credential;
}

const touching = new WeakMap<RelayContext, Set<string>>();

/** Records the last use of an API key or group token at intervals, without delaying the call. */
function touch(context: RelayContext, credential: CredentialRecord, now: number): void {
  if (credential.type === 'session' || now - (credential.lastUsedAt ?? 0) < TOUCH_INTERVAL) return;
  const underWay = touching.get(context) ?? new Set();
  touching.set(context, underWay);
  if (underWay.has(credential.id)) return;
  underWay.add(credential.id);
  // A recent enough record needs no look-up.
  credential.lastUsedAt = now;
  const done = () => underWay.delete(credential.id);
  // No caller depends on it: a store that cannot write reports that to the call itself.
  context.store.touchCredential(credential.id, now).then(done, done);
}

/**
 * Reads check again before they answer. Sending reports only that the message was accepted. All other endpoints
 * change something.
 */
function isServedByLease({ method, access }: Endpoint): boolean {
  return method === 'GET' || access === 'envelopes:send' || access === 'groups:send';
}

function requireEntitlement(endpoint: Endpoint, credential: CredentialRecord): void {
  const { access } = endpoint;
  if (access === 'anyone' || access === 'any credential') return;
  // Requires both: the scopes stored for this credential, and those possible for its type.
  if (credential.entitlements.includes(access) && ENTITLEMENTS[credential.type].includes(access)) return;
  throw new ProblemError('missing_entitlement', 'missing_entitlement', { entitlement: access });
}
