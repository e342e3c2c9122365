/**
 * The test's side of engine-process.ts: an engine that can be killed with SIGKILL and started again.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type Cache, openCache } from '../../src/engine/cache/database.ts';
import { type Callable, temporaryFolder } from './engine.ts';

const ENTRY = fileURLToPath(new URL('./engine-process.ts', import.meta.url));

export class KillableEngine implements Callable {
  readonly folder = temporaryFolder();
  readonly #key = randomBytes(32).toString('hex');
  readonly #relay: string;
  #child: ChildProcess | null = null;
  #waiting = new Map<number, { resolve: (answer: unknown) => void; reject: (error: Error) => void }>();
  #calls = 0;

  constructor(relay: string) {
    this.#relay = relay;
  }

  /** Opens the cache of an engine that does not run. */
  openCache(): Cache {
    return openCache(this.folder.path, Buffer.from(this.#key, 'hex'));
  }

  /** @param preload URL of a module that each thread of the process loads first */
  async start(preload?: URL): Promise<this> {
    const flags = preload ? ['--import', preload.href] : [];
    const child = spawn(process.execPath, [...flags, ENTRY], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#child = child;
    const started = Promise.withResolvers<void>();
    createInterface({ input: child.stdout }).on('line', (line) => {
      const message = JSON.parse(line) as { started?: true; id: number; answer: unknown };
      if (message.started) started.resolve();
      this.#waiting.get(message.id)?.resolve(message.answer);
      this.#waiting.delete(message.id);
    });
    child.once('exit', () => {
      started.reject(new Error('the engine ended before it had started'));
      for (const { reject } of this.#waiting.values()) reject(new Error('the engine was killed'));
      this.#waiting.clear();
    });
    const options = { dataDirectory: this.folder.path, key: this.#key, relay: this.#relay };
    child.stdin.write(`${JSON.stringify(options)}\n`);
    await started.promise;
    return this;
  }

  /** Rejects if the engine is killed before it answers. */
  call(name: string, input: unknown): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const id = ++this.#calls;
    this.#waiting.set(id, { resolve, reject });
    this.#child?.stdin?.write(`${JSON.stringify({ id, name, input })}\n`);
    return promise;
  }

  /** SIGKILL: nothing of the process gets to run any more. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    this.folder[Symbol.dispose]();
  }
}
