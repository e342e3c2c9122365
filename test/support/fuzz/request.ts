/** Raw requests, one after the other over one connection. */
import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { Endpoint } from '../../../src/protocol/endpoints/endpoint.ts';
import { API_PREFIX } from '../../../src/protocol/endpoints.ts';
import type { Draft } from './recipes.ts';

export interface WireRequest {
  method: string;
  /** Below the server's root, with its query. */
  path: string;
  headers: Record<string, string>;
  body: Buffer | null;
}

export interface WireAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** The body of an answer; null for none, or for bytes of a file. */
export function jsonOf({ text, headers }: WireAnswer): unknown {
  return text === '' || headers['content-type'] === 'application/octet-stream' ? null : JSON.parse(text);
}

/** The draft as bytes. */
export function encodeDraft(endpoint: Endpoint, draft: Draft, token: string | null): WireRequest {
  // No URL can carry half a surrogate pair.
  const path = endpoint.path.replace(/:(\w+)/g, (_, key: string) =>
    encodeURIComponent((draft.params?.[key] ?? '').toWellFormed()),
  );
  const search = new URLSearchParams(draft.query ?? {}).toString();
  return {
    method: endpoint.method,
    path: API_PREFIX + path + (search && `?${search}`),
    headers: {
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(draft.body !== undefined && { 'content-type': 'application/json' }),
      ...(draft.octets !== undefined && { 'content-type': 'application/octet-stream' }),
      ...draft.headers,
    },
    body: draft.octets ?? (draft.body === undefined ? null : Buffer.from(JSON.stringify(draft.body))),
  };
}

/** A request in a readable form, for the report of a fault. */
export function describeRequest({ method, path, headers, body }: WireRequest): string {
  const lines = [`${method} ${path.slice(0, 2_000)}`];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value.slice(0, 200)}`);
  if (body)
    lines.push('', `${body.subarray(0, 4_000)}${body.length > 4_000 ? ` … ${body.length} bytes` : ''}`);
  return lines.join('\n');
}

export class Connection {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #port: number;

  constructor(port: number) {
    this.#port = port;
  }

  async send({ method, path, headers, body }: WireRequest): Promise<WireAnswer> {
    const { promise, resolve, reject } = Promise.withResolvers<WireAnswer>();
    const length = body || method !== 'GET' ? { 'content-length': String(body?.length ?? 0) } : {};
    const options = { agent: this.#agent, host: '127.0.0.1', port: this.#port, method, path };
    const request = httpRequest({ ...options, headers: { ...headers, ...length } }, (response) => {
      buffer(response).then(
        (bytes) =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: bytes.toString('utf8'),
          }),
        reject,
      );
    });
    request.on('error', reject);
    request.end(body ?? undefined);
    return promise;
  }

  close(): void {
    this.#agent.destroy();
  }
}
