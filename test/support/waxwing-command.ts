/**
 * The command line as a process of its own, away from what the computer's owner has set for it.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { eventually } from './engine.ts';
import { NO_KEY_STORE } from './secret-service.ts';

export const ENTRY = fileURLToPath(new URL('../../src/cli/waxwing.ts', import.meta.url));

export interface Outcome {
  code: number | null;
  said: string;
  complained: string;
}

export interface Surroundings {
  env?: Record<string, string>;
  /** What comes on standard input; nothing unless given. */
  input?: string | Uint8Array;
}

/** A command that is running. */
export class RunningCommand {
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #closed: Promise<unknown>;
  said = '';
  complained = '';

  constructor(args: string[], { env = {}, input = '' }: Surroundings = {}) {
    const inherited = Object.entries(process.env).filter(([name]) => !/^(?:WAXWING_|XDG_)/.test(name));
    // A place where there is no identity, one is not protected, and no log is kept, unless a test says otherwise.
    const home = {
      WAXWING_LOG: 'off',
      XDG_CONFIG_HOME: '/nonexistent',
      WAXWING_UNPROTECTED_KEY: '1',
      ...NO_KEY_STORE,
    };
    this.#child = spawn(process.execPath, [ENTRY, ...args], {
      env: { ...Object.fromEntries(inherited), ...home, ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.#closed = once(this.#child, 'close');
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.said += text;
    });
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.complained += text;
    });
    // A command that reads nothing may have ended before.
    this.#child.stdin.on('error', () => undefined).end(input);
  }

  /** Waits until its standard output fits. */
  async says(pattern: RegExp): Promise<void> {
    await eventually(
      async () => this.said,
      (said) => pattern.test(said),
    );
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Stops reading what it says, as `head` does. */
  stopReading(): void {
    this.#child.stdout.destroy();
  }

  /** Waits until it has ended by itself. */
  async end(): Promise<Outcome> {
    await this.#closed;
    return { code: this.#child.exitCode, said: this.said, complained: this.complained };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) this.#child.kill('SIGKILL');
    await this.#closed;
  }
}

/** Runs a command that ends by itself. */
export function waxwing(args: string[], surroundings: Surroundings = {}): Promise<Outcome> {
  return new RunningCommand(args, surroundings).end();
}

/** Runs a command that succeeds, with `--json`, and reads its answer. */
export async function answer<T = Record<string, unknown>>(
  args: string[],
  surroundings: Surroundings = {},
): Promise<T> {
  const { code, said, complained } = await waxwing([...args, '--json'], surroundings);
  if (code !== 0) throw new Error(`waxwing ${args.join(' ')} ended with ${code}: ${complained}`);
  return JSON.parse(said) as T;
}
