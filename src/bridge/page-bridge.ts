/**
 * What a page gets as `window.waxwing`: one function for each procedure and nothing more general, whatever carries it.
 */
import type { Bridge, EventName } from './contract.ts';
import type { Answer } from './failure.ts';
import { eventNames, procedureNames } from './names.ts';

export interface PageBridge {
  /** For the page; frozen. */
  bridge: Bridge;
  /** Tells an event to anyone who listens to it. */
  emit(event: EventName, payload: unknown): void;
}

/** Makes the bridge of a page. `call` carries one call to the host; the page does not get it. */
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
      // What a listener takes is held to its event by the type of `on`, which a map of them cannot say.
      for (const listener of listeners.get(event) ?? []) listener(payload as never);
    },
  };
}
