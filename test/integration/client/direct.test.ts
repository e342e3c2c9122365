import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Journal } from '../../../src/client/identity/journal/journal.ts';
import {
  Identity,
  type RefusedEnvelope,
  RelayClient,
  RelayRefusal,
  RelayUnreachable,
} from '../../../src/client/index.ts';
import { type Bot, newBot, waiting, waitingTexts } from '../../support/bots.ts';
import { eventually, temporaryFolder } from '../../support/engine.ts';
import { newPerson } from '../../support/person.ts';
import { CuttingProxy } from '../../support/proxy.ts';
import { ROOMY_RATES } from '../../support/rates.ts';
import { TestRelay } from '../../support/relay.ts';
import { StoppedClock } from '../../support/steady-clock.ts';
import { stopTimers } from '../../support/stopped-timers.ts';

/** Longer than any wait of the library, in milliseconds. */
const LONGEST_WAIT = 60_000;
const relay = new TestRelay({ limits: { rates: ROOMY_RATES } });
beforeAll(() => relay.start());
afterAll(() => relay[Symbol.asyncDispose]());

function restarted(bot: Bot, file: string): Bot {
  const identity = Identity.open(file);
  return { identity, client: new RelayClient({ identity, relay: bot.identity.relay ?? '' }) };
}

test('a text reaches each device of a handle, signed, with its origin', async () => {
  const alice = await newBot(relay);
  const bob = await newBot(relay, { handle: 'direct_bob', displayName: 'Bob' });
  const tablet = await newBot(relay, { wallet: bob.identity.wallet ?? never() });

  const { messageId, envelopeIds, undelivered } = await alice.client.send('@direct_bob', 'hello', {
    asRequest: true,
  });
  expect([envelopeIds.length, undelivered]).toEqual([2, []]);
  for (const device of [bob, tablet]) {
    expect(await waiting(device)).toMatchObject([
      {
        id: messageId,
        from: alice.identity.address,
        groupId: null,
        kind: 'text',
        text: 'hello',
        proof: 'signed',
        automated: true,
        asRequest: true,
      },
    ]);
    expect(await waiting(device)).toEqual([]);
  }
});

test('a sender with a memory and no identity keeps the keys of its recipients longest', async () => {
  using folder = temporaryFolder();
  const [owner, bob] = [await newBot(relay), await newBot(relay)];
  const memory = join(folder.path, 'memory');
  const sender = new RelayClient({ relay: relay.url, secret: owner.identity.apiKey ?? never(), memory });
  await sender.send(bob.identity.address, 'hello');
  expect(new Journal(memory, Date.now()).sent(bob.identity.address)).toBe(1);
});

test('the directory is queried by handle and by address', async () => {
  const { client, identity } = await newBot(relay, { handle: 'direct_dora', displayName: 'Dora' });
  const dora = { address: identity.address, handle: 'direct_dora', displayName: 'Dora', verified: false };
  expect(await client.resolve('@direct_dora')).toMatchObject(dora);
  expect(await client.resolve(identity.address)).toMatchObject(dora);
  expect(await client.searchHandles('direct_dor')).toMatchObject([dora]);
  expect((await client.keys('@direct_dora')).deviceList.devices).toHaveLength(1);
  expect(await client.me()).toMatchObject({ handle: 'direct_dora', credential: { type: 'api_key' } });
  await expect(client.resolve('@direct_nobody')).rejects.toMatchObject({ code: 'not_found' });
  await expect(client.send('0x1234', 'x')).rejects.toThrow('40 hexadecimal digits');
});

test('an own device gets a copy of each message that another one sends, and no message of its own', async () => {
  const [first, peer] = [await newBot(relay), await newBot(relay)];
  const second = await newBot(relay, { wallet: first.identity.wallet ?? never() });
  expect((await first.client.send(peer.identity.address, 'sent')).envelopeIds).toHaveLength(2);
  const raw = await second.client.api.inbox(second.identity.deviceId, { limit: 10, wait: 0 });
  expect(raw.envelopes.map(({ from }) => from)).toEqual([first.identity.address]);
  expect(await waiting(second)).toEqual([]);
  expect((await second.client.api.inbox(second.identity.deviceId, { limit: 10, wait: 0 })).envelopes).toEqual(
    [],
  );
});

test('a message by an API key alone is unsigned, and is shown only if its owner allows it', async () => {
  const bob = await newBot(relay);
  for (const { allowUnsigned, received } of [
    { allowUnsigned: ['api'] as const, received: [{ text: 'unsigned', proof: 'api' }] },
    { allowUnsigned: [], received: [] },
  ]) {
    const { identity } = await newBot(relay, { allowUnsigned });
    const script = new RelayClient({ relay: relay.url, secret: identity.apiKey ?? '' });
    await script.send(bob.identity.address, 'unsigned');
    const refused: RefusedEnvelope[] = [];
    const messages = await waiting(bob, { onRefused: (_, why) => refused.push(why) });
    expect(messages).toMatchObject(received);
    const expected = received.length > 0 ? [] : [{ code: 'unsigned', parameters: {} }];
    expect(refused.map(({ data }) => data)).toEqual(expected);
  }
  expect(bob.identity.journal.refused).toHaveLength(1);
  expect(await waiting(bob)).toEqual([]);
});

