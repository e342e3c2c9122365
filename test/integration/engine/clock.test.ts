import { afterAll, beforeAll, expect, test } from 'vitest';
import { newBot, waitingTexts } from '../../support/bots.ts';
import { callEngine, eventually } from '../../support/engine.ts';
import {
  conversationWith,
  type Honest,
  messagesOf,
  newHonest,
  waitFor,
  write,
} from '../../support/hostile-relay/people.ts';
import { HostileRelay } from '../../support/hostile-relay/proxy.ts';

const DAY = 24 * 3_600_000;

let hostile: HostileRelay;
let ann: Honest;
let ben: Honest;
beforeAll(async () => {
  hostile = await HostileRelay.start();
  [ann, ben] = [await newHonest(hostile, 'ann'), await newHonest(hostile, 'ben')];
});
afterAll(() => hostile[Symbol.asyncDispose]());

test('with clocks days apart nothing is refused as old, sent or lost; correct clocks continue', async () => {
  await write(ben, ann, 'before');
  await waitFor(ann, 'before');
  await ann.engine.close();
  await write(ben, ann, 'on its way');

  hostile.relay.ahead = 3 * DAY;
  await ann.engine.start();
  const { id } = await conversationWith(ann, ben);
  const before = hostile.sent.length;
  await callEngine(ann.engine, 'messages.send', { conversationId: id, text: 'from a wrong time' });
  const { problem } = await eventually(
    () => callEngine(ann.engine, 'connection.get', {}),
    (connection) => connection.problem !== null,
  );
  expect(problem).toEqual({ code: 'clocks_differ', parameters: { days: 3 } });
  expect(hostile.sent.slice(before)).toEqual([]);
  expect((await messagesOf(ann)).map(({ text }) => text)).not.toContain('on its way');

  hostile.relay.ahead = 0;
  await waitFor(ann, 'on its way');
  await waitFor(ben, 'from a wrong time');
});

test('a program gets the error and accepts nothing', async () => {
  const bot = await newBot(hostile);
  hostile.relay.ahead = 3 * DAY;
  await expect(waitingTexts(bot)).rejects.toMatchObject({ code: 'clocks_differ' });
  await expect(bot.client.me()).rejects.toMatchObject({ code: 'clocks_differ' });
  hostile.relay.ahead = 0;
  expect(await waitingTexts(bot)).toEqual([]);
});
