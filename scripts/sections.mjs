/**
 * The outputs of suites that run side by side, each printed as a whole: that of the first suite while it runs, and that of
 * each later one once those before it have ended.
 */
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** Milliseconds between two reads of a growing file. */
const LOOK = 300;

export class Sections {
  /** Names of those that are not printed completely. */
  #waiting;
  #folder;
  /** The file of each that has begun, by its name; closed once it is printed. */
  #files = new Map();
  #ended = new Set();
  #looks;
  #put;

  /**
   * @param {readonly string[]} names in the order in which they are printed
   * @param {string | null} folder of the files in which outputs wait; null to print all at once, for suites that run one by one
   * @param {(part: string | Buffer) => void} put where they are printed
   */
  constructor(names, folder, put = (part) => process.stdout.write(part)) {
    this.#put = put;
    this.#waiting = [...names];
    this.#folder = folder;
  }

  /** @param {string} name */
  begin(name) {
    if (this.#folder !== null) {
      const path = join(this.#folder, `${name}.output`);
      this.#files.set(name, { written: openSync(path, 'a'), read: openSync(path, 'r') });
      this.#looks ??= setInterval(() => this.#print(), LOOK);
    }
    this.write(name, `\n${name}\n`);
  }

  /**
   * @param {string} name
   * @param {string} text
   */
  write(name, text) {
    if (this.#folder === null) this.#put(text);
    else writeSync(this.#files.get(name).written, text);
  }

  /**
   * The stdio of a program of a suite.
   * @param {string} name
   * @returns {import('node:child_process').StdioOptions}
   */
  stdio(name) {
    if (this.#folder === null) return 'inherit';
    const { written } = this.#files.get(name);
    return ['inherit', written, written];
  }

  /** @param {string} name */
  end(name) {
    this.#ended.add(name);
    if (this.#folder !== null) this.#print();
  }

  /** Prints the rest. Some suites may not have begun, if the run was stopped. */
  close() {
    clearInterval(this.#looks);
    this.#waiting = this.#waiting.filter((name) => this.#files.has(name));
    for (const name of this.#waiting) this.#ended.add(name);
    this.#print();
  }

  #print() {
    while (this.#waiting.length > 0) {
      const [name] = this.#waiting;
      const file = this.#files.get(name);
      if (file === undefined) return;
      // Before the look: what was written until then is seen.
      const isComplete = this.#ended.has(name);
      for (let part = nextPart(file.read); part.length > 0; part = nextPart(file.read)) this.#put(part);
      if (!isComplete) return;
      closeSync(file.read);
      closeSync(file.written);
      this.#waiting.shift();
    }
  }
}

/** The part of a file after the last one that was read; empty at its end. */
function nextPart(file) {
  const part = Buffer.alloc(65_536);
  return part.subarray(0, readSync(file, part));
}
