/**
 * Relays with one fault each, which the check must find. A mutant changes the source while it is loaded; the relay's
 * files have no trace of it.
 */
import { registerHooks } from 'node:module';

/** A replacement of text in the relay's source, made while the file is loaded. */
export interface Change {
  /** Under src/relay. */
  file: string;
  from: string;
  to: string;
}

/** No fault: a relay prints this line when a sweep ends waits that no wake-up had ended. */
export const SWEPT = 'the sweep found mail';
const REPORTED_SWEEPS: Change = {
  file: 'delivery/waiters.ts',
  from: 'this.#wakeHere(await this.#store.findFilledQueues(queues.slice(start, start + SWEEP_BATCH)));',
  to: `const filled = await this.#store.findFilledQueues(queues.slice(start, start + SWEEP_BATCH));
        if (filled.some((queue) => this.#byQueue.has(queue))) console.log(${JSON.stringify(SWEPT)});
        this.#wakeHere(filled);`,
};

export const MUTANTS = {
  /** No replica sends wake-ups to the others. */
  'lost-hint': {
    file: 'store/postgres/wakeups.ts',
    from: 'await this.#primary.query(...this.#notification({ queues, credentials })).catch(() => undefined);',
    to: '',
  },
  /** Mail is confirmed first, and then committed. */
  'early-answer': {
    file: 'store/postgres/store.ts',
    from: `(requests: EnvelopesToAccept[]) =>
    transactions.writeInSnapshot((operations) => operations.acceptEnvelopes(requests));`,
    to: `async (requests) => {
      transactions.writeInSnapshot((operations) => operations.acceptEnvelopes(requests)).catch(() => undefined);
      return requests.map(({ envelopes, now }) =>
        envelopes.map(() => ({ status: 'accepted', acceptedAt: now, queues: [] })));
    };`,
  },
  /** Commits wait for no disk and no standby. */
  unsynced: {
    file: 'store/postgres/transactions.ts',
    from: "const COMMIT = 'COMMIT';",
    to: "const COMMIT = 'SET LOCAL synchronous_commit = off; COMMIT';",
  },
  /** A credential that was found once is never looked up again. */
  'kept-credential': {
    file: 'store/postgres/store.ts',
    from: 'async checkHealth() {',
    to: `findCredential: (() => {
      const kept = new Map();
      return async (digest, now) => {
        const key = digest.toString();
        const found = kept.get(key) ?? (await transactions.read((reads) => reads.findCredential(digest, now)));
        if (found) kept.set(key, found);
        return found;
      };
    })(),
    async checkHealth() {`,
  },
} satisfies Record<string, Change>;
export type Mutant = keyof typeof MUTANTS;

/** All changes of the source. */
export const CHANGES: readonly Change[] = [REPORTED_SWEEPS, ...Object.values(MUTANTS)];

/** Adds a fault to relays that are loaded from now on. @returns as {@link change} */
export const mutate = (name: Mutant): (() => void) => change(MUTANTS[name]);

/** A relay that is loaded from now on prints {@link SWEPT}. @returns as {@link change} */
export const reportSweeps = (): (() => void) => change(REPORTED_SWEEPS);

/** @returns fails if the source is no longer as the change expects, and nothing was changed */
function change({ file, from, to }: Change): () => void {
  const target = new URL(`../../../src/relay/${file}`, import.meta.url).href;
  let isDone = false;
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      if (url !== target) return loaded;
      const parts = String(loaded.source).split(from);
      isDone = parts.length === 2;
      return { ...loaded, source: parts.join(to) };
    },
  });
  return () => {
    if (!isDone) throw new Error(`${file} is not as a change of it expects: ${from}`);
  };
}
