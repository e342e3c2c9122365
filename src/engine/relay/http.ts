/**
 * Calls to a relay: JSON over HTTP, problem+json as errors, every answer held to its schema.
 */
import { z } from 'zod';

/** No answer came: no network, no relay, a time-out. What was sent may or may not have been done. */
export class RelayUnreachable extends Error {
  override readonly name = 'RelayUnreachable';
}

/** The relay answered with a problem (RFC 9457). */
export class RelayRefusal extends Error {
  override readonly name = 'RelayRefusal';
  readonly status: number;
  /** Stable code of docs/protocol.md, 'Errors'; `unknown` where the answer had none. */
  readonly code: string;
  /** How long the relay asks to wait, in milliseconds. */
  readonly retryAfter: number | null;

  constructor(status: number, code: string, detail: string, retryAfter: number | null) {
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

const Problem = z.object({ code: z.string(), title: z.string().optional(), detail: z.string().optional() });

/** How long a call that is not held may take, in milliseconds. */
const CALL_TIMEOUT = 15_000;

export interface Call<T> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path with its query, from the root. */
  path: string;
  body?: unknown;
  token?: string;
  /** What the answer must look like; `null` for answers without a body. */
  answer: z.ZodType<T> | null;
  /** Milliseconds; longer than usual for a held poll. */
  timeout?: number;
  signal?: AbortSignal;
}

export class RelayHttp {
  /** Scheme and authority, without a slash at the end. */
  readonly baseUrl: string;

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
  async call<T>(call: Call<T>): Promise<T> {
    const headers = new Headers({ accept: 'application/json' });
    if (call.token !== undefined) headers.set('authorization', `Bearer ${call.token}`);
    if (call.body !== undefined) headers.set('content-type', 'application/json');
    const timeout = AbortSignal.timeout(call.timeout ?? CALL_TIMEOUT);
    let status: number;
    let text: string;
    let retryAfter: string | null;
    try {
      const response = await fetch(this.baseUrl + call.path, {
        method: call.method,
        headers,
        body: call.body === undefined ? null : JSON.stringify(call.body),
        signal: call.signal ? AbortSignal.any([call.signal, timeout]) : timeout,
        // A relay has no reason to send its callers, with their tokens, somewhere else.
        redirect: 'error',
      });
      ({ status } = response);
      retryAfter = response.headers.get('retry-after');
      text = await response.text();
    } catch (error) {
      throw new RelayUnreachable(timeout.aborted ? 'The relay did not answer in time.' : reasonOf(error));
    }
    const json = parseJson(text);
    if (status >= 400) throw refusalOf(status, json, retryAfter);
    if (call.answer === null) return undefined as T;
    const parsed = call.answer.safeParse(json);
    if (!parsed.success)
      throw new RelayUnreachable('What answers at this address does not speak like a relay.');
    return parsed.data;
  }
}

function refusalOf(status: number, json: unknown, retryAfter: string | null): Error {
  const problem = Problem.safeParse(json);
  if (!problem.success && status < 500) {
    return new RelayUnreachable('What answers at this address does not speak like a relay.');
  }
  const { code, detail, title } = problem.data ?? { code: 'unknown' };
  const seconds = Number(retryAfter);
  return new RelayRefusal(
    status,
    code,
    detail ?? title ?? `The relay answered with status ${status}.`,
    retryAfter !== null && Number.isFinite(seconds) ? seconds * 1000 : null,
  );
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
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (code === 'ECONNREFUSED') return 'Nothing answers at the relay’s address.';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return 'The relay’s name is not known: is there a network?';
  if (code === 'ECONNRESET' || code === 'UND_ERR_SOCKET') return 'The relay closed the connection.';
  if (typeof code === 'string' && code.includes('CERT')) return 'The relay’s certificate is not trusted.';
  return 'The relay cannot be reached.';
}
