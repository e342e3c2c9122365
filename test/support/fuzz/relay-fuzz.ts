/**
 * Many generated requests to a real relay. After each: no fault of the relay, an answer that its OpenAPI document
 * knows, and, if it was a refusal, nothing written.
 */
import { join } from 'node:path';
import Database from 'better-sqlite3-multiple-ciphers';
import fc from 'fast-check';
import { API_PREFIX, ENDPOINTS, type Endpoint } from '../../../src/protocol/endpoints.ts';
import { Problem } from '../../../src/protocol/schemas/problem.ts';
import { maybeMutated, type WireRequest } from './mutations.ts';
import { validRequest } from './requests.ts';
import { createWorld, type World } from './world.ts';

export interface FuzzReport {
  runs: number;
  /** Requests that were done, or refused for a reason that stands behind the schemas. */
  passedValidation: number;
  /** How often each endpoint was called, and each code was answered. */
  endpoints: Map<string, number>;
  codes: Map<string, number>;
}

/** What a request is refused for before anybody looks at what it asks. */
const VALIDATION_CODES = ['invalid_request', 'plaintext_rejected', 'unsupported_media_type', 'too_large'];
/** A refused login burns its challenge. */
const MAY_WRITE = new Set(['createSession']);
/** The expiry job writes once a minute, whatever is asked meanwhile. */
const EXPIRY_INTERVAL = 60_000;

/**
 * Runs so many requests, shrinks one that fails, and throws what it was.
 * @param onProgress called now and then with the number of runs so far
 */
export async function fuzzRelay(
  runs: number,
  seed: number,
  onProgress: (done: number) => void = () => undefined,
): Promise<FuzzReport> {
  const world = await createWorld();
  const database = watchDatabase(world.relay.folder.path);
  const report: FuzzReport = { runs: 0, passedValidation: 0, endpoints: new Map(), codes: new Map() };
  let unexplainedWrites = 0;
  const begin = performance.now();
  try {
    await fc.assert(
      fc.asyncProperty(maybeMutated(validRequest(world)), async (request) => {
        const before = database.version();
        const code = await send(world, request);
        count(report, request.name, code);
        if (report.runs % 1_000 === 0) onProgress(report.runs);
        if (code === null || MAY_WRITE.has(request.name)) return;
        if (database.version() === before) return;
        unexplainedWrites++;
        const byExpiry = Math.ceil((performance.now() - begin) / EXPIRY_INTERVAL) + 1;
        if (unexplainedWrites > byExpiry)
          throw new Error(`it was refused (${code}), and something was written`);
      }),
      { numRuns: runs, seed },
    );
    return report;
  } finally {
    database.close();
    await world.relay[Symbol.asyncDispose]();
  }
}

/** Tells whether anything was written, by SQLite's own number for that. */
function watchDatabase(folder: string): { version: () => unknown; close: () => void } {
  const database = new Database(join(folder, 'relay.db'), { readonly: true });
  return {
    version: () => database.pragma('data_version', { simple: true }),
    close: () => database.close(),
  };
}

/** @returns the code of the refusal, or null */
async function send({ relay }: World, request: WireRequest): Promise<string | null> {
  const endpoint: Endpoint = ENDPOINTS[request.name];
  const path = endpoint.path.replace(/:(\w+)/g, (_, key: string) =>
    encodeURIComponent(wellFormed(request.params[key] ?? '')),
  );
  const query = new URLSearchParams(request.query).toString();
  const response = await relay.fetch(API_PREFIX + path + (query && `?${query}`), {
    method: endpoint.method,
    contentType: request.contentType,
    ...(request.token !== null && { token: request.token }),
    ...(endpoint.method !== 'GET' && request.body !== undefined && { body: request.body }),
  });
  const text = await response.text();
  if (response.status >= 500) throw new Error(`${response.status}: ${text}`);
  return response.status < 400 ? null : Problem.parse(JSON.parse(text)).code;
}

/** No URL can carry half a surrogate pair. */
function wellFormed(text: string): string {
  return text.toWellFormed();
}

function count(report: FuzzReport, name: string, code: string | null): void {
  report.runs++;
  if (code === null || !VALIDATION_CODES.includes(code)) report.passedValidation++;
  report.endpoints.set(name, (report.endpoints.get(name) ?? 0) + 1);
  report.codes.set(code ?? 'done', (report.codes.get(code ?? 'done') ?? 0) + 1);
}
