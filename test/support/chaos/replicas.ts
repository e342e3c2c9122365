/**
 * Several relays on one database, as behind a load balancer: all of them have the public URL of the first.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../free-port.ts';
import { TestRelay } from '../relay.ts';
import type { Dice } from './dice.ts';
import { type Mutant, SWEPT } from './mutants.ts';
import type { ReplicaOptions } from './replica-process.ts';

const ENTRY = fileURLToPath(new URL('./replica-process.ts', import.meta.url));
/** Time limit of a call, in milliseconds. An open poll is answered earlier. */
const CALL_TIME = 45_000;

type FetchOptions = NonNullable<Parameters<TestRelay['fetch']>[1]>;

export interface ReplicasOptions {
  database: string;
  count: number;
  dice: Dice;
  /** The faults of each replica. */
  mutants: readonly (readonly Mutant[])[];
}

/** Like a TestRelay; each call is sent to any of them, and is repeated until one accepts it. */
export class Replicas extends TestRelay {
  readonly #options: ReplicasOptions;
  #ports: number[] = [];
  readonly #running = new Map<number, ChildProcess>();
  /** For each replica, the number of sweeps that found mail. */
  readonly #sweeps = new Map<number, number>();

  constructor(options: ReplicasOptions) {
    super();
    this.#options = options;
  }

  override async start(): Promise<this> {
    const { count } = this.#options;
    this.#ports = await Promise.all(Array.from({ length: count }, () => freePort()));
    await Promise.all(this.#ports.map((_, index) => this.#startOne(index)));
    return this;
  }

  override async stop(): Promise<void> {
    const children = [...this.#running.values()];
    this.#running.clear();
    await Promise.all(children.map((child) => end(child, 'SIGTERM')));
  }

  override get url(): string {
    return `http://127.0.0.1:${this.#ports[0]}`;
  }

  /** Indexes of the running replicas. */
  get alive(): number[] {
    return [...this.#running.keys()];
  }

  /** Number of waits that were ended only by the sweep. */
  sweeps(index: number): number {
    return this.#sweeps.get(index) ?? 0;
  }

  /** Any of them, whether it runs or not. */
  any(): number {
    return this.#options.dice.below(this.#options.count);
  }

  /** Kills a running replica. Resolves when it accepts calls again. */
  async kill(index: number): Promise<void> {
    const child = this.#running.get(index);
    this.#running.delete(index);
    if (!child) return;
    await end(child, 'SIGKILL');
    await this.#startOne(index);
  }

  override async fetch(path: string, options: FetchOptions = {}): Promise<Response> {
    for (;;) {
      const response = await this.at(this.any(), path, options);
      if (response) return response;
      await delay(50);
    }
  }

  /** Calls one of them once. Null if it does not answer, or is not ready. */
  async at(
    index: number,
    path: string,
    { method = 'GET', token, body }: FetchOptions = {},
  ): Promise<Response | null> {
    const headers = {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    try {
      const response = await fetch(`http://127.0.0.1:${this.#ports[index]}${path}`, {
        method,
        headers,
        body: body === undefined ? null : JSON.stringify(body),
        signal: AbortSignal.timeout(CALL_TIME),
      });
      // Reads the whole answer: a relay may be killed while it answers.
      const text = await response.text();
      if (response.status === 503) return null;
      return new Response(text === '' ? null : text, { status: response.status, headers: response.headers });
    } catch {
      return null;
    }
  }

  /** Starts one, repeatedly until the database is available. */
  async #startOne(index: number): Promise<void> {
    const { database, mutants } = this.#options;
    const options: ReplicaOptions = {
      dataDirectory: join(this.folder.path, String(index)),
      database,
      port: this.#ports[index] ?? 0,
      publicUrl: this.url,
      hosts: [new URL(this.url).host],
      mutants: mutants[index % mutants.length] ?? [],
    };
    for (let tries = 0; ; tries++) {
      const child = spawn(process.execPath, [ENTRY, JSON.stringify(options)], {
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      let complaint = '';
      child.stderr?.on('data', (chunk) => {
        complaint = `${complaint}${chunk}`.slice(-2_000);
      });
      const gone = once(child, 'exit').then(() => false);
      const lines = createInterface(child.stdout);
      const isUp = once(lines, 'line').then(() => true);
      lines.on('line', (line) => {
        if (line === SWEPT) this.#sweeps.set(index, this.sweeps(index) + 1);
      });
      if (await Promise.race([gone, isUp])) {
        this.#running.set(index, child);
        return;
      }
      if (tries === MAX_STARTS) throw new Error(`a replica does not start: ${complaint}`);
      await delay(200);
    }
  }
}

/** Limit of restarts of a replica. */
const MAX_STARTS = 60;

async function end(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill(signal);
  await gone;
}
