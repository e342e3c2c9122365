/**
 * Programs with disappearing messages: their replies, their posts into a group, and their events.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RelayClient } from '../../../src/client/index.ts';
import { type Bot, newBot, waiting } from '../../support/bots.ts';
import { TestRelay } from '../../support/relay.ts';

const relay = new TestRelay();
let ann: Bot;
let bob: Bot;
beforeAll(async () => {
  await relay.start();
  ann = await newBot(relay, { handle: 'gone_ann' });
  bob = await newBot(relay, { handle: 'gone_bob' });
});
afterAll(() => relay[Symbol.asyncDispose]());

test('an answer disappears like the message that it answers, also one by its ref alone', async () => {
  await ann.client.send('@gone_bob', 'one', { expires: 60 });
  await ann.client.send('@gone_bob', 'two');
  const [one, two] = await waiting(bob);
  expect([one?.expires, two?.expires]).toEqual([60, null]);
  if (!one || !two) throw new Error('nothing came');
  await bob.client.reply(one, 'to one');
  await bob.client.reply(two, 'to two');
  await bob.client.send('@gone_ann', 'once more', { replyTo: one.ref });
  const sent = await bob.client.send('@gone_ann', 'stays', { replyTo: one.ref, expires: 0 });
  await bob.client.edit(sent, 'stays on');
  const answers = await waiting(ann, { controls: true });
  expect(answers.map(({ body, expires }) => [body.text, expires])).toEqual([
    ['to one', 60],
    ['to two', null],
    ['once more', 60],
    ['stays', null],
    ['stays on', null],
  ]);
});

test('a post into a group disappears as its chain defines, with and without an identity', async () => {
  const group = await ann.client.createGroup('Gone', { open: true });
  await bob.client.joinGroup(group.id);
  expect((await ann.client.changeGroup(group.id, { timer: 3_600 })).timer).toBe(3_600);
  const { secret, botKey } = await ann.client.createBot(group.id, 'Builds');
  const poster = new RelayClient({ relay: relay.url, secret, ...(botKey !== null && { botKey }) });
  await poster.sendToGroup(group.id, 'built');
  await ann.client.sendToGroup(group.id, 'by Ann');
  await ann.client.sendToGroup(group.id, 'for good', { expires: 0 });
  poster.close();
  expect((await waiting(bob)).map(({ text, expires }) => [text, expires])).toEqual([
    ['built', 3_600],
    ['by Ann', 3_600],
    ['for good', null],
  ]);
});

test('an invalid lifetime is refused before anything is sent', async () => {
  for (const expires of [1, 29, 31_536_001, 60.5, -60])
    await expect(ann.client.send('@gone_bob', 'never', { expires })).rejects.toMatchObject({
      code: 'timer_malformed',
    });
  expect(await waiting(bob)).toEqual([]);
});
