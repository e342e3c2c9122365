/** A private Secret Service for a test: GNOME's keyring on a private message bus, both real. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { eventually, temporaryFolder } from './engine.ts';

const PROGRAMS = ['dbus-daemon', 'dbus-send', 'gnome-keyring-daemon'];

/** The environment of a program that must not find the key store of the person who runs the tests. */
export const NO_KEY_STORE = { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent' };

/** Reason why there is none here; null if there is one. */
export const noSecretService: string | null = (() => {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const missing = PROGRAMS.filter((name) => !folders.some((folder) => existsSync(join(folder, name))));
  return missing.length === 0 ? null : `There is no ${missing.join(' and no ')} here`;
})();

export class SecretService {
  readonly #folder = temporaryFolder();
  #bus: ChildProcess | null = null;
  #keyring: ChildProcess | null = null;
  #address = '';

  /** The environment for programs that use this service. */
  get environment(): Record<string, string> {
    return { DBUS_SESSION_BUS_ADDRESS: this.#address };
  }

  /**
   * Starts it, as a login does.
   * @param password opens the keyring, which is made at the first start; null without a login: it is locked
   */
  async start(password: string | null): Promise<this> {
    const { path } = this.#folder;
    const runtime = join(path, 'run');
    mkdirSync(runtime, { recursive: true, mode: 0o700 });
    // No display: a keyring that asks for its password gets no answer.
    const env = { PATH: process.env.PATH ?? '', HOME: path, XDG_RUNTIME_DIR: runtime };
    const bus = spawn('dbus-daemon', ['--session', '--nofork', '--nopidfile', '--print-address=1'], {
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    this.#bus = bus;
    const [address] = (await once(createInterface({ input: bus.stdout }), 'line')) as [string];
    this.#address = address;
    // A locked one is started by the bus, for the first program that asks.
    if (password === null) return this;
    const keyring = spawn('gnome-keyring-daemon', ['--foreground', '--components=secrets', '--unlock'], {
      env: { ...env, ...this.environment },
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    this.#keyring = keyring;
    keyring.stdin.end(password);
    await eventually(
      async () => this.#isThere(),
      (is) => is,
    );
    return this;
  }

  #isThere(): boolean {
    const bus = ['--print-reply', '--dest=org.freedesktop.DBus', '/org/freedesktop/DBus'];
    const question = ['org.freedesktop.DBus.NameHasOwner', 'string:org.freedesktop.secrets'];
    return execFileSync('dbus-send', [...bus, ...question], {
      env: { ...process.env, ...this.environment },
      encoding: 'utf8',
    }).includes('boolean true');
  }

  /** Ends it, as a logout does. Its data is on its disk. */
  async stop(): Promise<void> {
    for (const child of [this.#keyring, this.#bus]) {
      if (!child || child.exitCode !== null || child.signalCode !== null) continue;
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    }
    this.#keyring = null;
    this.#bus = null;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    this.#folder[Symbol.dispose]();
  }
}
