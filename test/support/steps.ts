/**
 * Counts what code does, so that growth shows as a number that is the same on every machine.
 *
 * The engine counts how often each block of the code is run. What a native search reads does not show there: characters that
 * `indexOf` and regular expressions pass are counted beside it.
 */
import { Session } from 'node:inspector';

interface Block {
  startOffset: number;
  endOffset: number;
  count: number;
}

type Native = (this: unknown, ...values: never[]) => unknown;

/**
 * The steps of some work: blocks of code that were run, and characters that were searched.
 * @param isCounted whether the code of a module counts, by its URL
 */
export function countSteps(isCounted: (url: string) => boolean, work: () => void): number {
  const session = new Session();
  session.connect();
  let steps = 0;
  const restore = watchSearches((characters) => {
    steps += characters;
  });
  try {
    session.post('Profiler.enable');
    session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
    work();
    session.post('Profiler.takePreciseCoverage', (error, coverage) => {
      if (error) throw error;
      for (const { url, functions } of coverage.result) {
        if (!isCounted(url)) continue;
        for (const { ranges } of functions) steps += ranges.reduce((sum, { count }: Block) => sum + count, 0);
      }
    });
    session.post('Profiler.stopPreciseCoverage');
  } finally {
    restore();
    session.disconnect();
  }
  return steps;
}

/** Reports how many characters each search of a text passes. @returns a function that ends it */
function watchSearches(report: (characters: number) => void): () => void {
  const exec = RegExp.prototype.exec;
  const indexOf = String.prototype.indexOf;
  const includes = String.prototype.includes;
  const split = String.prototype.split as Native;
  // Searches of their own kind go by `exec`: `test`, `matchAll`, `replace` and `split` by an expression.
  RegExp.prototype.exec = function (this: RegExp, text: string) {
    const from = this.global || this.sticky ? this.lastIndex : 0;
    const found = exec.call(this, text);
    const isFixed = this.sticky || this.source.startsWith('^');
    const end = found ? found.index + found[0].length : isFixed ? from : text.length;
    report(end - from);
    return found;
  };
  String.prototype.indexOf = function (this: string, wanted: string, from = 0) {
    const at = indexOf.call(this, wanted, from);
    report((at < 0 ? this.length : at) - from);
    return at;
  };
  String.prototype.includes = function (this: string, wanted: string, from = 0) {
    report((indexOf.call(this, wanted, from) + 1 || this.length) - from);
    return includes.call(this, wanted, from);
  };
  String.prototype.split = function (this: string, ...values: never[]) {
    report(this.length);
    return split.apply(this, values);
  } as typeof String.prototype.split;
  return () => {
    Object.assign(RegExp.prototype, { exec });
    Object.assign(String.prototype, { indexOf, includes, split });
  };
}
