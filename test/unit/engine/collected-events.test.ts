import { expect, test } from 'vitest';
import type { Later } from '../../../src/base/backoff.ts';
import { CollectedEvents } from '../../../src/engine/collected-events.ts';
import { callEngine } from '../../support/engine.ts';
import { LocalEngine } from '../../support/local-engine.ts';

function open() {
  const emitted: unknown[][] = [];
  let timers: (() => void)[] = [];
  const events = new CollectedEvents(
    (name, payload) => void emitted.push([name, payload]),
    (_, call) => {
      timers.push(call);
      return () => {
        timers = timers.filter((each) => each !== call);
      };
    },
  );
  const pass = () => {
    for (const call of timers.splice(0)) call();
  };
  return { events, emitted, pass, timers: () => timers.length };
}

const people = (...addresses: string[]) => ['people.changed', { addresses }];
const groups = (...conversationIds: string[]) => ['groups.changed', { conversationIds }];

test('a single change is emitted at once, and changes after it together', () => {
  const { events, emitted, pass, timers } = open();
  events.emit('people.changed', { addresses: ['a'] });
  expect(emitted).toEqual([people('a')]);
  for (const address of ['b', 'c', 'b', 'a']) events.emit('people.changed', { addresses: [address] });
  events.emit('groups.changed', { conversationIds: ['1'] });
  expect(emitted.splice(0)).toEqual([people('a'), groups('1')]);
  pass();
  expect(emitted.splice(0)).toEqual([people('b', 'c', 'a')]);
  events.emit('people.changed', { addresses: ['d'] });
  expect(emitted).toEqual([]);
  pass();
  expect(emitted.splice(0)).toEqual([people('d')]);
  pass();
  expect(timers()).toBe(0);
  events.emit('people.changed', { addresses: ['e'] });
  expect(emitted).toEqual([people('e')]);
});

test('other events are emitted at once, each alone', () => {
  const { events, emitted } = open();
  for (const conversationId of ['1', '2']) events.emit('messages.changed', { conversationId });
  expect(emitted).toHaveLength(2);
});

test('a close emits the rest and leaves no timer', () => {
  const { events, emitted, timers } = open();
  for (const address of ['a', 'b', 'c']) events.emit('people.changed', { addresses: [address] });
  events.close();
  expect(emitted.splice(0)).toEqual([people('a'), people('b', 'c')]);
  expect(timers()).toBe(0);
  events.emit('people.changed', { addresses: ['d'] });
  expect(emitted).toEqual([people('d')]);
  expect(timers()).toBe(0);
});

test('an engine emits collected events at the end of each call', async () => {
  class StoppedEngine extends LocalEngine {
    protected override get surroundings() {
      const later: Later = () => () => undefined;
      return { now: () => Date.now(), random: () => 0, later };
    }
  }
  const engine = await new StoppedEngine('http://127.0.0.1:9').start();
  const emitted: unknown[] = [];
  engine.handle.onEvent((name, payload) => name === 'people.changed' && emitted.push(payload));
  const address = (digit: number) => `0x${String(digit).repeat(40)}`;
  for (const digit of [1, 2, 3]) {
    await callEngine(engine, 'people.setNickname', { address: address(digit), nickname: 'Annie' });
    await new Promise(setImmediate);
    expect(emitted).toHaveLength(digit);
  }
  await engine[Symbol.asyncDispose]();
});
