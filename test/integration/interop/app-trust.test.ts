/**
 * What our app makes of the device lists and seal keys of an independent client when the relay hides some of them or
 * shows others: docs/protocol.md §5, 'What is remembered of an address' and 'hello'.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Account } from '../../interop/account.ts';
import type { History, Keys } from '../../interop/calls.ts';
import { createDevice, type DeviceList } from '../../interop/device.ts';
import { callEngine } from '../../support/engine.ts';
import { HostileRelay } from '../../support/hostile-relay/proxy.ts';
import { WithApp } from './with-app.ts';

const DAY = 86_400_000;

let hostile: HostileRelay;
let pair: WithApp;
/** Ada's keys as the app has seen them. */
let seen: Keys;

beforeAll(async () => {
  hostile = await HostileRelay.start();
});
afterAll(() => hostile[Symbol.asyncDispose]());

beforeEach(async () => {
  pair = await WithApp.start(hostile.url);
  await pair.meet();
  expect((await pair.answer('You may')).state).toBe('sent');
  seen = await keysOfAda();
});
afterEach(async () => {
  hostile.tellTruth();
  await pair[Symbol.asyncDispose]();
});

const keysOfAda = () => pair.ada.session.expect<Keys>(200, 'GET', `/keys/${pair.ada.address}`);

/** The relay shows these keys of ada from now on, whatever she publishes. */
function show(keys: Keys): void {
  const path = `/api/v1/keys/${pair.ada.address}`;
  hostile.lie((passing) => (passing.method === 'GET' && passing.path === path ? keys : undefined));
}

/** The app's message stays in its queue, with a reason. */
async function expectWaiting(text: string): Promise<void> {
  const message = await pair.answer(text);
  expect(message).toMatchObject({ state: 'queued', problem: expect.anything() });
}

async function expectSentAfterTruth(text: string): Promise<void> {
  hostile.tellTruth();
  await callEngine(pair.engine, 'connection.retry', {});
  await pair.stateOf(text, ({ state }) => state === 'sent');
}

/** Sends a hello with these lists as evidence, and waits until the app has dealt with it. */
function tell(lists: DeviceList[], device = pair.ada.device) {
  const { ada, grace } = pair;
  return pair.shownBy(() => pair.write({ ...ada.hello(grace), lists }, { device }));
}

describe('a newer list that the relay hides', () => {
  it('§5: is claimed by a signed body: nothing is sealed until the relay shows it', async () => {
    const { ada } = pair;
    await ada.certify(['api']);
    show(seen);
    expect(await pair.shownBy(async () => undefined)).toEqual([]);
    await expectWaiting('hidden?');
    await expectSentAfterTruth('hidden?');
    await pair.next(({ body }) => body.text === 'hidden?');
  });

  it('§5: is claimed by the statement of a seal key', async () => {
    const { ada } = pair;
    await ada.certify(['api']);
    await ada.renewSealKey();
    const now = await keysOfAda();
    show({ ...now, deviceList: seen.deviceList });
    await callEngine(pair.engine, 'connection.retry', {});
    await expectWaiting('hidden?');
    await expectSentAfterTruth('hidden?');
  });

  it('§5: is believed as evidence in a hello, by which a device proves itself that the relay hides', async () => {
    const { ada, grace } = pair;
    const added = await createDevice('app');
    await ada.certify([], [ada.device, added]);
    show(seen);
    const unproven = { ...ada.text(grace, 'unproven'), list: { sequence: 1, hash: 'A'.repeat(43) } };
    await pair.write(unproven, { device: added });
    await pair.write(ada.hello(grace), { device: added });
    expect(await pair.shownBy(() => pair.write(ada.text(grace, 'proven'), { device: added }))).toEqual([
      ['text', 'proven', 'verified'],
    ]);
    await expectWaiting('not shown by the relay');
    await expectSentAfterTruth('not shown by the relay');
  });

  it('§5: is not shown by the relay because a second hello brings it again', async () => {
    const { ada } = pair;
    await ada.certify(['api']);
    show(seen);
    const lists = ada.lists.slice(-1);
    await tell(lists);
    await tell(lists);
    await expectWaiting('told twice');
    await expectSentAfterTruth('told twice');
  });

  it('§5: is proven over several lists that come together', async () => {
    const { ada, grace } = pair;
    await ada.certify(['api']);
    await ada.certify([]);
    const added = await createDevice('app');
    await ada.certify([], [ada.device, added]);
    show(seen);
    hostile.lie(({ path }) =>
      path.includes(`/keys/${ada.address}/history`)
        ? ({ address: ada.address, lists: [], more: false } satisfies History)
        : undefined,
    );
    const { lists } = ada.hello(grace, 1);
    expect(lists?.map(({ sequence }) => sequence)).toEqual([2, 3, 4]);
    await tell(lists ?? [], added);
    expect(await pair.shownBy(() => pair.write(ada.text(grace, 'proven'), { device: added }))).toEqual([
      ['text', 'proven', 'verified'],
    ]);
  });

  it('§5: is proven by nothing where one between is missing, and nothing is lost by it', async () => {
    const { ada, grace } = pair;
    await ada.certify(['api']);
    const added = await createDevice('app');
    await ada.certify([], [ada.device, added]);
    show(seen);
    await pair.write({ ...ada.hello(grace), lists: ada.lists.slice(-1) }, { device: added });
    const text = () => pair.write(ada.text(grace, 'unproven'), { device: added });
    expect(await pair.shownBy(text)).toEqual([]);
    hostile.tellTruth();
    expect((await pair.answer('still here')).state).toBe('sent');
  });
});

