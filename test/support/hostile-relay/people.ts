/**
 * Honest people with real engines on a relay that lies to them.
 */
import type { Conversation, GroupConversation } from '../../../src/bridge/shapes/conversation.ts';
import type { Message } from '../../../src/bridge/shapes/message.ts';
import { callEngine, eventually, setUp, type TestEngine } from '../engine.ts';
import { LocalEngine } from '../local-engine.ts';
import type { HostileRelay } from './proxy.ts';

/** A person with an engine, and their addresses and keys. */
export interface Honest<E extends TestEngine = TestEngine> {
  engine: E;
  /** Wire form. */
  address: string;
  handle: string;
}

/** A person who signs up with an engine, which closes with the relay. */
export function newHonest(hostile: HostileRelay, handle: string): Promise<Honest>;
export function newHonest<E extends TestEngine>(
  hostile: HostileRelay,
  handle: string,
  engine: E,
): Promise<Honest<E>>;
export async function newHonest(
  hostile: HostileRelay,
  handle: string,
  engine: TestEngine = new LocalEngine(hostile.url),
): Promise<Honest> {
  await hostile.use(engine).start();
  const { address } = await setUp(engine, handle);
  return { engine, address: address.toLowerCase(), handle };
}

/** Creates a group that anyone may join. */
export async function newGroup({ engine }: Honest, name: string): Promise<GroupConversation> {
  const made = await callEngine(engine, 'groups.create', { name, description: '', join: { mode: 'open' } });
  if (made.kind !== 'group') throw new Error('this is no group');
  return made;
}

export async function conversationWith(one: Honest, other: Honest): Promise<Conversation> {
  return callEngine(one.engine, 'conversations.open', { address: other.address });
}

/** Writes a message, and waits until it has its final state, or waits with a stated cause. */
export async function write(from: Honest, to: Honest, text: string): Promise<Message> {
  return writeIn(from, (await conversationWith(from, to)).id, text);
}

/** The same in another conversation, such as a group. */
export async function writeIn(from: Honest, conversationId: string, text: string): Promise<Message> {
  const { id } = await callEngine(from.engine, 'messages.send', { conversationId, text });
  const all = await eventually(
    () => messagesOf(from),
    (found) => found.some((each) => each.id === id && (each.state !== 'queued' || each.problem !== null)),
  );
  const message = all.find((each) => each.id === id);
  if (!message) throw new Error('a message that was just there is gone');
  return message;
}

/** All messages of all conversations, without events. */
export async function messagesOf({ engine }: Honest): Promise<Message[]> {
  const conversations = await callEngine(engine, 'conversations.list', {});
  const pages = await Promise.all(
    conversations.map(({ id }) => callEngine(engine, 'messages.list', { conversationId: id, limit: 200 })),
  );
  return pages.flatMap(({ messages }) => messages).filter(({ kind }) => kind !== 'event');
}

export async function textsOf(person: Honest): Promise<string[]> {
  return (await messagesOf(person)).map(({ text }) => text);
}

/** Polls the relay, as after a sleep, and waits until a text has arrived. */
export async function waitFor(person: Honest, text: string): Promise<Message[]> {
  await callEngine(person.engine, 'connection.retry', {});
  return eventually(
    () => messagesOf(person),
    (all) => all.some((message) => message.text === text),
  );
}
