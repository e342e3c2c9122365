/**
 * Calls to a relay by the table of endpoints: JSON over HTTP, errors as problem+json, every answer checked by its
 * schema.
 */
import { z } from 'zod';
import { describe } from '../base/error-facts.ts';
import { log, stopwatch } from '../base/log.ts';
import { IN_THE_RELAYS_STEAD } from '../base/sentences.ts';
import { type Caller, type CallFacts, isAnswerTo } from '../protocol/answers.ts';
import type { Endpoint } from '../protocol/endpoints/endpoint.ts';
import {
  API_PREFIX,
  ENDPOINTS,
  type EndpointName,
  type ParamsOf,
  type QueryOf,
  type RequestOf,
  type ResponseOf,
} from '../protocol/endpoints.ts';
import { Problem } from '../protocol/schemas/problem.ts';
import { MAX_OTHER_BYTES, mostBytesOf, parseBody, readBody, refuseCompressed } from './answer-body.ts';
import { RelayRefusal, RelayUnreachable } from './errors.ts';
import { callOut, type WayOut } from './way-out.ts';

export { RelayRefusal, RelayUnreachable };

/** The greatest difference between the clocks of this computer and the relay, in milliseconds: a day. */
const MAX_CLOCK_OFFSET = 24 * 3_600_000;
/** The time limit of a call without a long poll, in milliseconds. */
const CALL_TIMEOUT = 15_000;
/** The shortest pause before asking a relay again, even if it requests less, in milliseconds. */
const LEAST_RETRY_AFTER = 1_000;
/** The longest pause that a relay can request, in milliseconds. */
const MAX_RETRY_AFTER = 3_600_000;
/** The duration from which a call without a long poll is logged as slow, in milliseconds. */
const SLOW_CALL = 3_000;

type Present<T, Key extends string> = T extends undefined ? { [K in Key]?: undefined } : { [K in Key]: T };

/** Options of a call of this endpoint. */
export type CallOptions<N extends EndpointName> = Present<ParamsOf<(typeof ENDPOINTS)[N]>, 'params'> &
  Present<QueryOf<(typeof ENDPOINTS)[N]>, 'query'> &
  Present<RequestOf<(typeof ENDPOINTS)[N]>, 'body'> & {
    token?: string;
    /** Wire address of the caller, if known: the answer must match it. */
    address?: string | null;
    /** Time limit in milliseconds; longer for a long poll. */
    timeout?: number;
    /** Aborts the call. */
    signal?: AbortSignal | undefined;
  };

/** Calls with raw bytes as request or answer. */
export type OctetEndpoint = {
  [N in EndpointName]: (typeof ENDPOINTS)[N] extends { octets: string } ? N : never;
}[EndpointName];

export interface OctetOptions {
  params: Record<string, string>;
  headers: Record<string, string>;
  /** Creates the body for each attempt; absent for none. Must call `alive` whenever bytes are sent. */
  makeBody?: ((alive: () => void) => AsyncIterable<Uint8Array>) | undefined;
  token?: string;
  signal?: AbortSignal | undefined;
  stall: number;
}

interface Exchange {
  headers: Record<string, string>;
  body?: string | null;
  makeBody?: OctetOptions['makeBody'];
  token?: string | undefined;
  timeout?: number | undefined;
  signal?: AbortSignal | undefined;
}

interface Answer {
  status: number;
  json: unknown;
  retryAfter: string | null;
}

const JSON_BODY = { 'content-type': 'application/json' };

export class RelayHttp {
  /** Scheme and authority, without a slash at the end. */
  readonly baseUrl: string;
  readonly #open = new Set<AbortController>();
  readonly #way: WayOut | undefined;
  #closed = false;

  /** @param way route to the network; by default the thread's (way-out.ts) */
  constructor(baseUrl: string, way?: WayOut) {
    this.baseUrl = baseUrl.replace(/\/+$/, '');
    this.#way = way;
  }

  /** The domain for a login text: host and port as in the URL. */
  get domain(): string {
    return new URL(this.baseUrl).host;
  }

  /**
   * Makes one call. The answer must have the endpoint's form and belong to the call (src/protocol/answers.ts).
   * @throws RelayRefusal; RelayUnreachable, also for an answer of another form: then it is not a Waxwing relay;
   * WrongAnswer
   */
  async call<N extends EndpointName>(
    name: N,
    options: CallOptions<N>,
  ): Promise<ResponseOf<(typeof ENDPOINTS)[N]>> {
    const elapsed = stopwatch();
    let failed: { code: string } | null = null;
    try {
      return await this.#call(name, options);
    } catch (error) {
      failed = { code: describe(error).code };
      throw error;
    } finally {
      const ms = elapsed();
      const isSlow = ms >= SLOW_CALL && options.timeout === undefined;
      log(isSlow ? 'info' : 'debug', isSlow ? 'relay.slow' : 'relay.called', { of: name, ms, ...failed });
    }
  }

