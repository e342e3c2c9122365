/**
 * Processes that a test can kill with SIGKILL and start again: an engine, and a program on the library.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Answer } from '../../src/bridge/failure.ts';
import { type Cache, openCache } from '../../src/engine/cache/database.ts';
import type { FileAccess, FileBytes } from '../../src/engine/start.ts';
import { type Callable, temporaryFolder } from './engine.ts';

interface Line {
  started?: true;
  received?: string;
  id: number;
  answer: unknown;
}

/** Calls as JSON lines in, answers as JSON lines out. The first input line has its options. */
class KillableProcess implements Callable {
  readonly folder = temporaryFolder();
  readonly #entry: string;
  readonly #options: () => object;
  readonly #onReceived: (text: string) => void;
  #child: ChildProcess | null = null;
  #waiting = new Map<number, { resolve: (answer: unknown) => void; reject: (error: Error) => void }>();
  #calls = 0;

  constructor(entry: string, options: () => object, onReceived: (text: string) => void = () => undefined) {
    this.#entry = fileURLToPath(new URL(entry, import.meta.url));
    this.#options = options;
    this.#onReceived = onReceived;
  }

  /** @param preload URL of a module that each thread of the process loads first */
  async start(preload?: URL): Promise<this> {
    const flags = preload ? ['--import', preload.href] : [];
    const child = spawn(process.execPath, [...flags, this.#entry], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#child = child;
    const started = Promise.withResolvers<void>();
    createInterface({ input: child.stdout }).on('line', (line) => {
      const message = JSON.parse(line) as Line;
      if (message.started) started.resolve();
      if (message.received !== undefined) this.#onReceived(message.received);
      this.#waiting.get(message.id)?.resolve(message.answer);
      this.#waiting.delete(message.id);
    });
    child.once('exit', () => {
      started.reject(new Error('the process ended before it had started'));
      for (const { reject } of this.#waiting.values()) reject(new Error('the process was killed'));
      this.#waiting.clear();
    });
    // Writes to a killed process are lost on purpose.
    child.stdin.on('error', () => undefined);
    child.stdin.write(`${JSON.stringify(this.#options())}\n`);
    await started.promise;
    return this;
  }

  /** Rejects if the process is killed before it answers. */
  call(name: string, input: unknown): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const id = ++this.#calls;
    this.#waiting.set(id, { resolve, reject });
    this.#child?.stdin?.write(`${JSON.stringify({ id, name, input })}\n`);
    return promise;
  }

  /** SIGKILL: no code of the process runs afterwards. */
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

/** The test's side of engine-process.ts. */
export class KillableEngine extends KillableProcess {
  readonly #key: string;

  constructor(relay: string) {
    const key = randomBytes(32).toString('hex');
    super('./engine-process.ts', () => ({ dataDirectory: this.folder.path, key, relay }));
    this.#key = key;
  }

  /** Key of the cache. */
  get key(): Buffer {
    return Buffer.from(this.#key, 'hex');
  }

  /** The bytes of its files. */
  readonly handle: Pick<FileAccess, 'readFile' | 'writeFile'> = {
    writeFile: async (address, offset, bytes) =>
      (await this.call('writeFile', {
        address,
        offset,
        bytes: Buffer.from(bytes).toString('base64'),
      })) as Answer<null>,
    readFile: async (address, offset, length) => {
      const answer = (await this.call('readFile', { address, offset, length })) as Answer<FileBytes>;
      if (!answer.ok) return answer;
      const bytes = Buffer.from(answer.value.bytes as unknown as string, 'base64');
      return { ok: true, value: { ...answer.value, bytes } };
    },
  };

  /** Opens the cache of an engine that does not run. */
  openCache(): Cache {
    return openCache(this.folder.path, this.key);
  }
}

/** The test's side of program-process.ts: a program on the library, with an identity in a file. */
export class KillableProgram extends KillableProcess {
  /** The texts that the library has returned, in all runs of the process. */
  readonly received: string[] = [];

  constructor(relay: string, handle: string) {
    super(
      './program-process.ts',
      () => ({ file: join(this.folder.path, 'identity.json'), relay, handle }),
      (text) => this.received.push(text),
    );
  }
}
