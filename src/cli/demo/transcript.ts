/** Output of the demonstration: line by line for a person, or all at once as JSON. */
import { print, printJson } from '../printing.ts';

interface Line {
  section: string;
  what: string;
  outcome: string;
}

export class Transcript {
  readonly #asJson: boolean;
  readonly #lines: Line[] = [];
  #section = 'The cast';
  #number = 0;

  constructor(asJson: boolean) {
    this.#asJson = asJson;
  }

  async heading(text: string): Promise<void> {
    this.#section = text;
    if (!this.#asJson) await print(`\n${text}`);
  }

  async line(what: string, outcome: string): Promise<void> {
    this.#lines.push({ section: this.#section, what, outcome });
    if (!this.#asJson) await print(`      ${what.padEnd(34)} ${outcome}`);
  }

  /** One of the numbered steps of the specification's typical client flow. */
  async step(what: string, outcome: string): Promise<void> {
    this.#number++;
    this.#lines.push({ section: this.#section, what, outcome });
    if (!this.#asJson) await print(`  ${this.#number}   ${what.padEnd(34)} ${outcome}`);
  }

  async end(text: string): Promise<void> {
    await (this.#asJson ? printJson({ ok: true, steps: this.#lines }) : print(`\n${text}`));
  }
}