describe('lists that contradict each other', () => {
  it('§5: are a fork, however the second came: nothing is sealed until the person decides', async () => {
    const { ada } = pair;
    const other = await ada.nextList(['bots']);
    await ada.certify(['api']);
    expect((await pair.answer('before')).state).toBe('sent');
    await tell([other]);
    await expectWaiting('after');
    await callEngine(pair.engine, 'connection.retry', {});
    expect((await pair.answer('after too')).state).toBe('queued');
  });

  it("§5: are none where the second is another wallet's, or only a claim", async () => {
    const { ada, grace } = pair;
    const bob = await Account.signUp(hostile.url);
    await ada.certify(['api']);
    await tell([await bob.nextList([])]);
    expect((await pair.answer('fine')).state).toBe('sent');
    const claim = { sequence: 2, hash: 'B'.repeat(42).concat('A') };
    await pair.write({ ...ada.text(grace, 'says otherwise'), list: claim });
    await pair.stateOf('says otherwise', () => true);
    await expectWaiting('waits for the claim, which is open');
  });
});

describe('an old list', () => {
  it('§5: that the relay goes back to keeps everything waiting', async () => {
    await pair.ada.certify(['api']);
    expect((await pair.answer('to the second list')).state).toBe('sent');
    show(seen);
    await callEngine(pair.engine, 'connection.retry', {});
    await expectWaiting('gone back');
    await expectSentAfterTruth('gone back');
  });

  it('§5: in a hello that comes late changes nothing', async () => {
    const { ada } = pair;
    await ada.certify(['api']);
    await ada.certify([]);
    expect((await pair.answer('to the third list')).state).toBe('sent');
    await tell(ada.lists.slice(1, 2));
    expect((await pair.answer('as before')).state).toBe('sent');
  });
});

describe('an old seal key', () => {
  it('§5: that the relay goes back to is not sealed to', async () => {
    const { ada } = pair;
    await ada.renewSealKey();
    expect((await pair.answer('to the second key')).state).toBe('sent');
    show(seen);
    await callEngine(pair.engine, 'connection.retry', {});
    await expectWaiting('gone back');
    await expectSentAfterTruth('gone back');
  });
});

describe('a chain of many lists', () => {
  const publish = async (count: number) => {
    for (let index = 0; index < count; index += 1) {
      const issued = new Date(Date.now() - 2 * DAY + index).toISOString();
      await pair.ada.certify(index % 2 === 0 ? ['api'] : [], [pair.ada.device], issued);
    }
  };

  it('§5: is followed page by page', async () => {
    await publish(120);
    expect((await pair.answer('to the newest')).state).toBe('sent');
    const { body, header } = await pair.next((message) => message.body.text === 'to the newest');
    expect(header.recipientListSequence).toBe(121);
    expect(body.list?.sequence).toBe(1);
  });

  it('§5: with a hole counts for nothing', async () => {
    const { ada } = pair;
    await publish(5);
    hostile.lie(({ path, body }) => {
      if (!path.includes(`/keys/${ada.address}/history`)) return undefined;
      const history = body as History;
      return { ...history, lists: history.lists.filter(({ sequence }) => sequence !== 3) };
    });
    await callEngine(pair.engine, 'connection.retry', {});
    await pair.shownBy(async () => undefined);
    await expectWaiting('over a hole');
    await expectSentAfterTruth('over a hole');
  });
});
