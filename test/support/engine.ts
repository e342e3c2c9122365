/**
 * Engines for tests: real worker threads in folders of their own, called by the names of the bridge contract.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { failureFrom } from '../../src/base/failure.ts';
import type { EventName, EventPayload, Input, Output, ProcedureName } from '../../src/bridge/contract.ts';
import type { Conversation } from '../../src/bridge/shapes/conversation.ts';
import type { Message } from '../../src/bridge/shapes/message.ts';
import { type EngineHandle, startEngine } from '../../src/engine/start.ts';
import { WAIT_LIMIT } from './limits.ts';

/** A folder that is deleted at the end of the test. */
export function temporaryFolder(below = tmpdir()): Disposable & { path: string } {
  const path = mkdtempSync(join(below, 'waxwing-test-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** A callable of the bridge contract: an engine in this process, or in another. */
export interface Callable {
  call(name: string, input: unknown): Promise<unknown>;
}

/** Calls a procedure and unwraps its answer. */
export async function callEngine<P extends ProcedureName>(
  engine: Callable,
  name: P,
  input: Input<P>,
): Promise<Output<P>> {
  const answer = (await engine.call(name, input)) as Awaited<ReturnType<EngineHandle['call']>>;
  if (!answer.ok) throw failureFrom(answer.failure);
  return answer.value as Output<P>;
}

/**
 * An engine of one person, in its own thread, that can be closed and started again with the same data. To start one
 * needs half a second of a processor: where the thread is not under test, use a `LocalEngine`.
 */
export class TestEngine implements Callable {
  readonly folder = temporaryFolder();
  readonly key = randomBytes(32);
  readonly relays: { embedded: string | null; fixed: string | null };
  #handle: EngineHandle | null = null;

  constructor(relayUrl: string) {
    this.relays = { embedded: null, fixed: relayUrl };
  }

  get handle(): EngineHandle {
    if (!this.#handle) throw new Error('this engine is not running');
    return this.#handle;
  }

  async start(): Promise<this> {
    this.#handle = await this.open();
    return this;
  }

  protected open(): Promise<EngineHandle> {
    return startEngine({ dataDirectory: this.folder.path, databaseKey: this.key, relays: this.relays });
  }

  async close(): Promise<void> {
    await this.#handle?.close();
    this.#handle = null;
  }

  call(name: string, input: unknown): Promise<unknown> {
    return this.handle.call(name, input);
  }

  /** The next event of a name whose payload matches. */
  next<E extends EventName>(
    name: E,
    matches: (payload: EventPayload<E>) => boolean = () => true,
  ): Promise<EventPayload<E>> {
    const { promise, resolve } = Promise.withResolvers<EventPayload<E>>();
    const stop = this.handle.onEvent((event, payload) => {
      if (event !== name || !matches(payload as EventPayload<E>)) return;
      stop();
      resolve(payload as EventPayload<E>);
    });
    return promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
    this.folder[Symbol.dispose]();
  }
}

/** Sets up a new identity with a handle. */
export async function setUp(engine: Callable, handle: string): Promise<Output<'profile.save'>> {
  return (await setUpWithPhrase(engine, handle)).me;
}

/** The same, for a test that types the recovery phrase somewhere, or names another relay. */
export async function setUpWithPhrase(
  engine: Callable,
  handle: string,
  relay: Input<'setup.finish'>['relay'] = { kind: 'embedded' },
): Promise<{ me: Output<'profile.save'>; phrase: string }> {
  const { words, places } = await callEngine(engine, 'setup.newPhrase', {});
  const answers = places.map((place) => words[place - 1] ?? '');
  const identity = { kind: 'new' as const, answers };
  await callEngine(engine, 'setup.finish', { relay, identity });
  const me = await callEngine(engine, 'profile.save', { handle, displayName: handle });
  return { me, phrase: words.join(' ') };
}

/**
 * Links a computer that is not set up yet with one that is.
 * @param options secret: the recovery phrase, where the old computer does not keep it
 */
export async function linkEngines(
  old: Callable,
  fresh: Callable,
  { secret, withHistory = false }: { secret?: string; withHistory?: boolean } = {},
): Promise<Output<'setup.finish'>> {
  const relay = { kind: 'embedded' as const };
  const { code } = await callEngine(fresh, 'setup.startLink', { relay });
  const proof = { passphrase: null, ...(secret !== undefined && { secret }) };
  await callEngine(old, 'devices.link', { code, withHistory, ...proof });
  const { offer } = await callEngine(fresh, 'setup.findOffer', {});
  const identity = { kind: 'link' as const, address: offer?.address ?? '' };
  return callEngine(fresh, 'setup.finish', { relay, identity });
}

export async function openChat(engine: Callable, handle: string): Promise<Conversation> {
  const person = await callEngine(engine, 'people.resolve', { query: `@${handle}` });
  return callEngine(engine, 'conversations.open', { address: person.address });
}

/** All messages of the only conversation, oldest first; empty if there is none. */
export async function allMessages(engine: Callable): Promise<Message[]> {
  const [conversation] = await callEngine(engine, 'conversations.list', {});
  if (!conversation) return [];
  const page = { conversationId: conversation.id, limit: 200 };
  return (await callEngine(engine, 'messages.list', page)).messages;
}

/** The real timers: tests stop the timers of the program. */
const { setTimeout: later } = globalThis;
/** Milliseconds between two tries. */
const PAUSE = 50;

/**
 * Repeats a query until an answer matches.
 * @throws Error with the last answer, where a test would be ended soon because it hangs
 */
export async function eventually<T>(query: () => Promise<T>, matches: (answer: T) => boolean): Promise<T> {
  let answer = await query();
  for (let tries = 1; !matches(answer); tries++) {
    if (tries * PAUSE > WAIT_LIMIT) throw new Error(`still not so: ${JSON.stringify(answer)}`);
    await new Promise((resolve) => later(resolve, PAUSE));
    answer = await query();
  }
  return answer;
}
