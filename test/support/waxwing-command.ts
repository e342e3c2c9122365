/**
 * The command line, without the settings of the computer's owner: as a process of its own, or one command after
 * the other in one process, which needs a tenth of the time.
 */
import { type ChildProcess, type ChildProcessByStdio, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { CommandRequest, Outcome } from './command-process.ts';
import { eventually } from './engine.ts';
import { NO_KEY_STORE } from './secret-service.ts';

export const ENTRY = fileURLToPath(new URL('../../src/cli/waxwing.ts', import.meta.url));

const PROCESS = fileURLToPath(new URL('./command-process.ts', import.meta.url));

export type { Outcome };

export interface Surroundings {
  env?: Record<string, string>;
  /** Standard input; empty by default. */
  input?: string | Uint8Array;
}

/** The variables of a command: a folder without an identity, protection or log, unless a test sets them. */
export function environment(more: Record<string, string> = {}): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(?:WAXWING_|XDG_)/.test(name));
  return {
    ...Object.fromEntries(inherited),
    WAXWING_LOG: 'off',
    XDG_CONFIG_HOME: '/nonexistent',
    WAXWING_UNPROTECTED_KEY: '1',
    ...NO_KEY_STORE,
    ...more,
  };
}

/** A command that is running, in its own process. */
export class RunningCommand {
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #closed: Promise<unknown>;
  stdout = '';
  stderr = '';

  constructor(args: string[], { env = {}, input = '' }: Surroundings = {}) {
    this.#child = spawn(process.execPath, [ENTRY, ...args], {
      env: environment(env),
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.#closed = once(this.#child, 'close');
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text;
    });
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
    // A command that reads no input may have ended before.
    this.#child.stdin.on('error', () => undefined).end(input);
  }

  /** Waits until its standard output matches. */
  async prints(pattern: RegExp): Promise<void> {
    await eventually(
      async () => this.stdout,
      (stdout) => pattern.test(stdout),
    );
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Stops reading its output, as `head` does. */
  stopReading(): void {
    this.#child.stdout.destroy();
  }

  /** Waits until it has ended by itself. */
  async end(): Promise<Outcome> {
    await this.#closed;
    return { code: this.#child.exitCode, stdout: this.stdout, stderr: this.stderr };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) this.#child.kill('SIGKILL');
    await this.#closed;
  }
}

/** Runs a command that ends by itself, in its own process. */
export function waxwingProcess(args: string[], surroundings: Surroundings = {}): Promise<Outcome> {
  return new RunningCommand(args, surroundings).end();
}

/** The process of this test file that runs its commands; null until there was one. */
let runner: ChildProcess | null = null;
let last: Promise<unknown> = Promise.resolve();

/**
 * Runs a command that ends by itself, after those before it. Not for what listens or changes its process: `serve` and
 * `relay` need their own process.
 */
export function waxwing(args: string[], { env = {}, input = '' }: Surroundings = {}): Promise<Outcome> {
  const request: CommandRequest = { args, env: environment(env), input };
  const outcome = last.then(() => runNext(request));
  last = outcome.catch(() => undefined);
  return outcome;
}

async function runNext(request: CommandRequest): Promise<Outcome> {
  runner ??= startRunner();
  const done = new AbortController();
  const { signal } = done;
  const ended = once(runner, 'exit', { signal }).then(([code]) => {
    throw new Error(`waxwing ${request.args.join(' ')} ended its process with ${code}`);
  });
  const answered = once(runner, 'message', { signal }).then(([outcome]) => outcome as Outcome);
  runner.send(request);
  try {
    return await Promise.race([answered, ended]);
  } finally {
    done.abort();
    await Promise.allSettled([answered, ended]);
  }
}

/** Ends with this process. Its standard error is not a terminal, and shows the error that ended it. */
function startRunner(): ChildProcess {
  const child = fork(PROCESS, { serialization: 'advanced', stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  child.stderr?.pipe(process.stderr, { end: false });
  return child;
}

/** Runs a command that succeeds, with `--json`, and reads its answer. */
export async function answer<T = Record<string, unknown>>(
  args: string[],
  surroundings: Surroundings = {},
): Promise<T> {
  const { code, stdout, stderr } = await waxwing([...args, '--json'], surroundings);
  if (code !== 0) throw new Error(`waxwing ${args.join(' ')} ended with ${code}: ${stderr}`);
  return JSON.parse(stdout) as T;
}
