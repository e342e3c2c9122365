/**
 * @echo, the newcomer's first contact: an engine of its own that answers whatever it is sent.
 */
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Input, Output, ProcedureName } from '../bridge/contract.ts';
import type { Conversation, Message } from '../bridge/shapes.ts';
import { openCache } from '../engine/cache/database.ts';
import { Engine } from '../engine/engine.ts';

const PAGE = 100;

export interface EchoOptions {
  dataDirectory: string;
  relayUrl: string;
  sealingWorker: URL;
}

/** Starts @echo, registering it at the relay the first time. */
export async function startEcho(options: EchoOptions): Promise<{ close(): Promise<void> }> {
  const { dataDirectory, relayUrl, sealingWorker } = options;
  mkdirSync(dataDirectory, { recursive: true, mode: 0o700 });
  const db = openCache(dataDirectory, readOrMakeKey(join(dataDirectory, 'key')));
  let answering = Promise.resolve();
  const answer = () => {
    // What fails is tried again with the next message, or at the next start.
    answering = answering.then(() => answerAll(engine)).catch(() => undefined);
  };
  const engine = new Engine(db, { sealingWorker, relays: { embedded: relayUrl, fixed: null } }, (name) => {
    if (name === 'message.arrived') answer();
  });
  try {
    await setUp(engine);
  } catch (error) {
    await engine.close();
    throw error;
  }
  // What came in while nobody answered, because the process ended between receiving and answering.
  answer();
  return {
    async close() {
      await answering;
      await engine.close();
    },
  };
}

/** The key of @echo's cache. It guards nothing of the person's: a file beside the cache is enough. */
function readOrMakeKey(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch {
    const key = randomBytes(32);
    writeFileSync(path, key, { mode: 0o600, flag: 'wx', flush: true });
    return key;
  }
}

async function setUp(engine: Engine): Promise<void> {
  const { phase } = await call(engine, 'app.state', {});
  if (phase === 'new') {
    const { words, ask } = await call(engine, 'setup.newPhrase', {});
    const answers = ask.map((place) => words[place - 1] ?? '');
    await call(engine, 'setup.finish', { relay: { kind: 'embedded' }, identity: { kind: 'new', answers } });
  }
  if (phase !== 'ready') await call(engine, 'profile.save', { handle: 'echo', displayName: 'Echo' });
}

/** Answers every message that was not answered yet. A message counts as read once its answer is queued. */
async function answerAll(engine: Engine): Promise<void> {
  for (;;) {
    const unanswered = (await call(engine, 'conversations.list', {})).filter(({ unread }) => unread > 0);
    if (unanswered.length === 0) return;
    for (const conversation of unanswered) await answerConversation(engine, conversation);
  }
}

async function answerConversation(engine: Engine, { id, state, firstUnreadId }: Conversation): Promise<void> {
  if (state === 'request') await call(engine, 'conversations.accept', { id });
  const after = String(Number(firstUnreadId) - 1);
  const before = firstUnreadId ?? '';
  const earlier = await call(engine, 'messages.list', { conversationId: id, before, limit: 1 });
  const { messages } = await call(engine, 'messages.list', { conversationId: id, after, limit: PAGE });
  let isFirst = earlier.messages.length === 0;
  for (const message of messages.filter((each) => each.state === 'received')) {
    await call(engine, 'messages.send', { conversationId: id, text: answerTo(message, isFirst) });
    await call(engine, 'conversations.markRead', { id, upTo: message.id });
    isFirst = false;
  }
}

function answerTo(message: Message, isFirst: boolean): string {
  const text = message.kind === 'text' ? message.text : 'I can only repeat text.';
  if (!isFirst) return text;
  return [
    'Hello! Your message came sealed: the relay carried it and could not read it, and only my device could open it.',
    'I am a program on your own computer, and I repeat what you write. You wrote:',
    '',
    text,
  ].join('\n');
}

async function call<P extends ProcedureName>(engine: Engine, name: P, input: Input<P>): Promise<Output<P>> {
  const answer = await engine.call(name, input);
  if (!answer.ok) throw new Error(answer.failure.sentence);
  return answer.value as Output<P>;
}
