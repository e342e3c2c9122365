/**
 * Many generated requests to a real relay: valid ones, and ones with one fault. After each: no error of the relay, an
 * answer that its OpenAPI document describes, and no write after a refusal.
 */
import { join } from 'node:path';
import Database from 'better-sqlite3-multiple-ciphers';
import fc from 'fast-check';
import type { Endpoint } from '../../../src/protocol/endpoints/endpoint.ts';
import { ENDPOINTS, type EndpointName } from '../../../src/protocol/endpoints.ts';
import { dumpDatabase } from '../database-dump.ts';
import { ROOMY_QUOTAS, ROOMY_RATES } from '../rates.ts';
import { TestRelay } from '../relay.ts';
import { judge } from './judge.ts';
import { mutateBytes, mutateField } from './mutations.ts';
import { type Choose, type Draft, RECIPES } from './recipes.ts';
import { Connection, describeRequest, encodeDraft, jsonOf, type WireRequest } from './request.ts';
import { newWorld, type Resident, tryCredentials, type World } from './world.ts';

export interface FuzzReport {
  runs: number;
  /** Requests that succeeded, or that were refused for a reason other than the schema. */
  passedValidation: number;
  /** Number of successes by endpoint, and of answers by code. */
  done: Map<EndpointName, number>;
  codes: Map<string, number>;
}

/**
 * Number of requests to one relay. After more, the relay would be slowed down by lists of all created
 * objects.
 */
const ROUND = 20_000;
/** Number of requests after which all stored data is compared, not only the database's version. */
const DUMP_EVERY = 1_000;
/** A refused login burns its challenge. */
const MAY_WRITE = new Set<EndpointName>(['createSession']);
const NAMES = Object.keys(ENDPOINTS) as EndpointName[];

/** A uniform distribution, where fast-check would prefer the smallest and the largest numbers. */
const evenly = (most: number) => fc.noBias(fc.nat(most));

/**
 * Runs this number of requests, shrinks a failing one, and throws its error.
 * @param onProgress called now and then with the number of runs so far
 */
export async function fuzzRelay(
  runs: number,
  seed: number,
  onProgress: (done: number) => void = () => undefined,
): Promise<FuzzReport> {
  const report: FuzzReport = { runs: 0, passedValidation: 0, done: new Map(), codes: new Map() };
  for (let round = 0; report.runs < runs; round++) {
    await fuzzRound(report, Math.min(ROUND, runs - report.runs), seed + round, onProgress);
  }
  return report;
}

async function fuzzRound(
  report: FuzzReport,
  runs: number,
  seed: number,
  onProgress: (done: number) => void,
): Promise<void> {
  // The clock is stopped, so that no timer fires by itself.
  const start = Date.now();
  await using relay = await new TestRelay({
    memberInvitations: true,
    clock: () => start,
    limits: {
      rates: ROOMY_RATES,
      queueEnvelopes: 40,
      bodyBytes: 1_000_000,
      quotas: ROOMY_QUOTAS,
    },
  }).start();
  const world = await newWorld(relay);
  await tryCredentials(world);
  using round = new Round(world, report, onProgress);
  const property = fc.asyncProperty(fc.gen(), (gen) =>
    round.run((count) => (count > 1 ? gen(evenly, count - 1) : 0)),
  );
  await fc.assert(property, { numRuns: runs, seed });
}

class Round implements Disposable {
  readonly #world: World;
  readonly #report: FuzzReport;
  readonly #onProgress: (done: number) => void;
  readonly #connection: Connection;
  readonly #database: Database.Database;

  constructor(world: World, report: FuzzReport, onProgress: (done: number) => void) {
    this.#world = world;
    this.#report = report;
    this.#onProgress = onProgress;
    this.#connection = new Connection(world.relay.running.port);
    this.#database = new Database(join(world.relay.folder.path, 'relay.db'), { readonly: true });
  }

  /** @throws Error with the request and its answer, if that is not as it must be */
  async run(choose: Choose): Promise<void> {
    const { name, draft, request, caller } = await makeCase(this.#world, choose);
    const { runs } = this.#report;
    if (runs % 1_000 === 0) this.#onProgress(runs);
    const before = runs % DUMP_EVERY === 0 ? this.#dump() : null;
    const version = this.#version();
    const answer = await this.#connection.send(request).catch((cause: unknown) => {
      throw new Error(`there was no answer\n\n${describeRequest(request)}`, { cause });
    });
    const { fault, code, passedValidation } = judge(ENDPOINTS[name], request, answer);
    const report = `\n\n${describeRequest(request)}\n\n→ ${answer.status} ${answer.text.slice(0, 2_000)}`;
    if (fault !== null) throw new Error(fault + report);
    if (code !== null) this.#requireNoTrace(name, version, before, report);
    this.#count(name, code, passedValidation);
    if (code !== null) return;
    draft.done?.();
    this.#world.remember(name, caller, { ...draft, done: undefined });
    this.#world.learn(name, caller, draft.params ?? {}, jsonOf(answer));
  }

  #requireNoTrace(name: EndpointName, version: number, before: string | null, details: string): void {
    if (!MAY_WRITE.has(name) && this.#version() !== version) {
      throw new Error(`it was refused, and something was written${details}`);
    }
    if (before !== null && this.#dump() !== before)
      throw new Error(`it was refused, and left a trace${details}`);
  }

  #count(name: EndpointName, code: string | null, passedValidation: boolean): void {
    const { codes, done } = this.#report;
    this.#report.runs++;
    if (passedValidation) this.#report.passedValidation++;
    codes.set(code ?? 'done', (codes.get(code ?? 'done') ?? 0) + 1);
    if (code === null) done.set(name, (done.get(name) ?? 0) + 1);
  }

  /** SQLite's own counter of writes. */
  #version(): number {
    return Number(this.#database.pragma('data_version', { simple: true }));
  }

  #dump(): string {
    return dumpDatabase(this.#world.relay.folder.path);
  }

  [Symbol.dispose](): void {
    this.#connection.close();
    this.#database.close();
  }
}

interface Case {
  name: EndpointName;
  draft: Draft;
  request: WireRequest;
  caller: Resident;
}

/** Of ten requests, four are valid, four have a wrong field, and two are wrong in their bytes or headers. */
async function makeCase(world: World, choose: Choose): Promise<Case> {
  const name = NAMES[choose(NAMES.length)] ?? 'getRelay';
  const endpoint: Endpoint = ENDPOINTS[name];
  const caller = world.resident(choose(world.residents.length));
  const again = choose(12) === 11 ? world.lastOf<Draft>(name, caller) : null;
  const right = again ?? (await RECIPES[name](world, caller, choose));
  const token = right.token ?? credential(world, endpoint, caller, choose);
  const kind = choose(10);
  const draft = kind >= 4 && kind < 8 ? mutateField(right, choose) : right;
  const encoded = encodeDraft(endpoint, draft, token);
  return { name, draft, caller, request: kind < 8 ? encoded : mutateBytes(encoded, choose) };
}

/** Usually one that may make this call. */
function credential(world: World, { access }: Endpoint, caller: Resident, choose: Choose): string | null {
  if (choose(20) === 19) return null;
  const session = caller.person.token;
  if (access === 'anyone' || (access.endsWith(':manage') && choose(10) > 0)) return session;
  return [session, session, caller.apiKey, world.groupOf(caller).token.secret][choose(4)] ?? null;
}
