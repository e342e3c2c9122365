/**
 * Creates `window.waxwing` for a page: one function for each procedure and nothing more general, for every transport.
 */
import type { Bridge, EventName } from './contract.ts';
import type { Answer } from './failure.ts';
import { eventNames, procedureNames } from './names.ts';

export interface PageBridge {
  /** The bridge for the page; frozen. */
  bridge: Bridge;
  /** Passes an event to its listeners. */
  emit(event: EventName, payload: unknown): void;
}

/** Creates the bridge of a page. `call` sends one call to the host; the page has no access to it. */
export function makePageBridge(call: (name: string, input: unknown) => Promise<Answer<unknown>>): PageBridge {
  const listeners = new Map(eventNames.map((name) => [name, new Set<(payload: never) => void>()]));
  const calls = procedureNames.map((name) => [name, (input: unknown) => call(name, input)]);
  const bridge: Bridge = Object.freeze({
    calls: Object.freeze(Object.fromEntries(calls)),
    on(event, listener) {
      const known = listeners.get(event);
      if (!known) throw new Error('no such event');
      known.add(listener);
      return () => known.delete(listener);
    },
  } satisfies Bridge);
  return {
    bridge,
    emit(event, payload) {
      // The type of `on` matches each listener to its event; a map of listeners cannot express that.
      for (const listener of listeners.get(event) ?? []) listener(payload as never);
    },
  };
}
