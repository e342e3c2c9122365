/** The command line's long-running commands as separate processes, operated as people do. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { NO_KEY_STORE } from '../../support/secret-service.ts';

const ENTRY = fileURLToPath(new URL('../../../src/cli/waxwing.ts', import.meta.url));
const CHEAP_PASSPHRASES = ['--import', new URL('../../support/cheap-scrypt.ts', import.meta.url).href];

/** Passphrase of every app for which a test sets no other. */
export const PASSPHRASE = 'nobody guesses this one';

/** A process of `waxwing` that prints a line with its URL when it is ready. */
export class WaxwingProcess {
  readonly #child: ChildProcess;
  readonly #lines: string[] = [];
  #isClosed = false;
  #onLine: () => void = () => undefined;

  /**
   * @param nodeOptions options of Node itself. With none, a passphrase has its real cost.
   * @param environment more variables; a passphrase is set unless this changes it
   */
  constructor(
    args: string[],
    nodeOptions: string[] = args[0] === 'serve' ? CHEAP_PASSPHRASES : [],
    environment: Record<string, string> = { WAXWING_PASSPHRASE: PASSPHRASE },
  ) {
    const all = [...nodeOptions, ENTRY, ...args];
    const env = { ...process.env, ...NO_KEY_STORE, WAXWING_LOG: 'off', ...environment };
    this.#child = spawn(process.execPath, all, { stdio: ['pipe', 'pipe', 'pipe'], env });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      if (!stream) continue;
      createInterface({ input: stream }).on('line', (line) => {
        this.#lines.push(line);
        this.#onLine();
      });
    }
    this.#child.once('exit', () => this.#onLine());
    this.#child.once('close', () => {
      this.#isClosed = true;
    });
  }

  /** The output so far. */
  get output(): string {
    return this.#lines.join('\n');
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  /** Waits until it has ended by itself and its whole output was read. */
  async end(): Promise<void> {
    if (!this.#isClosed) await once(this.#child, 'close');
  }

  /** The exit code; null while it runs, or if a signal ended it. */
  get exitCode(): number | null {
    return this.#child.exitCode;
  }

  /**
   * The first URL printed after line `from`.
   * @throws Error with the output if the process ends before
   */
  url(from = 0): Promise<string> {
    return this.printed(/http:\/\/127\.0\.0\.1:\d+[^\s"]*/, from);
  }

  /**
   * The first match of `pattern` in all output after line `from`.
   * @throws Error with the output if the process ends before
   */
  async printed(pattern: RegExp, from = 0): Promise<string> {
    for (;;) {
      const found = this.#lines.slice(from).join('\n').match(pattern);
      if (found) return found[0];
      if (this.#child.exitCode !== null) throw new Error(`waxwing ended:\n${this.output}`);
      await new Promise<void>((resolve) => {
        this.#onLine = resolve;
      });
    }
  }

  /** Asks the browser host for another link, as a person does: with Enter. */
  async newLink(): Promise<string> {
    const from = this.#lines.length;
    this.#child.stdin?.write('\n');
    return this.url(from);
  }

  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const gone = once(this.#child, 'close');
    this.#child.kill(signal);
    await gone;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }
}
