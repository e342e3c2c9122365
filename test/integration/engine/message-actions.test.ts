/**
 * Actions on messages, between two people, one of them with two devices, and in a group: separate engines on a real
 * relay.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Message } from '../../../src/bridge/shapes/message.ts';
import { startRelay } from '../../../src/relay/index.ts';
import {
  callEngine,
  eventually,
  linkEngines,
  openChat,
  setUp,
  type TestEngine,
  temporaryFolder,
} from '../../support/engine.ts';
import { LocalEngine } from '../../support/local-engine.ts';
import { ROOMY_RATES } from '../../support/rates.ts';

const folder = temporaryFolder();
let relay: Awaited<ReturnType<typeof startRelay>>;
const engines: TestEngine[] = [];
let ann: TestEngine;
let desktop: TestEngine;
let ben: TestEngine;

async function newEngine(): Promise<TestEngine> {
  const engine = await new LocalEngine(relay.url).start();
  engines.push(engine);
  return engine;
}

beforeAll(async () => {
  relay = await startRelay({ dataDirectory: folder.path, limits: { rates: ROOMY_RATES } });
  ann = await newEngine();
  desktop = await newEngine();
  ben = await newEngine();
  await setUp(ann, 'ann');
  await linkEngines(ann, desktop);
  await setUp(ben, 'ben');
  const chat = await openChat(ann, 'ben');
  await callEngine(ann, 'messages.send', { conversationId: chat.id, text: 'hello' });
  const request = await eventually(
    () => callEngine(ben, 'conversations.list', {}),
    (all) => all.length === 1,
  );
  await callEngine(ben, 'conversations.accept', { id: request[0]?.id ?? '' });
});
afterAll(async () => {
  await Promise.all(engines.map((engine) => engine[Symbol.asyncDispose]()));
  await relay.close();
  folder[Symbol.dispose]();
});

/** The conversation between Ann and Ben, or the group, on a device. */
async function chatOf(engine: TestEngine, kind: 'direct' | 'group' = 'direct'): Promise<string> {
  const all = await callEngine(engine, 'conversations.list', {});
  return all.find((each) => each.kind === kind)?.id ?? '';
}

async function timeline(engine: TestEngine, kind: 'direct' | 'group' = 'direct'): Promise<Message[]> {
  const conversationId = await chatOf(engine, kind);
  if (conversationId === '') return [];
  return (await callEngine(engine, 'messages.list', { conversationId, limit: 200 })).messages;
}

/** A message by its first text, once a device has it in the expected form. */
function seen(
  engine: TestEngine,
  matches: (message: Message) => boolean,
  kind: 'direct' | 'group' = 'direct',
): Promise<Message> {
  return eventually(
    async () => (await timeline(engine, kind)).find(matches),
    (message) => message !== undefined,
  ) as Promise<Message>;
}

/** Sends a text, and waits until the others have it. */
async function sendText(
  from: TestEngine,
  text: string,
  kind: 'direct' | 'group' = 'direct',
): Promise<Message> {
  const { id } = await callEngine(from, 'messages.send', { conversationId: await chatOf(from, kind), text });
  for (const engine of engines) await seen(engine, (each) => each.text === text, kind);
  return seen(from, (each) => each.id === id && each.state === 'sent', kind);
}

test('a reply shows its target on all devices, also after an edit or deletion', async () => {
  const question = await sendText(ben, 'Can we meet at four?');
  const here = await seen(ann, ({ text }) => text === question.text);
  const conversationId = await chatOf(ann);
  await callEngine(ann, 'messages.send', { conversationId, text: 'Yes', replyTo: here.id });
  for (const engine of engines) {
    const reply = await seen(engine, ({ text }) => text === 'Yes');
    expect(reply.replyTo).toMatchObject({
      is: 'here',
      author: { handle: 'ben' },
      summary: { text: question.text },
    });
  }
  await callEngine(ben, 'messages.edit', { id: question.id, text: 'Can we meet at five?' });
  for (const engine of engines)
    await seen(engine, ({ replyTo }) => replyTo?.summary?.text === 'Can we meet at five?');
  await callEngine(ben, 'messages.delete', { ids: [question.id], forEveryone: true });
  for (const engine of engines) {
    const reply = await seen(engine, ({ replyTo }) => replyTo?.is === 'deleted');
    expect(reply.replyTo?.summary, 'nothing of the words is left in the quote').toBeNull();
    expect(await seen(engine, ({ kind }) => kind === 'deleted')).toMatchObject({ text: '', reactions: [] });
  }
});

