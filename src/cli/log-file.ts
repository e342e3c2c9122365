/** A relay's log file for external rotation: moved away, and reopened on a signal. */
import { closeSync, openSync, writeSync } from 'node:fs';

/** Lines contain networks and ids of credentials. */
const FILE_MODE = 0o600;

export class LogFile {
  readonly #path: string;
  readonly #describeLost: (count: number) => string;
  #fd: number;
  #lost = 0;
  #isLineBroken = false;

  /**
   * @param describeLost the line about the number of lost lines
   * @throws Error of the system if the file cannot be opened
   */
  constructor(path: string, describeLost: (count: number) => string) {
    this.#path = path;
    this.#describeLost = describeLost;
    this.#fd = openSync(path, 'a', FILE_MODE);
  }

  /**
   * Writes a line. If the disk is full, the line is lost, and reported with the next one: the relay continues.
   * @param line including its line break
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
   * Continues in a new file if this one was moved away.
   * @throws Error of the system if it cannot be opened: then the old one remains in use
   */
  reopen(): void {
    const next = openSync(this.#path, 'a', FILE_MODE);
    closeSync(this.#fd);
    this.#fd = next;
    this.#isLineBroken = false;
  }
}
