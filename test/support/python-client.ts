/**
 * The client in Python (test/interop-python) as a process: one call at a time, and its answer.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A Python with the package cryptography; undefined if there is none. */
export const PYTHON = ['python3', '/usr/bin/python3'].find(
  (name) => spawnSync(name, ['-c', 'import cryptography'], { stdio: 'ignore' }).status === 0,
);

/** A file of the client in Python. */
export const pythonFile = (name: string) =>
  fileURLToPath(new URL(`../interop-python/${name}`, import.meta.url));

/** An error of the client: the name of its error, and the code and reason of the relay or of the fold. */
export class PythonError extends Error {
  readonly code: string | undefined;
  readonly reason: string | undefined;

  constructor({ error, code, reason }: { error: string; code?: string; reason?: string }) {
    super(error);
    this.code = code;
    this.reason = reason;
  }
}

/** One account with its state in a folder. */
export class PythonClient {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;

  constructor(url: string, folder: string, name: string) {
    const args = ['-B', pythonFile('drive.py'), url, join(folder, `${name}.json`)];
    this.#child = spawn(PYTHON ?? '', args, { stdio: ['pipe', 'pipe', 'inherit'] });
    if (!this.#child.stdout) throw new Error('no output');
    this.#lines = createInterface(this.#child.stdout)[Symbol.asyncIterator]();
  }

  /** Makes a call, with the names in drive.py. Throws PythonError. */
  async call<T = unknown>(name: string, ...args: unknown[]): Promise<T> {
    this.#child.stdin?.write(`${JSON.stringify([name, args])}\n`);
    const { value, done } = await this.#lines.next();
    if (done) throw new Error(`the client in Python ended at ${name}`);
    const answer = JSON.parse(value);
    if (answer.error) throw new PythonError(answer);
    return answer.ok;
  }

  /** Logs in with the wallet, publishes device and seal key, and claims a handle. Returns the address. */
  async register(handle: string): Promise<string> {
    await this.call('logInWithWallet');
    await this.call('publish');
    await this.call('setHandle', handle);
    return this.call<string>('address');
  }

  /**
   * Reads the queue to its end. Returns shown, deferred and refused messages; not the `hello` of others, which come at any
   * time.
   */
  async receive(): Promise<Record<string, unknown>[]> {
    const all = await this.call<Record<string, unknown>[]>('receive');
    return all.filter((one) => !('hello' in one));
  }

  /** Ends the process. */
  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#child.stdin?.end();
    await ended;
  }
}
