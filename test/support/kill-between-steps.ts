/**
 * Kills the app, or a program on the library, between two steps of a message. Nothing may be lost or shown twice.
 */
import { expect } from 'vitest';
import { newMessageId } from '../../src/client/sealing.ts';
import { allMessages, callEngine, eventually, openChat, setUp } from './engine.ts';
import { KillableEngine, KillableProgram } from './killable-engine.ts';
import { LocalEngine } from './local-engine.ts';
import { CuttingProxy, type Exchange } from './proxy.ts';

/** A moment of an exchange with the relay. */
export type KillPlace = Pick<Exchange, 'path' | 'stage'>;

/** The exchanges with a relay that a message depends on, and whether the kill comes before or after the answer. */
export const PLACES: KillPlace[] = [
  { path: '/api/v1/envelopes', stage: 'before' },
  { path: '/api/v1/envelopes', stage: 'after' },
  { path: '/api/v1/inbox?', stage: 'after' },
  { path: '/api/v1/inbox/ack', stage: 'before' },
  { path: '/api/v1/inbox/ack', stage: 'after' },
];

/** The app or the program that is killed. */
export interface Victim extends AsyncDisposable {
  start(): Promise<unknown>;
  kill(): Promise<void>;
  /** Registers at the relay. */
  setUp(): Promise<{ deviceId: string }>;
  /** Writes to Ben; a kill may interrupt it. @returns its work after the next start */
  write(text: string): Promise<() => Promise<void>>;
  /** Received messages, in order. */
  received(): Promise<string[]>;
  /** True if nothing is left to be sent. */
  isDone(): Promise<boolean>;
}

export function app(relay: string): Victim {
  const engine = new KillableEngine(relay);
  return {
    start: () => engine.start(),
    kill: () => engine.kill(),
    setUp: () => setUp(engine, 'ann'),
    async write(text) {
      const { id } = await openChat(engine, 'ben');
      // The call has written its change, although its answer is lost. It continues by itself.
      await callEngine(engine, 'messages.send', { conversationId: id, text }).catch(() => undefined);
      return async () => undefined;
    },
    async received() {
      const messages = await allMessages(engine);
      return messages.filter(({ state }) => state === 'received').map(({ text }) => text);
    },
    async isDone() {
      const { queued, state } = await callEngine(engine, 'connection.get', {});
      return queued === 0 && state === 'online';
    },
    [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
  };
}

export function program(relay: string): Victim {
  const bot = new KillableProgram(relay, 'ann');
  const send = (to: string, text: string, messageId: string) => bot.call('send', { to, text, messageId });
  return {
    start: () => bot.start(),
    kill: () => bot.kill(),
    setUp: async () => (await bot.call('whoami', {})) as { deviceId: string },
    async write(text) {
      const messageId = newMessageId();
      await send('@ben', text, messageId).catch(() => undefined);
      // A program repeats unanswered calls, with the same id.
      return async () => {
        expect(await send('@ben', text, messageId)).toMatchObject({ messageId });
      };
    },
    received: async () => bot.received,
    isDone: async () => true,
    [Symbol.asyncDispose]: () => bot[Symbol.asyncDispose](),
  };
}

/**
 * Makes two people write to each other, and kills one of them at each place in turn.
 * @param newVictim starts the one who is killed at a relay's URL
 */
export async function killAtEach(
  places: readonly KillPlace[],
  newVictim: (relay: string) => Victim,
): Promise<void> {
  await using proxy = await CuttingProxy.withRelay();
  await using ann = newVictim(proxy.url);
  await using ben = await new LocalEngine(proxy.url).start();
  // Ben is recognized by his token: his calls are not cut.
  const others = new Set<string>();
  let place: KillPlace | null = null;
  let killed = Promise.withResolvers<void>();
  let isSetUp = false;
  proxy.cuts = ({ path, caller, stage }) => {
    if (!isSetUp) others.add(caller);
    if (place?.stage !== stage || !path.startsWith(place.path) || others.has(caller)) return false;
    place = null;
    void ann.kill().then(killed.resolve);
    return true;
  };
  await setUp(ben, 'ben');
  isSetUp = true;
  await ann.start();
  await ann.setUp();

  const toBen: string[] = [];
  const toAnn: string[] = [];
  const chat = await openChat(ben, 'ann');
  for (const next of places) {
    const text = `${next.stage} ${next.path}`;
    killed = Promise.withResolvers();
    place = next;
    let goOn = async () => {};
    if (next.path === '/api/v1/envelopes') {
      toBen.push(text);
      goOn = await ann.write(text);
    } else {
      toAnn.push(text);
      await callEngine(ben, 'messages.send', { conversationId: chat.id, text });
    }
    await killed.promise;
    await ann.start();
    await goOn();
    await eventually(ann.received, (texts) => texts.length >= toAnn.length);
    await eventually(
      () => allMessages(ben),
      (all) => all.length >= toBen.length + toAnn.length,
    );
  }

  await eventually(ann.isDone, (isDone) => isDone);
  expect(await ann.received()).toEqual(toAnn);
  const messages = await allMessages(ben);
  const from = (state: string) => messages.filter((each) => each.state === state).map(({ text }) => text);
  expect([from('received'), from('sent')]).toEqual([toBen, toAnn]);
}
