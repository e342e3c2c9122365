/**
 * Our app, and a program on our library, with the device lists and seal keys of an independent client when the
 * relay hides some of them or shows others: docs/protocol.md §10, 'State of an address' and 'hello'.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Account } from '../../interop/by-hand/account.ts';
import type { History, Keys } from '../../interop/by-hand/calls.ts';
import { createDevice } from '../../interop/by-hand/device.ts';
import { only } from '../../interop/by-hand/only.ts';
import { type DeviceList, nameOfList } from '../../interop/device-list.ts';
import { HelloAnswers } from '../../interop/hello.ts';
import { ClockedEngine } from '../../support/clocked-engine.ts';
import { eventually } from '../../support/engine.ts';
import { HostileRelay } from '../../support/hostile-relay/proxy.ts';
import { USERS, type WithApp, type WithProgram } from './with-app.ts';

const DAY = 86_400_000;

describe.each(USERS)('%s', (_user, start) => {
  let hostile: HostileRelay;
  /** The user of most tests. Tests that change the user's own list or clock have their own user. */
  let user: WithApp | WithProgram;
  let pair: WithApp | WithProgram;
  /** Ada's keys in the app's view. */
  let seen: Keys;

  const startUser = () => start(hostile.url, new ClockedEngine(hostile.url));
  beforeAll(async () => {
    hostile = await HostileRelay.start();
    user = await startUser();
  });
  afterAll(async () => {
    await user[Symbol.asyncDispose]();
    await hostile[Symbol.asyncDispose]();
  });

  beforeEach(async () => {
    // With this random value others are informed at once.
    vi.spyOn(Math, 'random').mockReturnValue(0);
    await meet(await user.withAnother());
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
    hostile.answerTruthfully();
  });

  async function meet(met: WithApp | WithProgram): Promise<void> {
    pair = met;
    await pair.meet();
    expect((await pair.writes('You may')).state).toBe('sent');
    seen = await keysOfAda();
  }

  const keysOfAda = () => pair.ada.session.expect<Keys>(200, 'GET', `/keys/${pair.ada.address}`);

  /** The relay shows these keys of ada from now on, also after she publishes others. */
  function show(keys: Keys): void {
    const path = `/api/v1/keys/${pair.ada.address}`;
    hostile.lie((passing) => (passing.method === 'GET' && passing.path === path ? keys : undefined));
  }

  /** The user's message is not sent yet, with a reason. */
  async function expectWaiting(text: string): Promise<void> {
    expect(await pair.writes(text)).toMatchObject({ state: 'waiting', problem: expect.anything() });
  }

  async function expectSentAfterTruth(text: string): Promise<void> {
    hostile.answerTruthfully();
    await eventually(
      () => pair.retry(text),
      (isSent) => isSent,
    );
  }

  /** Makes the user fetch ada's keys, by the header of an unsigned text that claims no newer list. */
  async function makeUserFetchKeys(): Promise<void> {
    const { ada, grace } = pair;
    const body = ada.text(grace, '');
    const list = nameOfList(ada.address, seen.deviceList);
    await pair.write({ ...body, list, text: body.id }, { senderListSequence: 1000 });
    await pair.comes(body.id);
  }

  /** Sends a hello with these lists as evidence, and waits until the user has dealt with it. */
  function announce(lists: DeviceList[], device = pair.ada.device) {
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
      await makeUserFetchKeys();
      await expectWaiting('hidden?');
      await expectSentAfterTruth('hidden?');
    });

    it('§5: is proven by a hello of a device that the relay hides', async () => {
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

    it('§5: is not shown by the relay because a second hello repeats it', async () => {
      const { ada } = pair;
      await ada.certify(['api']);
      show(seen);
      const lists = ada.lists.slice(-1);
      await announce(lists);
      await announce(lists);
      await expectWaiting('told twice');
      await expectSentAfterTruth('told twice');
    });

    it('§5: is proven over several lists that arrive together', async () => {
      const { ada, grace } = pair;
      await ada.certify(['api']);
      await ada.certify([]);
      const added = await createDevice('app');
      await ada.certify([], [ada.device, added]);
      show(seen);
      const none: History = { address: ada.address, lists: [], more: false };
      hostile.lie(({ path }) => {
        if (path.includes(`/keys/${ada.address}/history`)) return none;
        return path.endsWith('/keys/history') ? { histories: [none] } : undefined;
      });
      const { lists } = ada.hello(grace, 1);
      expect(lists?.map(({ sequence }) => sequence)).toEqual([2, 3, 4]);
      await announce(lists ?? [], added);
      expect(await pair.shownBy(() => pair.write(ada.text(grace, 'proven'), { device: added }))).toEqual([
        ['text', 'proven', 'verified'],
      ]);
    });

    it('§5: is not proven with a missing one between, and no message is lost', async () => {
      const { ada, grace } = pair;
      await ada.certify(['api']);
      const added = await createDevice('app');
      await ada.certify([], [ada.device, added]);
      show(seen);
      await pair.write({ ...ada.hello(grace), lists: ada.lists.slice(-1) }, { device: added });
      const text = () => pair.write(ada.text(grace, 'unproven'), { device: added });
      expect(await pair.shownBy(text)).toEqual([]);
      hostile.answerTruthfully();
      expect((await pair.writes('still here')).state).toBe('sent');
    });
  });

  describe('lists that contradict each other', () => {
    it('§5: are a fork, by any way of arrival of the second: nothing is sealed until the person decides', async () => {
      const { ada } = pair;
      const other = await ada.nextList([]);
      await ada.certify(['api']);
      await pair.shownBy(async () => undefined);
      expect((await pair.writes('before')).state).toBe('sent');
      await announce([other]);
      expect((await pair.writes('after')).problem).toMatchObject({ code: 'lists_differ' });
      hostile.answerTruthfully();
      await makeUserFetchKeys();
      expect((await pair.writes('after too')).state).not.toBe('sent');
    });

    it('§5: are not a fork if another wallet signed the second', async () => {
      const { ada } = pair;
      const bob = await Account.signUp(hostile.url);
      await ada.certify(['api']);
      await announce([await bob.nextList([])]);
      expect((await pair.writes('fine')).state).toBe('sent');
    });

    it('§5: are not a fork if a device claims the second: nothing is sealed, as for any open claim', async () => {
      const { ada, grace } = pair;
      await ada.certify(['api']);
      const list = { sequence: 2, hash: `${'B'.repeat(42)}A` };
      await pair.write({ ...ada.text(grace, 'says otherwise'), list });
      await pair.comes('says otherwise');
      await expectWaiting('which of them?');
    });
  });

  describe('an old list', () => {
    it('§5: that the relay returns to keeps everything waiting', async () => {
      await pair.ada.certify(['api']);
      await pair.shownBy(async () => undefined);
      expect((await pair.writes('to the second list')).state).toBe('sent');
      show(seen);
      await makeUserFetchKeys();
      await expectWaiting('gone back');
      await expectSentAfterTruth('gone back');
    });

    it('§5: in a late hello changes nothing', async () => {
      const { ada } = pair;
      await ada.certify(['api']);
      await ada.certify([]);
      await pair.shownBy(async () => undefined);
      expect((await pair.writes('to the third list')).state).toBe('sent');
      await announce(ada.lists.slice(1, 2));
      expect((await pair.writes('as before')).state).toBe('sent');
    });
  });

  describe('an old seal key', () => {
    beforeEach(async () => meet(await startUser()));
    afterEach(() => pair[Symbol.asyncDispose]());

    it('§5: that the relay returns to is never sealed to', async () => {
      const { ada } = pair;
      await ada.renewSealKey();
      await makeUserFetchKeys();
      expect((await pair.writes('to the second key')).state).toBe('sent');
      const { envelope } = await pair.next(({ body }) => body.text === 'to the second key');
      expect(envelope.recipientDeviceKey).toBe(ada.device.sealKeys.publicKey);
      show(seen);
      await makeUserFetchKeys();
      expect((await pair.writes('gone back')).state).toBe('sent');
      const next = await pair.next(({ body }) => body.text === 'gone back');
      expect(next.envelope.recipientDeviceKey).toBe(ada.device.sealKeys.publicKey);
      // An earlier proof is valid for a minute; afterwards only the old key is left.
      vi.useFakeTimers({ toFake: ['Date'], shouldAdvanceTime: true, now: Date.now() + 2 * 60_000 });
      await expectWaiting('a minute later');
      await expectSentAfterTruth('a minute later');
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
      await pair.shownBy(async () => undefined);
      expect((await pair.writes('to the newest')).state).toBe('sent');
      const { body, header } = await pair.next((message) => message.body.text === 'to the newest');
      expect(header.recipientListSequence).toBe(121);
      expect(body.list?.sequence).toBe(1);
    });

    it('§5: with a missing list is not accepted', async () => {
      const { ada } = pair;
      await publish(5);
      const withHole = (history: History) => ({
        ...history,
        lists: history.lists.filter(({ sequence }) => sequence !== 3),
      });
      hostile.lie(({ path, body }) => {
        if (path.includes(`/keys/${ada.address}/history`)) return withHole(body as History);
        if (!path.endsWith('/keys/history')) return undefined;
        return { histories: (body as { histories: History[] }).histories.map(withHole) };
      });
      await pair.shownBy(async () => undefined);
      const message = await pair.writes('over a hole');
      expect(message).toMatchObject({
        state: 'failed',
        problem: { code: 'keys_unproven', parameters: { fault: 'list_gap' } },
      });
      hostile.answerTruthfully();
      await pair.shownBy(async () => undefined);
      expect((await pair.writes('the hole is filled')).state).toBe('sent');
    });
  });

  describe('the hello of the client', () => {
    it('§5: answers a user who knows only an older list, while the relay hides the newer one', async () => {
      const { ada } = pair;
      await ada.certify(['api']);
      show(seen);
      expect((await pair.writes('by the first list')).state).toBe('sent');
      const { envelope, header, signed } = await pair.next(({ body }) => body.text === 'by the first list');
      const arrived = { ...header, from: envelope.from, isSigned: signed, isAccepted: true, members: null };
      const answers = new HelloAnswers(() => 0);
      const delay = () => answers.delayFor(arrived, ada.list?.sequence ?? 0, Date.now());
      expect([delay(), delay()]).toEqual([0, null]);
      const hello = ada.hello(pair.grace, header.recipientListSequence);
      expect(hello.lists).toEqual(ada.lists.slice(1));
      await announce(hello.lists ?? []);
      await expectWaiting('by the second list');
      await expectSentAfterTruth('by the second list');
      const next = await pair.next(({ body }) => body.text === 'by the second list');
      expect(next.header.recipientListSequence).toBe(2);
    });
  });

  describe('the hello of the user', () => {
    beforeEach(async () => meet(await startUser()));
    afterEach(() => pair[Symbol.asyncDispose]());

    it('§5: announces its newer list, is good evidence, and has the defined form', async () => {
      const { ada, grace } = pair;
      const knew = ada.remembered(grace);
      await ada.keysOf(grace);
      const before = knew.pin?.sequence ?? 0;
      await pair.changeList();
      const { as, body, envelope, header, signed } = await pair.next((message) => message.as === 'hello');
      expect([as, signed, body.seq, body.peer, envelope.groupId]).toEqual([
        'hello',
        true,
        0,
        ada.address,
        undefined,
      ]);
      expect(body).not.toHaveProperty('fallback');
      expect(body.lists?.map(({ sequence }) => sequence)).toEqual([before + 1]);
      expect(header.senderListSequence).toBe(before + 1);
      await ada.keysOf(grace);
      expect(knew.pin).toEqual(body.lists?.at(-1));
      expect(body.list).toEqual(nameOfList(grace, body.lists?.at(-1) ?? seen.deviceList));
    });

    it('§5: announces a hidden list to a client, which seals nothing until it is shown', async () => {
      const { ada, grace } = pair;
      const old = await ada.keysOf(grace);
      hostile.lie(({ method, path }) =>
        method === 'GET' && path === `/api/v1/keys/${grace}` ? old : undefined,
      );
      await pair.changeList();
      await pair.next((message) => message.as === 'hello');
      expect(ada.remembered(grace).pin?.sequence).toBe(old.deviceList.sequence + 1);
      await expect(ada.keysOf(grace)).rejects.toThrow('nothing is sealed');
      hostile.answerTruthfully();
      await ada.keysOf(grace);
    });

    it('§5: answers an accepted contact who knows only an older list, with all lists since, once', async () => {
      await pair.changeList();
      const bob = await Account.signUp(hostile.url);
      const { deviceList, ...keys } = await bob.keysOf(pair.grace);
      const write = async (text: string) => {
        const how = { recipientListSequence: 1 };
        await pair.post(
          await bob.sealFor({ deviceList, ...keys }, bob.text(pair.grace, text), how),
          bob.session,
        );
      };
      await write('May I?');
      await pair.comes('May I?');
      await pair.accept(bob);
      const readAll = async () => {
        const { envelopes } = await bob.poll(2);
        const read = [];
        for (const envelope of envelopes) read.push(await bob.read(envelope));
        if (envelopes.length > 0) await bob.acknowledge(envelopes.map(({ id }) => id));
        return read.filter(({ as }) => as === 'hello');
      };
      expect(await readAll()).toEqual([]);
      await write('as of long ago');
      await write('again');
      await pair.comes('again');
      await pair.greet();
      const hello = only(await eventually(readAll, (hellos) => hellos.length > 0));
      const numbers = Array.from({ length: deviceList.sequence - 1 }, (_, index) => index + 2);
      expect(hello).toMatchObject({ as: 'hello', signed: true });
      expect(hello.body.lists?.map(({ sequence }) => sequence)).toEqual(numbers);
      expect(hello.body.lists?.at(-1)).toEqual(deviceList);
      // The second was not answered on the same day.
      await write('and again');
      await pair.comes('and again');
      await pair.greet();
      expect(await readAll()).toEqual([]);
    });

    it('§5: is not for strangers', async () => {
      const stranger = await Account.signUp(hostile.url);
      await pair.changeList();
      const keys = await stranger.keysOf(pair.grace);
      const copies = await stranger.sealFor(keys, stranger.text(pair.grace, 'Who are you?'), {
        asRequest: true,
        recipientListSequence: 1,
      });
      await pair.post(copies, stranger.session);
      await pair.comes('Who are you?');
      await pair.greet();
      await pair.next((message) => message.as === 'hello');
      expect((await stranger.poll()).envelopes).toEqual([]);
    });
  });
});