test('an envelope that cannot be opened is set aside and blocks no other', async () => {
  const [bob, stranger] = [await newBot(relay), await newPerson(relay)];
  const { deviceId } = bob.identity;
  const key = (await bob.client.keys(bob.identity.address)).sealKeys[0]?.key;
  const garbage = { ...stranger.seal(stranger, stranger.device, 'x'), recipientDeviceKey: key };
  const body = { ...garbage, toAddress: bob.identity.address };
  await relay.call('sendEnvelopes', { token: stranger.token, body });
  const alice = await newBot(relay);
  await alice.client.send(bob.identity.address, 'behind it');
  expect(await waitingTexts(bob)).toEqual(['behind it']);
  expect(bob.identity.journal.refused).toMatchObject([{ why: { code: 'cannot_be_opened' } }]);
  expect((await bob.client.api.inbox(deviceId, { limit: 10, wait: 0 })).envelopes).toEqual([]);
});

test('a message during which the loop was left arrives again; one before a requested next does not', async () => {
  using folder = temporaryFolder();
  const file = `${folder.path}/bob.json`;
  const [alice, bob] = [await newBot(relay), await newBot(relay, { file })];
  for (const text of ['one', 'two', 'three']) await alice.client.send(bob.identity.address, text);

  const seen: (string | null)[] = [];
  for await (const { text } of bob.client.messages()) {
    seen.push(text);
    if (text === 'two') break;
  }
  expect(seen).toEqual(['one', 'two']);
  expect(await waitingTexts(restarted(bob, file))).toEqual(['two', 'three']);
  expect(await waitingTexts(restarted(bob, file))).toEqual([]);
});

test('a message sent again with its id is shown once, also after a restart', async () => {
  using folder = temporaryFolder();
  const file = `${folder.path}/bob.json`;
  const [alice, bob] = [await newBot(relay), await newBot(relay, { file })];
  const { messageId } = await alice.client.send(bob.identity.address, 'once');
  await alice.client.send(bob.identity.address, 'once', { messageId });
  expect(await waitingTexts(bob)).toEqual(['once']);
  await alice.client.send(bob.identity.address, 'once', { messageId });
  expect(await waitingTexts(restarted(bob, file))).toEqual([]);
});

test('an answer given twice to the same message is shown once', async () => {
  const [alice, bob] = [await newBot(relay), await newBot(relay)];
  await alice.client.send(bob.identity.address, 'question');
  const [question] = await waiting(bob);
  if (!question) throw new Error('nothing arrived');
  const first = await bob.client.reply(question, 'answer');
  expect((await bob.client.reply(question, 'answer')).messageId).toBe(first.messageId);
  const atOnce = await Promise.all([0, 1].map(() => bob.client.reply(question, 'answer')));
  expect(atOnce.map(({ envelopeIds }) => envelopeIds.length)).toEqual([1, 1]);
  expect(await waitingTexts(alice)).toEqual(['answer']);
});

test('the loop survives an unreachable relay, and ends at once by its signal', async () => {
  using clock = stopTimers();
  // An open poll ends by an envelope or by its caller, never by its time.
  await using flaky = await new TestRelay({ steady: new StoppedClock() }).start();
  const [alice, bob] = [await newBot(flaky), await newBot(flaky)];
  const stop = new AbortController();
  const problems: Error[] = [];
  const received: (string | null)[] = [];
  const loop = (async () => {
    const options = { signal: stop.signal, onProblem: (problem: Error) => problems.push(problem) };
    for await (const { text } of bob.client.messages(options)) received.push(text);
  })();
  await alice.client.send(bob.identity.address, 'before');
  await eventually(
    async () => received,
    ({ length }) => length === 1,
  );

  await flaky.stop();
  const fills = (list: unknown[], count = 1) =>
    eventually(
      async () => {
        clock.pass(1_000);
        return list;
      },
      ({ length }) => length >= count,
    );
  await fills(problems);
  // One attempt may be under way. Without a wait there would be more meanwhile.
  for (let calls = 0; calls < 5; calls++)
    await expect(flaky.call('getRelay')).rejects.toThrow('fetch failed');
  expect(problems.length).toBeLessThanOrEqual(2);
  const lost: unknown[] = [];
  void alice.client.send(bob.identity.address, 'lost').catch((error: unknown) => lost.push(error));
  await fills(lost);
  expect(lost).toEqual([expect.any(RelayUnreachable)]);

  await flaky.start();
  await alice.client.send(bob.identity.address, 'after');
  await fills(received, 2);
  // The loop may wait before its next call.
  await eventually(
    async () => {
      clock.pass(1_000);
      return flaky.running.heldPolls;
    },
    (openPoll) => openPoll === 1,
  );
  stop.abort();
  await loop;
  await flaky.untilPolling(0);
  expect(received).toEqual(['before', 'after']);
});