test('an answer marks a chat as read on all own devices', async () => {
  const own = [ann, desktop];
  const stateOf = async (engine: TestEngine) =>
    callEngine(engine, 'conversations.get', { id: await chatOf(engine) });
  await sendText(ben, 'Are you there?');
  await sendText(ben, 'Hello?');
  for (const engine of own)
    expect(await stateOf(engine)).toMatchObject({ unread: expect.toSatisfy((count) => count >= 2) });
  await callEngine(desktop, 'conversations.markUnread', { id: await chatOf(desktop), from: null });
  await sendText(desktop, 'I am here now');
  for (const engine of own) {
    await eventually(
      () => stateOf(engine),
      ({ unread, markedUnread }) => unread === 0 && !markedUnread,
    );
    expect((await stateOf(engine)).firstUnreadId).toBeNull();
  }
});

test('an answer in a notification leaves messages unread that came after it', async () => {
  const conversationId = await chatOf(desktop);
  await sendText(ben, 'In the notification');
  await sendText(ben, 'After it');
  const [shown, later] = await Promise.all(
    ['In the notification', 'After it'].map((words) => seen(desktop, ({ text }) => text === words)),
  );
  await callEngine(desktop, 'messages.send', { conversationId, text: 'Yes', readUpTo: shown?.id ?? '' });
  expect(await callEngine(desktop, 'conversations.get', { id: conversationId })).toMatchObject({
    unread: 1,
    firstUnreadId: later?.id,
  });
});

test('reactions agree on all devices; removing them leaves nothing', async () => {
  const cake = await sendText(ann, 'There is cake');
  const atBen = await seen(ben, ({ text }) => text === cake.text);
  await callEngine(ben, 'messages.react', { id: atBen.id, emoji: ['🎂', '👍'] });
  await callEngine(ann, 'messages.react', { id: cake.id, emoji: ['👍'] });
  const all = (message: Message) =>
    message.text === cake.text &&
    message.reactions.map(({ emoji, count }) => emoji + count).join() === '👍2,🎂1';
  for (const engine of engines) {
    const { reactions } = await seen(engine, all);
    expect(reactions[0]?.isMine).toBe(true);
    expect(reactions[0]?.people.map(({ handle }) => handle).sort()).toEqual(['ann', 'ben']);
  }
  const atDesktop = await seen(desktop, all);
  await callEngine(desktop, 'messages.react', { id: atDesktop.id, emoji: [] });
  await callEngine(ben, 'messages.react', { id: atBen.id, emoji: [] });
  for (const engine of engines)
    await seen(engine, ({ text, reactions }) => text === cake.text && reactions.length === 0);
});

test('an edit reads the same everywhere, and all texts stay readable', async () => {
  const first = await sendText(ann, 'tpyo');
  await callEngine(ann, 'messages.edit', { id: first.id, text: 'typo' });
  const atDesktop = await seen(desktop, ({ text }) => text === 'typo');
  await callEngine(desktop, 'messages.edit', { id: atDesktop.id, text: 'no typo' });
  for (const engine of engines) {
    const { id, editedAt } = await seen(engine, ({ text }) => text === 'no typo');
    expect(editedAt).not.toBeNull();
    const versions = await callEngine(engine, 'messages.versions', { id });
    expect(versions.map(({ text }) => text)).toEqual(['tpyo', 'typo', 'no typo']);
  }
  const atBen = await seen(ben, ({ text }) => text === 'no typo');
  await expect(callEngine(ben, 'messages.edit', { id: atBen.id, text: 'mine' })).rejects.toMatchObject({
    code: 'message_not_yours',
  });
  const [chat] = await callEngine(ben, 'conversations.list', {});
  expect(chat?.last?.summary.text).toBe('no typo');
});

test('offline messages can be edited or deleted, and all of it arrives', async () => {
  const before = await sendText(ben, 'before the outage');
  const atAnn = await seen(ann, ({ text }) => text === before.text);
  const { port } = relay;
  await relay.close();
  const conversationId = await chatOf(ann);
  await callEngine(ann, 'messages.react', { id: atAnn.id, emoji: ['👋'] });
  const reply = { conversationId, text: 'writen offline', replyTo: atAnn.id };
  const written = await callEngine(ann, 'messages.send', reply);
  expect(written.can).toMatchObject({ edit: true, refer: false });
  await callEngine(ann, 'messages.edit', { id: written.id, text: 'written offline' });
  const regretted = await callEngine(ann, 'messages.send', { conversationId, text: 'regretted' });
  await callEngine(ann, 'messages.delete', { ids: [regretted.id], forEveryone: true });
  await ann.close();
  relay = await startRelay({ dataDirectory: folder.path, port, limits: { rates: ROOMY_RATES } });
  await ann.start();
  for (const engine of [desktop, ben]) await callEngine(engine, 'connection.retry', {});
  for (const engine of engines) {
    const arrived = await seen(engine, ({ text }) => text === 'written offline');
    expect(arrived).toMatchObject({ editedAt: null, replyTo: { is: 'here' } });
    await seen(engine, ({ reactions }) => reactions.some(({ emoji }) => emoji === '👋'));
    expect((await timeline(engine)).some(({ text }) => text === 'regretted')).toBe(false);
  }
});

