/**
 * Messages on the session bus of Linux, by dbus-monitor(1).
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from '@playwright/test';

export class BusMonitor implements AsyncDisposable {
  readonly #child: ChildProcess;
  #output = '';

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#output += text;
    });
  }

  /** Resolves once it listens, that is, after the bus has assigned its name. */
  static async start(match: string): Promise<BusMonitor> {
    const child = spawn('dbus-monitor', ['--session', match], { stdio: ['ignore', 'pipe', 'inherit'] });
    const monitor = new BusMonitor(child);
    await expect.poll(() => monitor.#output).toContain('NameAcquired');
    return monitor;
  }

  /** The strings of the received messages, in order. */
  get strings(): string[] {
    return [...this.#output.matchAll(/^ +string "(.*)"$/gm)].map(([, text = '']) => text);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill();
    await once(this.#child, 'exit');
  }
}
