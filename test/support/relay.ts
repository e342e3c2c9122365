/**
 * A real relay in its own folder, called over HTTP by the table of endpoints. Every answer is checked against its schema
 * and the OpenAPI document.
 */
import { expect } from 'vitest';
import { z } from 'zod';
import type { Endpoint } from '../../src/protocol/endpoints/endpoint.ts';
import {
  API_PREFIX,
  ENDPOINTS,
  type EndpointName,
  type ParamsOf,
  type QueryOf,
  type ResponseOf,
} from '../../src/protocol/endpoints.ts';
import { PROBLEM_MEDIA_TYPE, PROBLEMS, type ProblemCode } from '../../src/protocol/problems.ts';
import { Problem } from '../../src/protocol/schemas/problem.ts';
import { type Relay, type RelayOptions, startRelay } from '../../src/relay/index.ts';
import type { SqlValue } from '../../src/relay/store/sql/database.ts';
import { eventually, temporaryFolder } from './engine.ts';
import { openApiChecker } from './openapi.ts';
import { dropDatabase, newDatabase, readRows } from './relay-database.ts';

export interface CallOptions<N extends EndpointName> {
  token?: string;
  params?: ParamsOf<(typeof ENDPOINTS)[N]>;
  query?: QueryOf<(typeof ENDPOINTS)[N]>;
  /** Sent unchanged, for requests that no client would send. */
  body?: unknown;
  /** Bytes in the place of a body. */
  octets?: Uint8Array;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

export interface Answered<T> {
  status: number;
  headers: Headers;
  body: T;
}

export interface TestRelayOptions extends Partial<RelayOptions> {
  /** Keeps its data in a file, also where tests run on PostgreSQL. */
  onFile?: true;
}

/** A relay that a test can stop and start again on the same port and data. */
export class TestRelay {
  readonly folder = temporaryFolder();
  readonly #options: Partial<RelayOptions>;
  readonly #isOnFile: boolean;
  #relay: Relay | null = null;
  #database: string | null = null;
  #port = 0;
  /** Moves the relay's clock ahead, in milliseconds. */
  ahead = 0;

  constructor({ onFile, ...options }: TestRelayOptions = {}) {
    this.#options = options;
    this.#isOnFile = onFile ?? false;
  }

  async start(): Promise<this> {
    this.#database ??= this.#options.database ?? (this.#isOnFile ? null : await newDatabase());
    this.#relay = await startRelay({
      dataDirectory: this.folder.path,
      ...(this.#database !== null && { database: this.#database }),
      port: this.#port,
      ...this.#options,
      clock: () => this.now(),
    });
    this.#port = this.#relay.port;
    return this;
  }

  async stop(): Promise<void> {
    await this.#relay?.close();
    this.#relay = null;
  }

  get running(): Relay {
    if (!this.#relay) throw new Error('this relay is not running');
    return this.#relay;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** The host that a login names. */
  get domain(): string {
    return new URL(this.url).host;
  }

  /** Resolves when the relay has this number of open calls. */
  async untilPolling(count: number): Promise<void> {
    await eventually(
      async () => this.running.heldPolls,
      (polls) => polls === count,
    );
  }

  now(): number {
    return (this.#options.clock ?? Date.now)() + this.ahead;
  }

  /** Rows of its database, on either engine. */
  rows<R>(sql: string, ...values: SqlValue[]): Promise<R[]> {
    const folder = this.#options.dataDirectory ?? this.folder.path;
    return readRows<R>(folder, this.#database, sql, values);
  }

  /** Makes a call that succeeds. Fails the test if it does not, or if the answer does not match its schema exactly. */
  async call<N extends EndpointName>(
    name: N,
    options: CallOptions<N> = {},
  ): Promise<Answered<ResponseOf<(typeof ENDPOINTS)[N]>>> {
    const endpoint: Endpoint = ENDPOINTS[name];
    const response = await this.request(name, options);
    const text = await response.text();
    expect(endpoint.statuses, `${endpoint.method} ${endpoint.path}: ${text}`).toContain(response.status);
    const body: unknown = text === '' ? undefined : JSON.parse(text);
    // The schema drops unknown fields: equal means that there are none.
    expect((endpoint.response ?? z.undefined()).parse(body)).toEqual(body);
    return { status: response.status, headers: response.headers, body: body as never };
  }

  /** Makes a call that must be refused with this code. Fails the test if it is not, or not as problem+json. */
  async refuse<N extends EndpointName>(
    code: ProblemCode,
    name: N,
    options: CallOptions<N> = {},
  ): Promise<Answered<Problem>> {
    return expectProblem(await this.request(name, options), code);
  }

  /** Makes a call, with any result. */
  request(name: EndpointName, options: CallOptions<EndpointName> = {}): Promise<Response> {
    const endpoint: Endpoint = ENDPOINTS[name];
    const values = (options.params ?? {}) as Record<string, string>;
    const path = endpoint.path.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(values[key] ?? ''));
    const query = endpoint.query && options.query ? z.encode(endpoint.query, options.query as never) : {};
    const search = new URLSearchParams(query as Record<string, string>).toString();
    return this.fetch(`${API_PREFIX}${path}${search && `?${search}`}`, {
      method: endpoint.method,
      ...options,
    });
  }

  /**
   * A plain request. A body other than a string is sent as JSON. Fails the test if the OpenAPI document lacks
   * the answer.
   */
  async fetch(
    path: string,
    options: {
      method?: string;
      token?: string;
      body?: unknown;
      octets?: Uint8Array;
      headers?: Record<string, string>;
      contentType?: string;
      signal?: AbortSignal;
    } = {},
  ): Promise<Response> {
    const headers = new Headers(options.headers);
    if (options.octets) headers.set('content-type', 'application/octet-stream');
    if (options.token !== undefined) headers.set('authorization', `Bearer ${options.token}`);
    if (options.body !== undefined) headers.set('content-type', options.contentType ?? 'application/json');
    const body = typeof options.body === 'string' ? options.body : JSON.stringify(options.body);
    const method = options.method ?? 'GET';
    const response = await fetch(this.url + path, {
      method,
      headers,
      body:
        (options.octets as Uint8Array<ArrayBuffer> | undefined) ?? (options.body === undefined ? null : body),
      ...(options.signal && { signal: options.signal }),
    });
    await expectAsDocumented(method, path, response.clone());
    return response;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    if (this.#database !== null && this.#options.database === undefined) await dropDatabase(this.#database);
    this.folder[Symbol.dispose]();
  }
}

/** Fails the test if the OpenAPI document lacks the answer to such a call. */
export async function expectAsDocumented(method: string, path: string, response: Response): Promise<void> {
  const { status, headers } = response;
  const problems = openApiChecker().findProblems(method, path, {
    status,
    headers,
    text: await response.text(),
  });
  expect(problems, `${method} ${path} answered ${status}`).toEqual([]);
}

/** The response as a problem with this code, in full form. */
export async function expectProblem(response: Response, code: ProblemCode): Promise<Answered<Problem>> {
  const body: unknown = await response.json();
  expect(body).toMatchObject({ code, status: response.status, title: PROBLEMS[code].title });
  expect(response.status).toBe(PROBLEMS[code].status);
  expect(response.headers.get('content-type')).toContain(PROBLEM_MEDIA_TYPE);
  expect(Problem.parse(body)).toEqual(body);
  return { status: response.status, headers: response.headers, body: body as Problem };
}
