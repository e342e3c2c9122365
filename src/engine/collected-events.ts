/** Events that name the changed items, collected while they follow each other quickly: each one makes a page query again. */
import type { Later } from '../base/backoff.ts';
import type { EventName, EventPayload } from '../bridge/contract.ts';

type Emit = <E extends EventName>(name: E, payload: EventPayload<E>) => void;

/** Time in which further changes are collected, in milliseconds. */
const INTERVAL = 100;

/** Collects the ids of one event: the first change is emitted at once, later ones together at the end of an interval. */
class Changes {
  readonly #emit: (ids: string[]) => void;
  readonly #later: Later;
  readonly #collected = new Set<string>();
  #cancel: (() => void) | null = null;

  constructor(emit: (ids: string[]) => void, later: Later) {
    this.#emit = emit;
    this.#later = later;
  }

  add(ids: readonly string[]): void {
    for (const id of ids) this.#collected.add(id);
    if (this.#cancel === null) this.#next();
  }

  /** Emits the rest. Later changes are emitted at once again. */
  flush(): void {
    this.#cancel?.();
    this.#cancel = null;
    const ids = [...this.#collected];
    this.#collected.clear();
    if (ids.length > 0) this.#emit(ids);
  }

  #next(): void {
    this.flush();
    this.#cancel = this.#later(INTERVAL, () => {
      if (this.#collected.size > 0) this.#next();
      else this.#cancel = null;
    });
  }
}

export class CollectedEvents {
  readonly #emit: Emit;
  readonly #people: Changes;
  readonly #groups: Changes;
  #isClosed = false;

  constructor(emit: Emit, later: Later) {
    this.#emit = emit;
    this.#people = new Changes((addresses) => emit('people.changed', { addresses }), later);
    this.#groups = new Changes((conversationIds) => emit('groups.changed', { conversationIds }), later);
  }

  /** Emits an event at once, or as part of a later one of its name. */
  emit: Emit = (name, payload) => {
    const changes = this.#changesOf(name, payload);
    if (changes === null || this.#isClosed) this.#emit(name, payload);
    else changes.of.add(changes.ids);
  };

  /** Emits the rest now. */
  flush(): void {
    this.#people.flush();
    this.#groups.flush();
  }

  /** Emits the rest, and all later events at once: no timer is left. */
  close(): void {
    this.#isClosed = true;
    this.flush();
  }

  #changesOf<E extends EventName>(
    name: E,
    payload: EventPayload<E>,
  ): { of: Changes; ids: readonly string[] } | null {
    if (name === 'people.changed')
      return { of: this.#people, ids: (payload as EventPayload<'people.changed'>).addresses };
    if (name === 'groups.changed')
      return { of: this.#groups, ids: (payload as EventPayload<'groups.changed'>).conversationIds };
    return null;
  }
}
