/**
 * One row of the table of endpoints as a route: rate limit, credential, entitlement, schemas, then its handler.
 */

import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { credentialTypeOf } from '../../protocol/credentials.ts';
import {
  API_PREFIX,
  bodyLimitOf,
  type Endpoint,
  type HeadersOf,
  type ParamsOf,
  type QueryOf,
  type RequestOf,
  type ResponseOf,
} from '../../protocol/endpoints.ts';
import { ENTITLEMENTS } from '../../protocol/entitlements.ts';
import { FIELD_FAULTS } from '../../protocol/faults.ts';
import type { RelayContext } from '../context.ts';
import { networkOf } from '../http/network.ts';
import { OctetAnswer } from '../http/octets.ts';
import { takeCall } from '../http/rate-limit.ts';
import { ReadyJson } from '../http/ready-json.ts';
import { read } from '../http/validation.ts';
import { ProblemError } from '../problems/problem-error.ts';
import { digestOf } from '../secrets.ts';
import type { CredentialRecord } from '../store/records.ts';

/** What a handler gets: everything checked. */
export interface Call<E extends Endpoint> {
  params: ParamsOf<E>;
  query: QueryOf<E>;
  body: RequestOf<E>;
  /** Fields of the header that the endpoint names. */
  headers: HeadersOf<E>;
  /** The body, unread, where the endpoint takes bytes; null if there is none. */
  octets: Readable | null;
  /** Whether the header alone is asked for. */
  isHead: boolean;
  /** Whether a range is asked for under a condition. */
  ifRange: boolean;
  /** Null where anyone may call. */
  credential: E['access'] extends 'anyone' ? null : CredentialRecord;
  /** The caller's network address, as limits count it. */
  network: string;
  /**
   * Looks the credential up again. A handler that has waited for a turn asks this before it writes: the credential may
   * have been revoked meanwhile, also by another relay on the same database, of which this one hears nothing. Before
   * an answer that was read goes out, the endpoint asks by itself.
   * @throws ProblemError unauthorized, account_suspended
   */
  requireStillValid: () => Promise<void>;
  /**
   * Takes room for so many bytes of an answer, until it is sent; fewer than none gives some back.
   * @throws ProblemError rate_limited if too much is under way to the account
   */
  takeRoom: (bytes: number) => void;
  /** Aborted when the caller goes away. */
  gone: () => AbortSignal;
}

/** What a handler gives: one of the endpoint's statuses, the first unless said, and the body. */
export interface Answer<E extends Endpoint> {
  status?: E['statuses'][number];
  body: ResponseOf<E> | ReadyJson | OctetAnswer;
}

export type Handler<E extends Endpoint> = (call: Call<E>) => Promise<Answer<E>>;
/** Adds a route for an endpoint. */
export type AddEndpoint = <const E extends Endpoint>(endpoint: E, handler: Handler<E>) => void;

const JSON_TYPE = 'application/json; charset=utf-8';
/** How often the last use of a credential is written down, in milliseconds. */
const TOUCH_INTERVAL = 60_000;
/** A credential that was looked up longer ago than this is looked up again when the body is there, in milliseconds. */
const BODY_TIME = 500;

/** The one answer to every credential that does not count, whatever the reason. */
export function unauthorized(): ProblemError {
  return new ProblemError('unauthorized', 'credential');
}

