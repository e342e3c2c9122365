import { type Fields, isFields } from './forms.ts';
import { ANSWER_DEPTH, parseJson } from './json.ts';
import { must, Refusal } from './refusal.ts';

/** A relay's refusal (section 15): decide by `code`; `reason` is more specific. */
export class Problem extends Error {
  readonly status: number;
  readonly code: string;
  readonly reason: string;
  readonly detail: string;
  readonly errors: { path: string; message: string }[];
  /** Seconds, from 1 to 3,600; null if the relay states none. */
  readonly retryAfter: number | null;

  constructor(status: number, body: Fields, retryAfter: string | null) {
    const { code, reason, detail, errors } = body;
    super(`${status} ${String(code)}: ${String(detail)}`);
    this.name = 'Problem';
    this.status = status;
    this.code = typeof code === 'string' ? code : 'internal';
    this.reason = typeof reason === 'string' ? reason : this.code;
    this.detail = typeof detail === 'string' ? detail : '';
    this.errors = Array.isArray(errors) ? (errors as { path: string; message: string }[]) : [];
    const seconds = retryAfter === null ? Number.NaN : Number(retryAfter);
    this.retryAfter = Number.isFinite(seconds) ? Math.min(Math.max(Math.ceil(seconds), 1), 3600) : null;
  }
}

const KIB = 1024;
const MIB = 1024 * KIB;
/** Size limit of an answer (section 15). */
export const ANSWER_BYTES = {
  inbox: 24 * MIB,
  group: 16 * MIB,
  chain: 4 * MIB,
  pqKeys: 2 * MIB,
  batch: MIB,
  histories: MIB,
  most: 64 * KIB,
};
const CALL_TIMEOUT_MS = 60_000;

export interface Call {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  body?: unknown;
  /** The accepted statuses of the call; by default 200. */
  statuses?: readonly number[];
  mostBytes?: number;
  timeoutMs?: number;
}

export interface Answer {
  status: number;
  /** The received object; empty for a status without a body. */
  body: Fields;
}

const NO_BODY = 204;

async function readBounded(response: Response, most: number): Promise<string> {
  must(response.headers.get('content-encoding') === null, 'wrong_answer', 'compressed');
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of response.body ?? []) {
    length += part.length;
    must(length <= most, 'wrong_answer', 'too long');
    parts.push(part);
  }
  return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts));
}

/** A relay, called with one credential. Its answers are checked against their form before use. */
export class Relay {
  readonly url: URL;
  readonly credential: string | null;
  /** The relay's clock minus the own, in milliseconds, according to its last answer; null before any. */
  clockAhead: number | null = null;
  readonly #now: () => number;

  constructor(url: string | URL, credential: string | null = null, now: () => number = Date.now) {
    this.url = new URL(url);
    this.credential = credential;
    this.#now = now;
  }

  /** The same relay with another credential. */
  with(credential: string | null): Relay {
    return new Relay(this.url, credential, this.#now);
  }

  /** Calls below `/api/v1`. A refusal is thrown as `Problem`, an answer in another form as `Refusal`. */
  async call(path: string, call: Call = {}): Promise<Answer> {
    const { method = 'GET', body, statuses = [200], mostBytes = ANSWER_BYTES.most } = call;
    const response = await fetch(new URL(`/api/v1${path}`, this.url), {
      method,
      redirect: 'error',
      headers: {
        'accept-encoding': 'identity',
        ...(this.credential === null ? {} : { authorization: `Bearer ${this.credential}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(call.timeoutMs ?? CALL_TIMEOUT_MS),
    });
    const date = Date.parse(response.headers.get('date') ?? '');
    if (Number.isFinite(date)) this.clockAhead = date - this.#now();
    if (response.status === NO_BODY && statuses.includes(NO_BODY)) return { status: NO_BODY, body: {} };
    const value = parseJson(await readBounded(response, mostBytes), ANSWER_DEPTH);
    must(isFields(value), 'wrong_answer', 'no object');
    if (statuses.includes(response.status)) return { status: response.status, body: value };
    if (response.status >= 400)
      throw new Problem(response.status, value, response.headers.get('retry-after'));
    throw new Refusal('wrong_answer', `status ${response.status}`);
  }
}

/** Refuses a malformed part of an answer, or one that names something else than the call. */
export function mustAnswer(condition: boolean, what: string): asserts condition {
  must(condition, 'wrong_answer', what);
}
