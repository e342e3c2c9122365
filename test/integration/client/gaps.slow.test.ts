/**
 * Missing messages in a program on the library, beside the behaviour shared with the app
 * (test/integration/messaging/gaps.slow.test.ts).
 */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Missing } from '../../../src/client/index.ts';
import { ReceiptContent } from '../../../src/messaging/contents/kinds/receipt.ts';
import { decodePayload } from '../../../src/protocol/payload.ts';
import { type Bot, newBot, waiting, waitingTexts } from '../../support/bots.ts';
import { eventually } from '../../support/engine.ts';
import { directBody, forge, type Target, targetOf } from '../../support/hostile-relay/forgery.ts';
import { HostileRelay } from '../../support/hostile-relay/proxy.ts';
import { newPerson, type Person } from '../../support/person.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let hostile: HostileRelay;
let bot: Bot;
let dora: Person;
let target: Target;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], shouldAdvanceTime: true, now: Date.now() });
  hostile = await HostileRelay.start();
  bot = await newBot(hostile, { handle: 'robot' });
  dora = await newPerson(hostile.relay);
  await bot.client.send(dora.address, 'hello Dora');
  target = await targetOf(hostile, dora.token, bot.identity.address);
});
afterEach(async () => {
  vi.useRealTimers();
  bot.client.close();
  await hostile[Symbol.asyncDispose]();
});

const from = (person: Person, seq: number) => {
  const body = { ...directBody(person.address, target.address, `number ${seq}`), seq };
  return forge(person.address, target, { channel: 'direct', body }, person.signer);
};
function invent(...envelopes: ReturnType<typeof from>[]): void {
  for (const envelope of envelopes) hostile.invent(target.deviceId, envelope);
}
async function receiptsToDora(): Promise<ReceiptContent[]> {
  await dora.login();
  return (await dora.inbox()).flatMap((envelope) => {
    const receipt = ReceiptContent.safeParse(decodePayload(dora.openBytes(envelope)).body);
    return receipt.success ? [receipt.data] : [];
  });
}

test('a program is notified once of messages that stay missing for a day', async () => {
  const reported: Missing[] = [];
  const read = async (later: number) => {
    vi.setSystemTime(Date.now() + later);
    await waiting(bot, { onMissing: (missing) => void reported.push(missing) });
  };
  invent(from(dora, 1), from(dora, 4));
  await read(0);
  await read(3 * MINUTE);
  expect(reported).toEqual([]);
  await read(25 * HOUR);
  await read(HOUR);
  expect(reported).toEqual([{ from: dora.address, groupId: null }]);
});

test('a program that only looks notes nothing and requests nothing', async () => {
  invent(from(dora, 1), from(dora, 3));
  expect(await waitingTexts({ ...bot })).toHaveLength(2);
  invent(from(dora, 5));
  for (const later of [0, 3 * MINUTE, 3 * MINUTE]) {
    vi.setSystemTime(Date.now() + later);
    await waiting(bot, { keep: true });
  }
  expect(await receiptsToDora()).toEqual([]);
});

test('a program that continues requests missing messages within ten minutes', async () => {
  const other = await newBot(hostile, { handle: 'ticker' });
  const stop = new AbortController();
  const done = (async () => {
    for await (const { text } of bot.client.messages({ signal: stop.signal })) void text;
  })();
  invent(from(dora, 1), from(dora, 3));
  await eventually(
    async () => {
      // A new message ends the open poll.
      await other.client.send(bot.identity.address, 'tick');
      vi.setSystemTime(Date.now() + 2 * MINUTE);
      return receiptsToDora();
    },
    ([request]) => JSON.stringify(request?.missing) === JSON.stringify({ [dora.device.id]: [2] }),
  );
  stop.abort();
  await done;
  other.client.close();
});

test('a message that could not be sealed gets no number and is not missed', async () => {
  const gone = await newPerson(hostile.relay);
  await bot.client.send(gone.address, 'the first');
  hostile.babble(
    (path) => path.includes(`/keys/${gone.address}`),
    (_request, response) => response.destroy(),
  );
  vi.setSystemTime(Date.now() + 2 * MINUTE);
  await expect(bot.client.send(gone.address, 'to nobody')).rejects.toThrow();
  hostile.answerTruthfully();
  await bot.client.send(gone.address, 'the second');
  const seqs = (await gone.inbox()).map((envelope) => decodePayload(gone.openBytes(envelope)).body.seq);
  expect(seqs).toEqual([1, 2]);
});
