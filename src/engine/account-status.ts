/** Account status at the relay: active, ending, or ended. From the relay's last answer since the start. */
import type { Deletion } from '../bridge/shapes/account.ts';
import type { Context } from './context.ts';

export class AccountStatus {
  readonly #emit: Context['emit'];
  #deletion: Deletion | null = null;

  constructor({ emit }: Pick<Context, 'emit'>) {
    this.#emit = emit;
  }

  /** Null: the account is not ending. */
  get deletion(): Deletion | null {
    return this.#deletion;
  }

  /** @param at end of the account, in milliseconds since 1970; null: it is not ending */
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
