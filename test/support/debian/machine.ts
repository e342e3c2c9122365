/**
 * A Debian server for the commands of docs/operations.md: this system, whose files change for the test alone, with a
 * network and processes of its own, Debian's PostgreSQL, and the npm package. Its end removes all of that.
 */
import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { findProgram } from '../front.ts';

const root = realpathSync(fileURLToPath(new URL('../../..', import.meta.url)));
/** Namespaces of a machine; processes in them end with their first process. */
const OWN = ['--mount', '--net', '--pid', '--fork', '--kill-child', '--mount-proc'];
/** The PostgreSQL of Debian 12, whose folders the page names. */
const VERSION = '15';

/** The reason why no machine can be created here; null if one can. */
export function missingForMachine(): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'only root on Linux can make one';
  const programs = ['unshare', 'ip', 'pg_createcluster', 'systemd-sysusers', 'openssl'];
  const missing = programs.find((name) => findProgram(name) === null);
  if (missing !== undefined) return `there is no ${missing} here`;
  if (!existsSync(`/usr/lib/postgresql/${VERSION}/bin/postgres`))
    return `there is no PostgreSQL ${VERSION} here`;
  const { status } = spawnSync('unshare', [...OWN, 'mount', '-t', 'tmpfs', 'none', '/mnt']);
  return status === 0 ? null : 'this system gives a process no files of its own';
}

/**
 * Runs the variable `block`, and prints each of its commands that fails. Commands have no input. A failure within a
 * pipe counts, too.
 */
const BEGINNING = `exec 2>&1
set -o pipefail -o errtrace
trap 'failed="$failed$BASH_COMMAND ended with $?; "' ERR
`;

/** A machine with one root shell, which keeps its variables between calls. */
export class DebianMachine implements AsyncDisposable {
  readonly #bash: ChildProcessByStdio<Writable, Readable, null>;
  readonly #lines: AsyncIterator<string>;
  readonly #tarball: string;

  /** @param tarball the npm package */
  constructor(tarball: string) {
    this.#tarball = tarball;
    const folders = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'];
    this.#bash = spawn('unshare', [...OWN, 'bash', '--noprofile', '--norc'], {
      cwd: root,
      env: { PATH: [...folders, dirname(process.execPath)].join(':'), HOME: '/root', LANG: 'C.UTF-8' },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#lines = createInterface({ input: this.#bash.stdout })[Symbol.asyncIterator]();
  }

  async start(): Promise<this> {
    this.#bash.stdin.write(BEGINNING);
    const variables = {
      VERSION,
      PACKAGE: this.#tarball,
      NODE_MODULES: realpathSync(join(root, 'node_modules')),
      TOOLS: join(root, 'test/support/debian'),
    };
    for (const [name, value] of Object.entries(variables)) await this.run(`${name}='${value}'`);
    await this.run('export VERSION PACKAGE NODE_MODULES TOOLS; bash "$TOOLS/boot.sh"');
    return this;
  }

  /**
   * Runs commands as root, one after the other.
   * @returns their output
   * @throws Error if one of them fails
   */
  async run(commands: string): Promise<string> {
    const end = randomUUID();
    const block = Buffer.from(commands).toString('base64');
    this.#bash.stdin.write(
      `block=$(base64 -d <<< ${block}); failed=; eval "$block" < /dev/null; echo "${end}$failed"\n`,
    );
    const printed = [];
    for (;;) {
      const { value: line, done } = await this.#lines.next();
      if (done) throw new Error(`The machine ended.\n${commands}\n${printed.join('\n')}`);
      const at = line.indexOf(end);
      if (at < 0) printed.push(line);
      else {
        if (at > 0) printed.push(line.slice(0, at));
        const failed = line.slice(at + end.length);
        if (failed === '') return printed.join('\n');
        throw new Error(`${failed}\n${commands}\n${printed.join('\n')}`);
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#bash.exitCode !== null || this.#bash.signalCode !== null) return;
    this.#bash.kill('SIGKILL');
    await once(this.#bash, 'exit');
  }
}
