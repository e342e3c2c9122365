/**
 * The file of a relay's log, which something else rotates: moved away, and opened anew when the relay is told to.
 */
import { closeSync, openSync, writeSync } from 'node:fs';

/** Lines name networks and ids of credentials. */
const FILE_MODE = 0o600;

export class LogFile {
  readonly #path: string;
  readonly #describeLost: (count: number) => string;
  #fd: number;
  #lost = 0;
  #isLineBroken = false;

  /**
   * @param describeLost the line that tells how many were lost
   * @throws Error of the system if the file cannot be opened
   */
  constructor(path: string, describeLost: (count: number) => string) {
    this.#path = path;
    this.#describeLost = describeLost;
    this.#fd = openSync(path, 'a', FILE_MODE);
  }

  /**
   * Writes a line. One that the disk does not take is lost, and told of when it takes the next: a relay whose log is full goes on.
   * @param line with its end
   */
  write(line: string): void {
    const lost = this.#lost === 0 ? '' : this.#describeLost(this.#lost);
    const bytes = Buffer.from(`${this.#isLineBroken ? '\n' : ''}${lost}${line}`);
    let written = 0;
    try {
      while (written < bytes.length) written += writeSync(this.#fd, bytes, written);
      this.#lost = 0;
      this.#isLineBroken = false;
    } catch {
      this.#lost++;
      this.#isLineBroken ||= written > 0;
    }
  }

  /**
   * Goes on in a new file if this one was moved away.
   * @throws Error of the system if it cannot be opened: then it goes on in the one that it has
   */
  reopen(): void {
    const next = openSync(this.#path, 'a', FILE_MODE);
    closeSync(this.#fd);
    this.#fd = next;
    this.#isLineBroken = false;
  }
}