test('a pin is shown to both, and either can remove it', async () => {
  const pin = await sendText(ben, 'The address is Mill Lane 4');
  const atAnn = await seen(ann, ({ text }) => text === pin.text);
  await callEngine(ann, 'messages.pin', { id: atAnn.id, pinned: true });
  for (const engine of engines) {
    await seen(engine, ({ text, pinned }) => text === pin.text && pinned);
    const all = await callEngine(engine, 'messages.pinned', { conversationId: await chatOf(engine) });
    expect(all.map(({ text }) => text)).toEqual([pin.text]);
  }
  await callEngine(ben, 'messages.pin', { id: pin.id, pinned: false });
  for (const engine of engines) await seen(engine, ({ text, pinned }) => text === pin.text && !pinned);
});

test('a page around a message has it in the middle; deleting for oneself affects no one else', async () => {
  const words = ['one', 'two', 'three', 'four', 'five', 'six', 'seven'];
  const spoken: Message[] = [];
  for (const word of words) spoken.push(await sendText(ann, `Step ${word}`));
  const all = await timeline(ann);
  const middle = all[Math.floor(all.length / 2)];
  const conversationId = await chatOf(ann);
  const page = { conversationId, around: middle?.id ?? '', limit: 5 };
  const { messages, hasOlder, hasNewer } = await callEngine(ann, 'messages.list', page);
  expect([messages.length, messages[2]?.id, hasOlder, hasNewer]).toEqual([5, middle?.id, true, true]);

  const secret = await sendText(ben, 'not for my laptop');
  const atAnn = await seen(ann, ({ text }) => text === secret.text);
  await callEngine(ann, 'messages.delete', { ids: [atAnn.id], forEveryone: false });
  expect((await timeline(ann)).some(({ text }) => text === secret.text)).toBe(false);
  expect((await timeline(desktop)).some(({ text }) => text === secret.text)).toBe(true);
  const [step] = spoken;
  const atBen = await seen(ben, ({ text }) => text === step?.text);
  await expect(
    callEngine(ben, 'messages.delete', { ids: [atBen.id], forEveryone: true }),
  ).rejects.toMatchObject({ code: 'message_not_yours' });
});

