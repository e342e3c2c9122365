/**
 * The result of a benchmark: printed as a table, and written as JSON for `npm run bench` (scripts/bench.mjs). Ratios count: each is
 * to something measured in the same run. Absolute figures are of one machine.
 */
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { median } from './process.ts';

/** A limit of a ratio or figure. */
export type Goal = { atLeast: number } | { atMost: number };

/** Values of the rounds of one run. */
interface Measured {
  name: string;
  /** Null for a ratio. */
  unit: string | null;
  values: readonly number[];
  goal: Goal | null;
  /** For the comparison with the last report. */
  isLessBetter: boolean;
}

/** Sizes of a run: those of the report, or those of a smoke test, which shows that the benchmark works. */
export const isSmoke = process.env.WAXWING_BENCH_SIZE === 'smoke';

/** A number of the command line at a place, or else the usual one for the size of the run. */
export function sizeOf(place: number, usual: number, smoke: number): number {
  const given = Number(process.argv[2 + place] ?? Number.NaN);
  if (Number.isFinite(given)) return given;
  return isSmoke ? smoke : usual;
}

/** Ratios of two measurements, round by round. */
export const ratios = (some: readonly number[], others: readonly number[]): number[] =>
  some.map((value, round) => value / (others[round] ?? Number.NaN));

export class Report {
  readonly #title: string;
  readonly #measured: Measured[] = [];
  readonly #notes: string[] = [];

  /** @param title one sentence about the comparison */
  constructor(title: string) {
    this.#title = title;
  }

  /** Adds a figure of this machine, as measured in each round. */
  figure(name: string, unit: string, values: readonly number[], goal: Goal | null = null): void {
    this.#add({ name, unit, values, goal, isLessBetter: isLimit(goal) });
  }

  /**
   * Adds a ratio to something measured in the same round.
   * @param goal its limit; without one, 'less' if less is better, or null if more is
   */
  ratio(name: string, values: readonly number[], goal: Goal | 'less' | null = null): void {
    const limit = goal === 'less' ? null : goal;
    this.#add({ name, unit: null, values, goal: limit, isLessBetter: goal === 'less' || isLimit(limit) });
  }

  /** Adds a sentence about the conditions of the run, which is printed below the results. */
  note(sentence: string): void {
    this.#notes.push(sentence);
  }

  /** Prints all results, and writes them to the file that WAXWING_BENCH_REPORT names. */
  finish(): void {
    const { WAXWING_BENCH_REPORT: file } = process.env;
    if (file !== undefined) {
      const measured = this.#measured.map(({ values, ...each }) => ({
        ...each,
        median: median([...values]),
        least: Math.min(...values),
        most: Math.max(...values),
      }));
      writeFileSync(file, JSON.stringify({ title: this.#title, measured }));
    }
    console.log(`${this.#title}\n${machine()}\n`);
    for (const { name, unit, values, goal } of this.#measured) {
      const spread =
        values.length > 1 ? `  (${shown(Math.min(...values))} to ${shown(Math.max(...values))})` : '';
      const limit = goal === null ? '' : `  goal: ${goalText(goal)}`;
      console.log(
        `${name}: ${shown(median([...values]))}${unit === null ? '' : ` ${unit}`}${spread}${limit}`,
      );
    }
    for (const note of this.#notes) console.log(`\n${note}`);
  }

  #add(measured: Measured): void {
    if (measured.values.length === 0 || measured.values.some((value) => !Number.isFinite(value)))
      throw new Error(`'${measured.name}' was not measured`);
    this.#measured.push(measured);
  }
}

function machine(): string {
  const cores = cpus();
  return `Node ${process.version}, OpenSSL ${process.versions.openssl}, ${cores.length} × ${cores[0]?.model ?? 'unknown processor'}`;
}

const isLimit = (goal: Goal | null) => goal !== null && 'atMost' in goal;

const goalText = (goal: Goal) => ('atLeast' in goal ? `at least ${goal.atLeast}` : `at most ${goal.atMost}`);

/** Three significant digits; whole numbers from 100. */
function shown(value: number): string {
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