  async #call<N extends EndpointName>(
    name: N,
    options: CallOptions<N>,
  ): Promise<ResponseOf<(typeof ENDPOINTS)[N]>> {
    const endpoint: Endpoint = ENDPOINTS[name];
    const { params, query, body, token = null, address = null } = options;
    const { status, json, retryAfter } = await this.request(
      endpoint.method,
      API_PREFIX + pathOf(endpoint, params, query),
      { ...options, mostBytes: mostBytesOf(name, query) },
    );
    if (status >= 400) throw refusalOf(status, json, retryAfter);
    const answer = (endpoint.response ?? z.undefined()).safeParse(json);
    if (!endpoint.statuses.includes(status) || !answer.success) throw notARelay();
    const caller: Caller = { address, token };
    // The row's types are known only by its name: the options have those of the same row.
    const call = { params, query: query ?? {}, body, caller } as CallFacts<N>;
    const data = answer.data as ResponseOf<(typeof ENDPOINTS)[N]>;
    if (!isAnswerTo(name, call, data)) throw new RelayUnreachable('relay_wrong_answer');
    return data;
  }

  /** Aborts the calls in progress; later ones fail at once. */
  close(): void {
    this.#closed = true;
    for (const call of this.#open) call.abort();
  }

  /**
   * One HTTP exchange, with its body as JSON if it is JSON.
   * @param options.mostBytes size limit of the body
   * @throws RelayUnreachable
   */
  async request(
    method: string,
    path: string,
    options: {
      body?: unknown;
      token?: string;
      timeout?: number;
      signal?: AbortSignal | undefined;
      mostBytes?: number;
    },
  ): Promise<Answer> {
    const headers = { accept: 'application/json', ...(options.body !== undefined && JSON_BODY) };
    const body = options.body === undefined ? null : JSON.stringify(options.body);
    return this.#exchange(method, path, { ...options, headers, body }, (response) =>
      readAnswer(response, options.mostBytes ?? MAX_OTHER_BYTES),
    );
  }

  /**
   * A call with a stream of bytes as request or answer.
   * @param options.stall the longest time without traffic, in milliseconds; `use` and the body's source report
   * traffic
   * @param use reads a successful answer; its errors are thrown unchanged
   * @throws RelayRefusal, RelayUnreachable
   */
  async octets<T>(
    name: OctetEndpoint,
    options: OctetOptions,
    use: (response: Response, alive: () => void) => Promise<T>,
  ): Promise<T> {
    const endpoint: Endpoint = ENDPOINTS[name];
    const path = API_PREFIX + pathOf(endpoint, options.params, undefined);
    const { makeBody, signal, token, stall } = options;
    const headers = { ...options.headers, ...(makeBody && { 'content-type': 'application/octet-stream' }) };
    let failure: { error: unknown } | null = null;
    const given = await this.#exchange(
      endpoint.method,
      path,
      { headers, makeBody, signal, token, timeout: stall },
      async (response, alive) => {
        if (response.status >= 400) {
          const { status, json, retryAfter } = await readAnswer(response, MAX_OTHER_BYTES);
          failure = { error: refusalOf(status, json, retryAfter) };
          return null;
        }
        if (!endpoint.statuses.includes(response.status)) throw notARelay();
        refuseCompressed(response);
        try {
          return { value: await use(response, alive) };
        } catch (error) {
          // Distinguishes errors of the network from the caller's errors about the bytes.
          if (error instanceof TypeError || isAbort(error)) throw error;
          await response.body?.cancel().catch(() => undefined);
          failure = { error };
          return null;
        }
      },
    );
    if (failure) throw (failure as { error: unknown }).error;
    if (!given) throw new Error('an answer was neither used nor refused');
    return given.value;
  }

  /** @throws RelayUnreachable */
  async #exchange<T>(
    method: string,
    path: string,
    options: Exchange,
    use: (response: Response, alive: () => void) => Promise<T>,
  ): Promise<T> {
    const headers = new Headers({ 'accept-encoding': 'identity', ...options.headers });
    if (options.token !== undefined) headers.set('authorization', `Bearer ${options.token}`);
    if (this.#closed) throw new RelayUnreachable('closing');
    const abort = new AbortController();
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      abort.abort();
    }, options.timeout ?? CALL_TIMEOUT);
    const alive = () => void timer.refresh();
    this.#open.add(abort);
    const cut = () => abort.abort();
    if (options.signal?.aborted) cut();
    options.signal?.addEventListener('abort', cut);
    try {
      const init = {
        method,
        headers,
        // Node's fetch accepts async iterables, unlike the browser's types.
        body: (options.makeBody?.(alive) as ReadableStream | undefined) ?? options.body ?? null,
        ...(options.makeBody && { duplex: 'half' as const }),
        signal: abort.signal,
        // A redirect would send the token elsewhere; a relay has no reason for one.
        redirect: 'error' as const,
      };
      // Time for finding the route and loading its code does not count against the relay.
      const response = await callOut(this.baseUrl + path, init, this.#way, alive);
      judgeClocks(response.headers.get('date'));
      return await use(response, alive);
    } catch (error) {
      // Ends the connection: the body of a refused answer is not read, and may have no end.
      cut();
      if (error instanceof RelayUnreachable) throw error;
      throw new RelayUnreachable(isLate ? 'relay_late' : reasonOf(error));
    } finally {
      clearTimeout(timer);
      options.signal?.removeEventListener('abort', cut);
      this.#open.delete(abort);
    }
  }
}

