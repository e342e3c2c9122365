/**
 * The thread of steps.ts: loads a module while V8 counts, and answers each text with the steps of its function.
 *
 * V8 counts how often each block of the code is run. Reads of a native search are not counted: characters that
 * `indexOf` and regular expressions pass are counted beside it.
 */
import { Session } from 'node:inspector';
import { parentPort, workerData } from 'node:worker_threads';

interface Block {
  count: number;
}

type Native = (this: unknown, ...values: never[]) => unknown;

const { module, name, folder } = workerData as { module: string; name: string; folder: string };
const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
const work = ((await import(module)) as Record<string, (text: string) => unknown>)[name];
if (!work || !parentPort) throw new Error(`${module} has no ${name}, or this is no thread`);
// A first run, so that the following counts exclude compilation.
work('');
readBlocks();

const port = parentPort;
port.on('message', (text: string) => port.postMessage(stepsFor(text)));

function stepsFor(text: string): number {
  let characters = 0;
  const restore = watchSearches((passed) => {
    characters += passed;
  });
  try {
    work?.(text);
  } finally {
    restore();
  }
  return characters + readBlocks();
}

/** Blocks that were run since the last call. */
function readBlocks(): number {
  let blocks = 0;
  session.post('Profiler.takePreciseCoverage', (error, coverage) => {
    if (error) throw error;
    for (const { url, functions } of coverage.result) {
      if (!url.startsWith(folder)) continue;
      for (const { ranges } of functions) blocks += ranges.reduce((sum, { count }: Block) => sum + count, 0);
    }
  });
  return blocks;
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
