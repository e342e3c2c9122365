import type { Bridge, EventName, EventPayload } from '../../src/bridge/contract.ts';
import { randomFrom } from '../random.ts';
import type { Emit } from './contract.ts';

/** Milliseconds of most delays, and of one in twenty. */
const MOST = 400;
const RARE = 2000;

/**
 * A bridge on a busy machine. Calls arrive late, and so do answers and events, each in the order in which they were sent. The delays
 * follow from the seed and the order of the calls.
 */
export function slowBridge(bridge: Bridge & { emit: Emit }, seed: number): Bridge & { emit: Emit } {
  const random = randomFrom(seed);
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
