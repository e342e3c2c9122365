/**
 * Ann, who has written to Dora, on a relay that lies to her. They use the clock of this process, which the test can
 * advance.
 */
import { expect, vi } from 'vitest';
import { ClockedEngine } from '../clocked-engine.ts';
import { newPerson, type Person } from '../person.ts';
import { type Target, targetOf } from './forgery.ts';
import { newApp, newProgram, type Party } from './parties.ts';
import { HostileRelay } from './proxy.ts';

/** Both kinds of clients of Ann. With the random value of this engine, the app does delayed work at once. */
export const CLOCKED_PARTIES = [
  ['the app', (relay: HostileRelay) => newApp(relay, 'ann', new ClockedEngine(relay.url))],
  ['a program on the library', (relay: HostileRelay) => newProgram(relay, 'ann')],
] as const;

/** Starts the relay. Its end restores the machine's clock. */
export async function startClocked(): Promise<HostileRelay> {
  vi.useFakeTimers({ toFake: ['Date'], shouldAdvanceTime: true, now: Date.now() });
  const hostile = await HostileRelay.start();
  hostile.use({ [Symbol.asyncDispose]: async () => void vi.useRealTimers() });
  return hostile;
}

export function moveClock(milliseconds: number): void {
  vi.setSystemTime(Date.now() + milliseconds);
}

export interface Acquaintance {
  hostile: HostileRelay;
  ann: Party;
  /** Ann has written to her, which is Ann's number 1. */
  dora: Person;
  /** Ann's device. */
  target: Target;
}

export async function newAcquaintance(
  newAnn: (relay: HostileRelay) => Promise<Party>,
): Promise<Acquaintance> {
  const hostile = await startClocked();
  const ann = await newAnn(hostile);
  const dora = await newPerson(hostile.relay);
  expect(await ann.write(dora.address, 'hello Dora')).toMatchObject({ state: 'sent' });
  return { hostile, ann, dora, target: await targetOf(hostile, dora.token, ann.address) };
}
