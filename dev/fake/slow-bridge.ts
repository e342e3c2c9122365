import type { Bridge, EventName, EventPayload } from '../../src/bridge/contract.ts';
import type { Emit } from './contract.ts';

/** Milliseconds of most delays, and of one in twenty. */
const MOST = 400;
const RARE = 2000;

/**
 * A bridge on a busy machine. Calls arrive late, and so do answers and events, each in the order in which they were sent. The delays
 * follow from the seed and the order of the calls.
 */
export function slowBridge(bridge: Bridge & { emit: Emit }, seed: number): Bridge & { emit: Emit } {
  const random = numbers(seed);
  const delay = () =>
    new Promise<void>((resolve) => setTimeout(resolve, (random() < 0.05 ? RARE : MOST) * random()));
  const inOrder = () => {
    let last = Promise.resolve();
    return () => {
      const time = delay();
      last = last.then(() => time);
      return last;
    };
  };
  const arrival = inOrder();
  const departure = inOrder();
  // Events of one turn leave together.
  let ofTurn: Promise<void> | null = null;
  const eventDeparture = () => {
    ofTurn ??= departure();
    queueMicrotask(() => {
      ofTurn = null;
    });
    return ofTurn;
  };
  const calls = Object.entries(bridge.calls).map(([name, call]) => [
    name,
    async (input: unknown) => {
      const sent = structuredClone(input);
      await arrival();
      const answer = await (call as (input: unknown) => Promise<unknown>)(sent);
      await departure();
      return answer;
    },
  ]);
  return {
    emit: bridge.emit,
    calls: Object.freeze(Object.fromEntries(calls)),
    on<E extends EventName>(event: E, listener: (payload: EventPayload<E>) => void) {
      let isOn = true;
      const stop = bridge.on(event, async (payload) => {
        // Opens the chat of a scene, which a person finds open.
        if (event !== 'navigate.conversation') await eventDeparture();
        if (isOn) listener(payload);
      });
      return () => {
        isOn = false;
        stop();
      };
    },
  };
}

/** Numbers from 0 to 1 that follow from a seed (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
