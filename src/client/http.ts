/**
 * Calls to a relay by the table of endpoints: JSON over HTTP, problem+json as errors, every answer held to its schema.
 */
import { z } from 'zod';
import {
  API_PREFIX,
  ENDPOINTS,
  type Endpoint,
  type EndpointName,
  type ParamsOf,
  type QueryOf,
  type RequestOf,
  type ResponseOf,
} from '../protocol/endpoints.ts';
import { Problem } from '../protocol/schemas/problem.ts';

/** No answer came: no network, no relay, a time-out. What was sent may or may not have been done. */
export class RelayUnreachable extends Error {
  override readonly name = 'RelayUnreachable';
}

/** The relay answered with a problem (RFC 9457). */
export class RelayRefusal extends Error {
  override readonly name = 'RelayRefusal';
  readonly status: number;
  /** Stable code of the catalogue in src/protocol/problems.ts; a newer relay may have more. */
  readonly code: string;
  /** How long the relay asks to wait, in milliseconds. */
  readonly retryAfter: number | null;

  constructor(status: number, code: string, detail: string, retryAfter: number | null = null) {
    super(detail);
    this.status = status;
    this.code = code;
    this.retryAfter = retryAfter;
  }

  /** Whether the same call may succeed later without being changed. */
  get temporary(): boolean {
    return this.status >= 500 || this.status === 429 || this.status === 408 || this.code === 'inbox_full';
  }
}

/** How long a call that is not held may take, in milliseconds. */
const CALL_TIMEOUT = 15_000;

type Present<T, Key extends string> = T extends undefined ? { [K in Key]?: undefined } : { [K in Key]: T };

/** What a call of this endpoint needs, and what it may have. */
export type CallOptions<N extends EndpointName> = Present<ParamsOf<(typeof ENDPOINTS)[N]>, 'params'> &
  Present<QueryOf<(typeof ENDPOINTS)[N]>, 'query'> &
  Present<RequestOf<(typeof ENDPOINTS)[N]>, 'body'> & {
    token?: string;
    /** Milliseconds; longer than usual for a held poll. */
    timeout?: number;
    /** Cuts the call. */
    signal?: AbortSignal | undefined;
  };

export class RelayHttp {
  /** Scheme and authority, without a slash at the end. */
  readonly baseUrl: string;
  readonly #open = new Set<AbortController>();
  #closed = false;

  constructor(baseUrl: string) {
    this.baseUrl = baseUrl.replace(/\/+$/, '');
  }

  /** What a login text must name: host and port as they stand in the URL. */
  get domain(): string {
    return new URL(this.baseUrl).host;
  }

  /**
   * Makes one call.
   * @throws RelayUnreachable, RelayRefusal; an answer of another form counts as unreachable: it is no relay of ours
   */
  async call<N extends EndpointName>(
    name: N,
    options: CallOptions<N>,
  ): Promise<ResponseOf<(typeof ENDPOINTS)[N]>> {
    const endpoint: Endpoint = ENDPOINTS[name];
    const { status, json, retryAfter } = await this.request(
      endpoint.method,
      API_PREFIX + pathOf(endpoint, options.params, options.query),
      options,
    );
    if (status >= 400) throw refusalOf(status, json, retryAfter);
    const answer = (endpoint.response ?? z.undefined()).safeParse(json);
    if (!answer.success) throw notARelay();
    return answer.data as ResponseOf<(typeof ENDPOINTS)[N]>;
  }

  /** Cuts the calls that are under way; later ones fail at once. */
  close(): void {
    this.#closed = true;
    for (const call of this.#open) call.abort();
  }

  /**
   * One HTTP exchange, its body as JSON if it is JSON.
   * @throws RelayUnreachable
   */
  async request(
    method: string,
    path: string,
    options: { body?: unknown; token?: string; timeout?: number; signal?: AbortSignal | undefined },
  ): Promise<{ status: number; json: unknown; retryAfter: string | null }> {
    const headers = new Headers({ accept: 'application/json' });
    if (options.token !== undefined) headers.set('authorization', `Bearer ${options.token}`);
    if (options.body !== undefined) headers.set('content-type', 'application/json');
    if (this.#closed) throw new RelayUnreachable('Waxwing is closing.');
    const abort = new AbortController();
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      abort.abort();
    }, options.timeout ?? CALL_TIMEOUT);
    this.#open.add(abort);
    const cut = () => abort.abort();
    if (options.signal?.aborted) cut();
    options.signal?.addEventListener('abort', cut);
    try {
      const response = await fetch(this.baseUrl + path, {
        method,
        headers,
        body: options.body === undefined ? null : JSON.stringify(options.body),
        signal: abort.signal,
        // A relay has no reason to send its callers, with their tokens, somewhere else.
        redirect: 'error',
      });
      const text = await response.text();
      return {
        status: response.status,
        json: parseJson(text),
        retryAfter: response.headers.get('retry-after'),
      };
    } catch (error) {
      throw new RelayUnreachable(isLate ? 'The relay did not answer in time.' : reasonOf(error));
    } finally {
      clearTimeout(timer);
      options.signal?.removeEventListener('abort', cut);
      this.#open.delete(abort);
    }
  }
}

function pathOf(endpoint: Endpoint, params: unknown, query: unknown): string {
  const values = (params ?? {}) as Record<string, string>;
  const path = endpoint.path.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(values[key] ?? ''));
  if (!endpoint.query || query === undefined) return path;
  // Each endpoint has a type of its own for it, and the schema checks it here.
  const encoded = z.safeEncode(endpoint.query, query as never);
  if (!encoded.success) throw invalidQuery(encoded.error);
  const text = new URLSearchParams(encoded.data as Record<string, string>);
  return text.size === 0 ? path : `${path}?${text}`;
}

/** The refusal that the relay would give. */
function invalidQuery(error: z.ZodError): RelayRefusal {
  const [issue] = error.issues;
  const place = issue?.path.length ? `${issue.path.join('.')}: ` : '';
  return new RelayRefusal(
    400,
    'invalid_request',
    `The request is not well formed. ${place}${issue?.message}.`,
  );
}

function refusalOf(status: number, json: unknown, retryAfter: string | null): Error {
  const problem = Problem.safeParse(json);
  if (!problem.success && status < 500) return notARelay();
  const seconds = Number(retryAfter ?? Number.NaN);
  return new RelayRefusal(
    status,
    problem.data?.code ?? 'unknown',
    problem.data?.detail ?? 'The relay has a problem of its own just now.',
    Number.isFinite(seconds) ? seconds * 1000 : null,
  );
}

function notARelay(): RelayUnreachable {
  return new RelayUnreachable('What answers at this address does not speak like a Waxwing relay.');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The cause that fetch hides inside a TypeError, as a sentence. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  if (code === 'ECONNREFUSED') return 'Nothing answers at the relay’s address.';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return 'No computer is known by the name in the relay’s address. Is it spelled right, and is there a network?';
  if (code === 'ECONNRESET' || code === 'UND_ERR_SOCKET') return 'The relay closed the connection.';
  if (code.includes('CERT')) return 'The relay’s certificate is not trusted.';
  return 'The relay cannot be reached.';
}
