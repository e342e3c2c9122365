/**
 * A program and the app do the same to messages: reply, react, edit, delete. The app is an engine; both use a real relay.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Message as Shown } from '../../../src/bridge/shapes/message.ts';
import { type Message, RelayClient } from '../../../src/client/index.ts';
import { type Bot, newBot, waiting } from '../../support/bots.ts';
import { callEngine, eventually, openChat, setUp, type TestEngine } from '../../support/engine.ts';
import { LocalEngine } from '../../support/local-engine.ts';
import { TestRelay } from '../../support/relay.ts';

const relay = new TestRelay();
let ann: TestEngine;
let bot: Bot;
let chat: string;
beforeAll(async () => {
  await relay.start();
  ann = await new LocalEngine(relay.url).start();
  await setUp(ann, 'acting_ann');
  bot = await newBot(relay, { handle: 'acting_bot' });
  chat = (await openChat(ann, 'acting_bot')).id;
});
afterAll(async () => {
  await ann[Symbol.asyncDispose]();
  await relay[Symbol.asyncDispose]();
});

/** A message of a chat in the app, once it matches. */
function shown(matches: (message: Shown) => boolean, conversationId = chat): Promise<Shown> {
  const list = () => callEngine(ann, 'messages.list', { conversationId, limit: 200 });
  return eventually(
    async () => (await list()).messages.find(matches),
    (message) => message !== undefined,
  ) as Promise<Shown>;
}

/** Messages of the app, as the program receives them. */
async function receivedText(text: string, replyTo?: string): Promise<Message> {
  await callEngine(ann, 'messages.send', { conversationId: chat, text, ...(replyTo && { replyTo }) });
  const [message] = await eventually(
    () => waiting(bot),
    (all) => all.length > 0,
  );
  if (!message) throw new Error('nothing came');
  return message;
}

test('a program replies with a quote, reacts, edits and deletes, and the app shows it', async () => {
  const question = await receivedText('Is the build green?');
  const answer = await bot.client.reply(question, 'Yes');
  await bot.client.react(question, ['👀']);
  await bot.client.react(question, ['✅', '🎉']);
  const here = await shown(({ text }) => text === 'Yes');
  expect(here.replyTo).toMatchObject({ is: 'here', summary: { text: 'Is the build green?' } });
  const answered = await shown(({ reactions }) => reactions.length === 2);
  expect(answered.text).toBe('Is the build green?');
  expect(answered.reactions.map(({ emoji }) => emoji)).toEqual(['✅', '🎉']);

  await bot.client.edit(answer, 'Nearly');
  // With the ref only, as a program does that has stored it.
  await bot.client.edit(answer.ref, 'No');
  expect((await shown(({ text }) => text === 'No')).id).toBe(here.id);
  expect((await callEngine(ann, 'messages.versions', { id: here.id })).map(({ text }) => text)).toEqual([
    'Yes',
    'Nearly',
    'No',
  ]);
  await bot.client.react(question, []);
  await bot.client.delete(answer);
  expect(await shown(({ kind }) => kind === 'deleted')).toMatchObject({ id: here.id, text: '' });
  expect((await shown(({ text }) => text === answered.text)).reactions).toEqual([]);
});

test('a program learns the target of a reply, and gets reactions, edits and deletions on request', async () => {
  const sent = await bot.client.send('@acting_ann', 'Deploy now?');
  const here = await shown(({ text }) => text === 'Deploy now?');
  const answer = await receivedText('Go', here.id);
  const target = { sender: bot.identity.address, id: sent.messageId, digest: sent.digest };
  expect(answer).toMatchObject({ text: 'Go', replyTo: target, control: null });

  await callEngine(ann, 'messages.react', { id: here.id, emoji: ['👍'] });
  const own = await shown(({ text, state }) => text === 'Go' && state === 'sent');
  await callEngine(ann, 'messages.edit', { id: own.id, text: 'Wait' });
  const received: Message[] = [];
  const hears = (controls: number) =>
    eventually(
      async () => received.push(...(await waiting(bot, { controls: true }))),
      () => received.filter(({ control }) => control).length === controls,
    );
  await hears(2);
  await callEngine(ann, 'messages.delete', { ids: [own.id], forEveryone: true });
  await hears(3);
  const { from: sender, id, digest } = answer;
  expect(received.flatMap(({ control }) => control ?? [])).toEqual([
    { kind: 'reaction', target, emoji: ['👍'] },
    { kind: 'edit', target: { sender, id, digest }, text: 'Wait' },
    { kind: 'delete', targets: [{ sender, id, digest }] },
  ]);
});

test('an action that everyone would refuse is refused before it is sent', async () => {
  const question = await receivedText('mine');
  const other = await newBot(relay);
  await waiting(other);
  const elsewhere = await bot.client.send(other.identity.address, 'elsewhere');
  const refused = (work: Promise<unknown>, code: string) => expect(work).rejects.toMatchObject({ code });
  await refused(bot.client.edit(question, 'yours'), 'message_not_yours');
  await refused(bot.client.delete(question), 'message_not_yours');
  await refused(bot.client.react(question, ['two words']), 'reaction_malformed');
  await refused(bot.client.react(question, ['1', '2', '3', '4', '5', '6']), 'reaction_malformed');
  await refused(bot.client.react(`${question.ref}AA`, ['👍']), 'message_ref_malformed');
  await refused(bot.client.send('@acting_ann', 'hm', { replyTo: elsewhere }), 'message_elsewhere');
  const key = new RelayClient({ relay: relay.url, secret: bot.identity.apiKey ?? '' });
  await refused(key.react(question, ['👍']), 'message_not_yours');
  key.close();
});

test('an API key and a bot of a group change their own messages', async () => {
  const key = new RelayClient({ relay: relay.url, secret: bot.identity.apiKey ?? '' });
  const unsigned = await key.send('@acting_ann', 'by key');
  await key.edit(unsigned, 'by key, mended');
  expect(await shown(({ text }) => text === 'by key, mended')).toMatchObject({ trust: 'api' });
  // A device of its owner signs for it.
  await bot.client.delete(unsigned);
  await shown(({ kind, trust }) => kind === 'deleted' && trust === 'api');
  key.close();

  const group = await bot.client.createGroup('Acting', { open: true });
  const { secret, botKey } = await bot.client.createBot(group.id, 'ci');
  const joined = await callEngine(ann, 'groups.join', { groupId: group.id, password: null });
  const ci = new RelayClient({ relay: relay.url, secret, botKey: botKey ?? '' });
  const post = await ci.sendToGroup(group.id, 'Build 1');
  await ci.edit(post, 'Build 1 is red');
  await ci.react(post, ['🔥']);
  const inGroup = String(joined.id);
  const red = await shown(({ text }) => text === 'Build 1 is red', inGroup);
  expect(red.bot).toMatchObject({ name: 'ci' });
  await shown(({ reactions }) => reactions.length === 1, inGroup);
  // The owner deletes messages of others.
  await callEngine(ann, 'messages.send', { conversationId: inGroup, text: 'off topic' });
  const [offTopic] = await eventually(
    async () => (await waiting(bot)).filter(({ text }) => text === 'off topic'),
    (all) => all.length > 0,
  );
  await expect(ci.delete(offTopic?.ref ?? '')).rejects.toMatchObject({ code: 'message_not_yours' });
  await bot.client.delete(offTopic?.ref ?? '');
  await shown(({ kind, deletedBy }) => kind === 'deleted' && deletedBy !== null, inGroup);
  ci.close();
});
