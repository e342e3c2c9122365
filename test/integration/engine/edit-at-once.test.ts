/**
 * An own message that is edited or deleted during its delivery: separate engines on a real relay.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Message } from '../../../src/bridge/shapes/message.ts';
import { startRelay } from '../../../src/relay/index.ts';
import { callEngine, eventually, openChat, setUp, temporaryFolder } from '../../support/engine.ts';
import { LocalEngine } from '../../support/local-engine.ts';
import { ROOMY_RATES } from '../../support/rates.ts';

/** Each can occur during another step of sealing. */
const ROUNDS = 4;

const folder = temporaryFolder();
let relay: Awaited<ReturnType<typeof startRelay>>;
let ann: LocalEngine;
let ben: LocalEngine;

beforeAll(async () => {
  relay = await startRelay({ dataDirectory: folder.path, limits: { rates: ROOMY_RATES } });
  ann = await new LocalEngine(relay.url).start();
  ben = await new LocalEngine(relay.url).start();
  await setUp(ann, 'ann');
  await setUp(ben, 'ben');
  await openChat(ann, 'ben');
  const join = { mode: 'open' } as const;
  const created = await callEngine(ann, 'groups.create', { name: 'Hikers', description: '', join });
  if (created.kind !== 'group') throw new Error('no group');
  await callEngine(ben, 'groups.join', { groupId: created.group.groupId, password: null });
});
afterAll(async () => {
  await Promise.all([ann, ben].map((engine) => engine[Symbol.asyncDispose]()));
  await relay.close();
  folder[Symbol.dispose]();
});

type Kind = 'direct' | 'group';

async function chatOf(engine: LocalEngine, kind: Kind): Promise<string | undefined> {
  const all = await callEngine(engine, 'conversations.list', {});
  return all.find((each) => each.kind === kind)?.id;
}

async function send(kind: Kind, text: string): Promise<Message> {
  return callEngine(ann, 'messages.send', { conversationId: (await chatOf(ann, kind)) ?? '', text });
}

async function written(engine: LocalEngine, kind: Kind): Promise<Message[]> {
  const conversationId = await chatOf(engine, kind);
  if (conversationId === undefined) return [];
  const { messages } = await callEngine(engine, 'messages.list', { conversationId, limit: 200 });
  return messages.filter((message) => message.kind === 'text');
}

async function textsOf(engine: LocalEngine, kind: Kind): Promise<string[]> {
  return (await written(engine, kind)).map(({ text }) => text);
}

test.for(['direct', 'group'] as const)('an edit in the tick of sending reaches others: %s', async (kind) => {
  const edited = Array.from({ length: ROUNDS }, (_, round) => `edited ${round}`);
  for (const text of edited) {
    const { id } = await send(kind, `first text: ${text}`);
    await callEngine(ann, 'messages.edit', { id, text });
    await eventually(
      () => textsOf(ben, kind),
      (texts) => texts.at(-1)?.endsWith(text) === true,
    );
  }
  for (const engine of [ann, ben]) expect(await textsOf(engine, kind)).toEqual(edited);
});

test.for(['direct', 'group'] as const)(
  'a message deleted in the tick of sending reaches no one: %s',
  async (kind) => {
    const { id } = await send(kind, 'regretted');
    await callEngine(ann, 'messages.delete', { ids: [id], forEveryone: true });
    const last = `after it, ${kind}`;
    await send(kind, last);
    await eventually(
      () => textsOf(ben, kind),
      (texts) => texts.includes(last),
    );
    for (const engine of [ann, ben]) expect(await textsOf(engine, kind)).not.toContain('regretted');
  },
);

test('an edit of a sealed message that is not accepted yet is refused with the reason', async () => {
  const { port } = relay;
  await relay.close();
  // The data of the group is fresh, so sealing needs no call.
  const { id } = await send('group', 'sealed offline');
  const own = async () => (await written(ann, 'group')).find((message) => message.id === id);
  await eventually(own, (message) => message?.can.edit === false);
  await expect(callEngine(ann, 'messages.edit', { id, text: 'edited' })).rejects.toMatchObject({
    code: 'message_underway',
  });
  relay = await startRelay({ dataDirectory: folder.path, port, limits: { rates: ROOMY_RATES } });
  for (const engine of [ann, ben]) await callEngine(engine, 'connection.retry', {});
  await eventually(own, (message) => message?.state === 'sent');
  await callEngine(ann, 'messages.edit', { id, text: 'edited after it was sent' });
  await eventually(
    () => textsOf(ben, 'group'),
    (texts) => texts.includes('edited after it was sent'),
  );
});