/** @throws RelayUnreachable */
async function readAnswer(response: Response, mostBytes: number): Promise<Answer> {
  const text = await readBody(response, mostBytes);
  return { status: response.status, json: parseBody(text), retryAfter: response.headers.get('retry-after') };
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

/**
 * A wrong clock makes genuine messages look too old and seal keys expired, and refused messages are deleted. So
 * nothing is sent or accepted until both clocks agree.
 * @param date header of the answer, in HTTP's form
 * @throws ClockError
 */
function judgeClocks(date: string | null): void {
  const offset = Math.abs(Date.parse(date ?? '') - Date.now());
  // NaN for a missing or malformed date: then there is nothing to compare.
  if (offset > MAX_CLOCK_OFFSET)
    throw new RelayUnreachable('clocks_differ', { days: Math.round(offset / MAX_CLOCK_OFFSET) });
}

function pathOf(endpoint: Endpoint, params: unknown, query: unknown): string {
  const values = (params ?? {}) as Record<string, string>;
  const path = endpoint.path.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(values[key] ?? ''));
  if (!endpoint.query || query === undefined) return path;
  // The type differs by endpoint; the schema checks it here.
  const encoded = z.safeEncode(endpoint.query, query as never);
  if (!encoded.success) throw invalidQuery(encoded.error);
  const text = new URLSearchParams(encoded.data as Record<string, string>);
  return text.size === 0 ? path : `${path}?${text}`;
}

/** The refusal that the relay would return. */
function invalidQuery(error: z.ZodError): RelayRefusal {
  const [issue] = error.issues;
  const place = issue?.path.join('.') ?? '';
  const detail = IN_THE_RELAYS_STEAD.query_malformed({ place, fault: issue?.message ?? '' });
  return new RelayRefusal(400, 'invalid_request', detail, null, 'field');
}

function refusalOf(status: number, json: unknown, retryAfter: string | null): Error {
  const problem = Problem.safeParse(json);
  if (!problem.success && status < 500) return notARelay();
  const { code = 'unknown', detail = IN_THE_RELAYS_STEAD.failed(), reason = '' } = problem.data ?? {};
  return new RelayRefusal(status, code, detail, patienceOf(retryAfter), reason);
}

/** Milliseconds from a Retry-After header; null if it is absent or invalid. */
function patienceOf(retryAfter: string | null): number | null {
  if (retryAfter === null || !/^\d{1,12}$/.test(retryAfter)) return null;
  return Math.min(Math.max(Number(retryAfter) * 1000, LEAST_RETRY_AFTER), MAX_RETRY_AFTER);
}

function notARelay(): RelayUnreachable {
  return new RelayUnreachable('not_a_relay');
}

/** The cause inside fetch's TypeError. */
function reasonOf(
  error: unknown,
):
  | 'relay_silent'
  | 'relay_name_unknown'
  | 'relay_hung_up'
  | 'relay_certificate'
  | 'relay_without_tls'
  | 'relay_unreachable' {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  if (code === 'ECONNREFUSED') return 'relay_silent';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'relay_name_unknown';
  if (code === 'ECONNRESET' || code === 'UND_ERR_SOCKET') return 'relay_hung_up';
  // Codes of Node and OpenSSL for an untrusted chain: https://nodejs.org/api/tls.html#x509-certificate-error-codes
  if (code.includes('CERT') || code === 'UNABLE_TO_VERIFY_LEAF_SIGNATURE') return 'relay_certificate';
  // OpenSSL's code for an answer that is no TLS record, as of a server with plain HTTP.
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER') return 'relay_without_tls';
  return 'relay_unreachable';
}