test('while acknowledgements are lost the loop delivers nothing twice and calls no more often', async () => {
  using clock = stopTimers();
  await using proxy = await new CuttingProxy().start();
  await using behind = await new TestRelay({ publicUrl: proxy.url }).start();
  proxy.target = behind.url;
  const [alice, bob] = [await newBot(proxy), await newBot(proxy)];
  let polls = 0;
  proxy.cuts = ({ path, stage }) => {
    if (path.startsWith('/api/v1/inbox?') && stage === 'before') polls++;
    return path.endsWith('/inbox/ack');
  };
  const stop = new AbortController();
  const problems: Error[] = [];
  const received: (string | null)[] = [];
  const loop = (async () => {
    const options = { signal: stop.signal, onProblem: (problem: Error) => problems.push(problem) };
    for await (const { text } of bob.client.messages(options)) received.push(text);
  })();
  await alice.client.send(bob.identity.address, 'one');
  for (let lost = 1; lost <= 3; lost++) {
    await eventually(
      async () => problems,
      ({ length }) => length === lost,
    );
    // Without a wait it would call again meanwhile.
    for (let calls = 0; calls < 5; calls++) await behind.call('getRelay');
    expect([polls, problems.length]).toEqual([lost, lost]);
    clock.pass(LONGEST_WAIT);
  }
  proxy.cuts = () => false;
  await alice.client.send(bob.identity.address, 'two');
  await eventually(
    async () => {
      clock.pass(LONGEST_WAIT);
      return received;
    },
    ({ length }) => length > 1,
  );
  stop.abort();
  await loop;
  expect(received).toEqual(['one', 'two']);
  expect(await waiting(bob)).toEqual([]);
});

test('a text by handle arrives although the relay is away at first', async () => {
  using clock = stopTimers();
  await using proxy = await CuttingProxy.withRelay();
  const [alice, bob] = [await newBot(proxy), await newBot(proxy, { handle: 'direct_later' })];
  let cutsLeft = 4;
  proxy.cuts = ({ stage }) => stage === 'before' && cutsLeft-- > 0;
  let isSent = false;
  const sending = alice.client.send('@direct_later', 'hello').finally(() => {
    isSent = true;
  });
  await eventually(
    async () => {
      clock.pass(1_000);
      return isSent;
    },
    (sent) => sent,
  );
  await sending;
  proxy.cuts = () => false;
  expect(await waitingTexts(bob)).toEqual(['hello']);
});

test('too long a text, and a recipient without another device, are reported', async () => {
  const { client, identity } = await newBot(relay);
  const { address } = await newBot(relay).then((bot) => bot.identity);
  await expect(client.send(address, 'x'.repeat(66_000))).rejects.toThrow(
    'it has 66000 bytes, and the limit is 16384',
  );
  await expect(client.send(identity.address, 'to myself')).rejects.toThrow('no other device that can read');
  await expect(client.send(`0x${'9'.repeat(40)}`, 'x')).rejects.toMatchObject({ code: 'no_device' });
});

test('a revoked key ends the loop with the relay’s refusal', async () => {
  const { identity, client } = await newBot(relay);
  const account = identity.account();
  const loop = client.messages().next();
  const apiKeys = await account.apiKeys();
  await account.call('revokeApiKey', { params: { id: apiKeys[0]?.id ?? '' } });
  await expect(loop).rejects.toMatchObject({ name: 'RelayRefusal', code: 'unauthorized' });
  await expect(client.me()).rejects.toThrow(RelayRefusal);
});

test('a recipient with changed devices is sealed for again', async () => {
  const [alice, bob] = [await newBot(relay), await newPerson(relay)];
  await alice.client.send(bob.address, 'with the first key');
  bob.device.rotate();
  await relay.call('putSealKey', {
    token: bob.token,
    params: { deviceId: bob.device.id },
    body: { sealKey: bob.device.statement(bob.address, Date.now()) },
  });
  const { envelopeIds } = await alice.client.send(bob.address, 'with the next');
  const arrived = (await bob.inbox()).find(({ id }) => envelopeIds.includes(id));
  expect(arrived && bob.open(arrived)).toContain('with the next');
});

function never(): never {
  throw new Error('this identity keeps its wallet');
}
