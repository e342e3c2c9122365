/**
 * Whether the account is to end at the relay, or has ended there: the relay's word, as it was heard last since the start.
 */
import type { Deletion } from '../bridge/shapes.ts';
import type { Context } from './context.ts';

export class Standing {
  readonly #emit: Context['emit'];
  #deletion: Deletion | null = null;

  constructor({ emit }: Pick<Context, 'emit'>) {
    this.#emit = emit;
  }

  /** Null: the account stays. */
  get deletion(): Deletion | null {
    return this.#deletion;
  }

  /** @param at when the account ends, in milliseconds since 1970; null: it stays */
  endsAt(at: number | null): void {
    this.#set(at === null ? null : { kind: 'planned', at });
  }

  ended(): void {
    this.#set({ kind: 'done' });
  }

  #set(deletion: Deletion | null): void {
    if (JSON.stringify(deletion) === JSON.stringify(this.#deletion)) return;
    this.#deletion = deletion;
    this.#emit('app.changed', {});
  }
}
