/** The slices of a thread: processor time from one turn of its event loop to the next, and the share of garbage collection. */
import { PerformanceObserver } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';

/** The goal for a slice of the engine's thread, in milliseconds. */
export const LONGEST_SLICE = 15;

export interface Slice {
  /** Processor time of the thread, in milliseconds. */
  processor: number;
  /** Garbage collection in it, in milliseconds of the clock. */
  gc: number;
  /** Its beginning, as of `performance.now()`. */
  at: number;
}

const nothing = new Int32Array(new SharedArrayBuffer(4));

/** Linux adds the processor time of a running thread to its account at each tick, of 4 ms, and when it waits. */
function yieldProcessor(): void {
  Atomics.wait(nothing, 0, 0, 0.001);
}

/** Watches the thread by a timer of a millisecond: shorter slices are counted together with their neighbours. */
export class SliceWatch {
  readonly #slices: (Slice & { end: number })[] = [];
  readonly #collections: { at: number; duration: number }[] = [];
  readonly #observer: PerformanceObserver;
  readonly #timer: NodeJS.Timeout;

  constructor() {
    this.#observer = new PerformanceObserver((list) => {
      for (const { startTime, duration } of list.getEntries())
        this.#collections.push({ at: startTime, duration });
    });
    this.#observer.observe({ entryTypes: ['gc'] });
    let [at, used] = [performance.now(), process.threadCpuUsage()];
    this.#timer = setInterval(() => {
      yieldProcessor();
      const { user, system } = process.threadCpuUsage(used);
      const end = performance.now();
      const processor = (user + system) / 1000;
      // Shorter ones do not matter, and would need memory.
      if (processor > 2) this.#slices.push({ processor, gc: 0, at, end });
      [at, used] = [end, process.threadCpuUsage()];
    }, 1);
  }

  /** Ends the watch. */
  async end(): Promise<{ longest: Slice; overGoal: number }> {
    clearInterval(this.#timer);
    // Entries of collections arrive later.
    await pause(20);
    this.#observer.disconnect();
    for (const slice of this.#slices)
      for (const { at, duration } of this.#collections)
        if (at >= slice.at && at < slice.end) slice.gc += duration;
    const slices = this.#slices.toSorted((one, other) => other.processor - one.processor);
    const [longest = { processor: 0, gc: 0, at: 0 }] = slices;
    return {
      longest: { processor: longest.processor, gc: longest.gc, at: longest.at },
      overGoal: slices.filter(({ processor }) => processor > LONGEST_SLICE).length,
    };
  }
}