/** A function that adds endpoints to a server, with the rate limits that they share. */
export function endpointAdder(app: FastifyInstance, context: RelayContext): AddEndpoint {
  const { rates } = context.limits;
  const byAddress = context.counters.limit('address', rates.address, 'networks');
  const byLogin = context.counters.limit('login', rates.login, 'networks');
  const byCredential = context.counters.limit('credential', rates.credential, 'others');

  async function authenticate(
    endpoint: Endpoint,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<CredentialRecord | null> {
    const network = networkOf(request.ip);
    await takeCall(byAddress, network, reply);
    if (endpoint.access === 'anyone') {
      if (endpoint.method !== 'GET') await takeCall(byLogin, network, reply);
      return null;
    }
    const among = isServedByLease(endpoint) ? context.credentials : context.store;
    const credential = await findCredential(context, request.headers.authorization, among);
    await takeCall(byCredential, credential.id, reply);
    requireEntitlement(endpoint, credential);
    return credential;
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
      // The credential is looked at before the body is read: who may not call need not be listened to.
      onRequest: async (request, reply) => {
        request.credential = await authenticate(endpoint, request, reply);
        request.authenticatedAt = performance.now();
      },
      handler: async (request, reply) => {
        const requireStillValid = async () => {
          if (request.credential) await findCredential(context, request.headers.authorization, context.store);
        };
        // Who sends the body slowly must not do with it what was forbidden meanwhile.
        if (performance.now() - request.authenticatedAt > BODY_TIME) await requireStillValid();
        const answer = await handler({
          params: readPart(endpoint.params, request.params),
          query: readPart(endpoint.query, request.query),
          body: endpoint.octets === 'request' ? undefined : readBody(endpoint, request.body),
          headers: readPart(endpoint.headers, request.headers),
          octets: request.body instanceof Readable ? request.body : null,
          isHead: request.method === 'HEAD',
          ifRange: request.headers['if-range'] !== undefined,
          credential: request.credential,
          network: networkOf(request.ip),
          requireStillValid,
          takeRoom: (bytes) => request.room?.take(bytes),
          gone: () => goneSignal(reply),
        } as Call<E>);
        // What was read may have waited for its turn. It is told to nobody whose credential ended meanwhile.
        if (endpoint.method === 'GET' || answer.body instanceof ReadyJson) {
          await requireStillValid().catch((error) => {
            if (answer.body instanceof OctetAnswer) answer.body.stream?.destroy();
            throw error;
          });
        }
        reply.code(answer.status ?? endpoint.statuses[0]);
        if (answer.body instanceof ReadyJson) {
          request.room?.take(answer.body.bytes.length);
          return reply.type(JSON_TYPE).send(answer.body.bytes);
        }
        if (answer.body instanceof OctetAnswer) {
          return reply.headers(answer.body.headers).send(answer.body.stream ?? undefined);
        }
        return answer.body ?? reply.send();
      },
    });
  };
}

declare module 'fastify' {
  interface FastifyRequest {
    credential: CredentialRecord | null;
    /** When the credential was looked up, in milliseconds of a monotonic clock. */
    authenticatedAt: number;
  }
}

function readPart(schema: z.ZodObject | undefined, value: unknown): unknown {
  return schema ? read(schema, value) : undefined;
}

function readBody(endpoint: Endpoint, body: unknown): unknown {
  return read(endpoint.request ?? NO_BODY, body);
}

const NO_BODY = z.undefined({ error: FIELD_FAULTS.no_body() });

/** For those who proved that the account is theirs: by a credential of it, or by a login. */
export function accountSuspended(): ProblemError {
  return new ProblemError('account_suspended', 'account_suspended');
}

/** @param among the store, or what it said a moment ago */
async function findCredential(
  context: RelayContext,
  header: string | undefined,
  among: RelayContext['credentials'] | RelayContext['store'],
): Promise<CredentialRecord> {
  const [, secret] = /^Bearer (\S+)$/i.exec(header ?? '') ?? [];
  if (secret === undefined || credentialTypeOf(secret) === null) throw unauthorized();
  const now = context.clock();
  const credential = await among.findCredential(digestOf(secret), now);
  if (!credential) throw unauthorized();
  if (credential.suspended) throw accountSuspended();
  touch(context, credential, now);
  return credential;
}

const touching = new WeakMap<RelayContext, Set<string>>();

/** Writes down the last use of an API key or group token, now and then, without holding up the call. */
function touch(context: RelayContext, credential: CredentialRecord, now: number): void {
  if (credential.type === 'session' || now - (credential.lastUsedAt ?? 0) < TOUCH_INTERVAL) return;
  const underWay = touching.get(context) ?? new Set();
  touching.set(context, underWay);
  if (underWay.has(credential.id)) return;
  underWay.add(credential.id);
  // What is held of it need not be looked up again to know.
  credential.lastUsedAt = now;
  const done = () => underWay.delete(credential.id);
  // Anyone who calls does not depend on it: a store that cannot write says so to the call itself.
  context.store.touchCredential(credential.id, now).then(done, done);
}

/** What reads asks again before it answers; what sends says nothing but that it was taken. All else changes something. */
function isServedByLease({ method, access }: Endpoint): boolean {
  return method === 'GET' || access === 'envelopes:send' || access === 'groups:send';
}

function requireEntitlement(endpoint: Endpoint, credential: CredentialRecord): void {
  const { access } = endpoint;
  if (access === 'anyone' || access === 'any credential') return;
  // Both must hold: what was stored for this credential, and what its type can have at all.
  if (credential.entitlements.includes(access) && ENTITLEMENTS[credential.type].includes(access)) return;
  throw new ProblemError('missing_entitlement', 'missing_entitlement', { entitlement: access });
}

function goneSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => controller.abort());
  return controller.signal;
}
