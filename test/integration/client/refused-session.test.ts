/** A relay that opens no session for now, such as one with a full disk, and still answers API keys. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Identity, RelayClient } from '../../../src/client/index.ts';
import { newBot, waiting, waitingTexts } from '../../support/bots.ts';
import { temporaryFolder } from '../../support/engine.ts';
import { HostileRelay } from '../../support/hostile-relay/proxy.ts';

function refuse(status: number, code: string) {
  return (_: IncomingMessage, response: ServerResponse) => {
    response.writeHead(status, { 'content-type': 'application/problem+json' });
    const text = { title: 'Refused', detail: 'Refused for the test.' };
    const problem = { type: `urn:waxwing:problem:${code}`, ...text, status, code, requestId: 'test' };
    response.end(JSON.stringify(problem));
  };
}

const isLogin = (path: string) => path.includes('/auth/');

/** A registered bot with a message in its queue, restarted: it has no session. */
async function restartedBot(hostile: HostileRelay, folder: string) {
  const file = join(folder, 'bot');
  const { identity, client } = await newBot({ url: hostile.url }, { file });
  const sender = await newBot({ url: hostile.url });
  await sender.client.send(identity.address, 'hello');
  sender.client.close();
  client.close();
  const restarted = Identity.open(file);
  return { identity: restarted, client: new RelayClient({ identity: restarted }) };
}

test('a relay that opens no session for now still delivers the queue to the API key', async () => {
  using folder = temporaryFolder();
  await using hostile = await HostileRelay.start();
  const bot = await restartedBot(hostile, folder.path);
  hostile.babble(isLogin, refuse(503, 'unavailable'));
  expect(await waitingTexts(bot)).toEqual(['hello']);
  expect(hostile.requests.some(({ path }) => isLogin(path))).toBe(true);
});

test('without acknowledgements, too, the message is delivered once, and the failure is reported', async () => {
  using folder = temporaryFolder();
  await using hostile = await HostileRelay.start();
  const bot = await restartedBot(hostile, folder.path);
  hostile.babble((path) => isLogin(path) || path.endsWith('/inbox/ack'), refuse(503, 'unavailable'));
  const texts: (string | null)[] = [];
  const reading = (async () => {
    for await (const { text } of bot.client.messages({ follow: false })) texts.push(text);
  })();
  await expect(reading).rejects.toMatchObject({ code: 'unavailable' });
  expect(texts).toEqual(['hello']);
  hostile.answerTruthfully();
  expect(await waitingTexts(bot)).toEqual([]);
});

test('a relay that limits the rate of sessions is not asked for the queue at once', async () => {
  using folder = temporaryFolder();
  await using hostile = await HostileRelay.start();
  const bot = await restartedBot(hostile, folder.path);
  hostile.babble(isLogin, refuse(429, 'rate_limited'));
  const before = hostile.requests.length;
  await expect(waiting(bot)).rejects.toMatchObject({ code: 'rate_limited' });
  const polls = hostile.requests.slice(before).filter(({ path }) => path.includes('/inbox?'));
  expect(polls).toEqual([]);
});