test('in a group the owner erases messages of others; mentions and forwarded texts arrive as such', async () => {
  const join = { mode: 'open' } as const;
  const created = await callEngine(ann, 'groups.create', { name: 'Hikers', description: '', join });
  if (created.kind !== 'group') throw new Error('no group');
  await callEngine(ben, 'groups.join', { groupId: created.group.groupId, password: null });
  const rude = await sendText(ben, 'something rude', 'group');
  const atAnn = await seen(ann, ({ text }) => text === rude.text, 'group');
  expect([rude.can.pin, atAnn.can.pin, atAnn.can.edit]).toEqual([false, true, false]);
  await callEngine(ann, 'messages.delete', { ids: [atAnn.id], forEveryone: true });
  for (const engine of engines)
    expect(await seen(engine, ({ kind }) => kind === 'deleted', 'group')).toMatchObject({
      deletedBy: { handle: 'ann' },
    });

  const { address } = atAnn.author;
  const mention = { from: 5, to: 9, address };
  const text = 'Ähm: @ben!';
  const conversationId = await chatOf(ann, 'group');
  const atBens = { id: await chatOf(ben, 'group') };
  await callEngine(ben, 'conversations.setMuted', { ...atBens, until: 'always' });
  const arrived = ben.next('message.arrived');
  await callEngine(ann, 'messages.send', { conversationId, text: 'Nobody is named here' });
  const stranger = { from: 0, to: 3, address: `0x${'5'.repeat(40)}` };
  const bens = await callEngine(ann, 'conversations.mentionable', { id: conversationId, text: 'BE' });
  expect(bens.map(({ handle }) => handle)).toEqual(['ben']);
  const all = await callEngine(ann, 'conversations.mentionable', { id: conversationId, text: '' });
  expect(all.map(({ handle }) => handle)).toEqual(['ben', 'ann']);
  await callEngine(ann, 'messages.send', { conversationId, text, mentions: [stranger, mention] });
  // In a muted chat only the mention notifies.
  expect(await arrived).toMatchObject({ summary: { text }, mentionsMe: true, muted: true });
  const unread = async () => (await callEngine(ben, 'conversations.get', atBens)).unreadMentions;
  expect(await unread()).toBe(1);
  const { id: upTo } = await seen(ben, (each) => each.text === text, 'group');
  await callEngine(ben, 'conversations.markRead', { ...atBens, upTo });
  expect(await unread()).toBe(0);
  const question = await sendText(ann, 'Is the path dry?');
  const reply = { conversationId: await chatOf(ann), text: 'It is', replyTo: question.id };
  const answer = await callEngine(ann, 'messages.send', reply);
  await seen(ann, ({ id, state }) => id === answer.id && state === 'sent');
  await callEngine(ann, 'messages.forward', { ids: [answer.id], to: [conversationId] });
  for (const engine of engines) {
    const named = await seen(engine, (each) => each.text === text, 'group');
    expect(named.mentions).toMatchObject([{ from: 5, to: 9, person: { handle: 'ben' } }]);
    expect(await seen(engine, (each) => each.text === reply.text, 'group')).toMatchObject({
      forwarded: true,
      replyTo: null,
    });
  }

  // A handle that was typed, and not chosen from the list, mentions as well.
  const typed = await callEngine(ann, 'messages.send', { conversationId, text: 'And @ben?' });
  expect(typed.mentions).toMatchObject([{ from: 4, to: 8, person: { handle: 'ben' } }]);
  await seen(ben, (each) => each.text === 'And @ben?' && each.mentions.length === 1, 'group');
  const corrected = await callEngine(ann, 'messages.edit', { id: typed.id, text: 'Or @ben?' });
  expect(corrected.mentions).toMatchObject([{ from: 3, to: 7, person: { handle: 'ben' } }]);

  // People who left cannot be mentioned; earlier mentions stay.
  await callEngine(ben, 'groups.leave', { conversationId: atBens.id });
  const { members } = await callEngine(ann, 'groups.details', { conversationId });
  expect(members.map(({ person }) => person.handle)).toEqual(['ann']);
  const late = await callEngine(ann, 'messages.send', { conversationId, text, mentions: [mention] });
  expect(late.mentions).toEqual([]);
  const { id } = await seen(ann, (each) => each.text === text && each.mentions.length > 0, 'group');
  const edit = { id, text: `Oh, ${text}`, mentions: [{ from: 9, to: 13, address }] };
  const edited = await callEngine(ann, 'messages.edit', edit);
  expect(edited.mentions).toMatchObject([{ from: 9, to: 13, person: { handle: 'ben' } }]);
});

test('a long text is sent in parts, also when offline: once, in order', async () => {
  const question = await sendText(ben, 'Tell me all of it');
  const { id: replyTo, author } = await seen(ann, ({ text }) => text === question.text);
  const { port } = relay;
  await relay.close();
  const conversationId = await chatOf(ann);
  // The last space that fits into the first part is inside the mention.
  const before = `${'word '.repeat(3_274)}Ähm `;
  const text = `${before}@Ben Bold did it. ${'word '.repeat(4_000)}The end`;
  const mention = { from: before.length, to: before.length + 9, address: author.address };
  const send = { conversationId, text, replyTo, mentions: [mention] };
  await expect(callEngine(ann, 'messages.send', send)).rejects.toMatchObject({ code: 'message_too_long' });
  await callEngine(ann, 'messages.send', { ...send, inParts: true });
  const draftOf = async () => {
    const { draft, draftMentions } = await callEngine(ann, 'conversations.get', { id: conversationId });
    return [draft, draftMentions];
  };
  expect(await draftOf()).toEqual(['', []]);
  const named = { from: 3, to: 7, address: author.address };
  const outside = { from: 8, to: 40, address: author.address };
  await callEngine(ann, 'conversations.saveDraft', {
    ...{ id: conversationId, text: 'Hi @ben ', mentions: [named, outside] },
  });
  await ann.close();
  relay = await startRelay({ dataDirectory: folder.path, port, limits: { rates: ROOMY_RATES } });
  await ann.start();
  expect(await draftOf()).toEqual(['Hi @ben ', [named]]);
  for (const engine of [desktop, ben]) await callEngine(engine, 'connection.retry', {});
  for (const engine of engines) {
    await seen(engine, (each) => each.text.endsWith('The end'));
    const parts = (await timeline(engine)).filter((each) => each.text.includes('word word'));
    expect(parts.map((each) => each.text).join(' ')).toBe(text);
    expect(parts).toHaveLength(3);
    expect(parts.map((each) => each.replyTo?.is ?? null)).toEqual(['here', null, null]);
    expect(parts.map((each) => each.mentions.length)).toEqual([0, 1, 0]);
    expect(parts[1]?.mentions).toMatchObject([{ from: 0, to: 9, person: { handle: 'ben' } }]);
  }
});
