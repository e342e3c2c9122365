/** A relay that shows false keys for people: nothing is sealed for them. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { importEd25519, importX25519, randomBytes } from '../../../../src/protocol/crypto.ts';
import type { DeviceList } from '../../../../src/protocol/device-list.ts';
import { encodeBase64Url } from '../../../../src/protocol/encoding.ts';
import type { AddressKeys, KeyHistories } from '../../../../src/protocol/schemas/directory.ts';
import type { Envelope, SendResult } from '../../../../src/protocol/schemas/envelopes.ts';
import { signSealKey } from '../../../../src/protocol/seal-key.ts';
import { eventually } from '../../../support/engine.ts';
import { directBody, forge, targetOf } from '../../../support/hostile-relay/forgery.ts';
import { PARTIES, type Party, waitForText } from '../../../support/hostile-relay/parties.ts';
import { HostileRelay } from '../../../support/hostile-relay/proxy.ts';
import { newPerson, type Person, TestDevice } from '../../../support/person.ts';

/** Number of tests that need a known contact of Ann's. */
const KNOWN = 7;

describe.each(PARTIES)('%s', (_, newParty) => {
  let hostile: HostileRelay;
  let ann: Party;
  /** People with two devices, to whom Ann has written. Ann has to request their keys again. */
  let known: Acquaintance[];
  beforeAll(async () => {
    hostile = await HostileRelay.start();
    ann = await newParty(hostile, 'ann');
    known = await Promise.all(Array.from({ length: KNOWN }, newAcquaintance));
    await ann.restart();
  });
  afterEach(() => hostile.answerTruthfully());
  afterAll(() => hostile[Symbol.asyncDispose]());

  interface Acquaintance {
    person: Person;
    firstList: Person['list'];
  }

  async function newAcquaintance(): Promise<Acquaintance> {
    const person = await newPerson(hostile.relay);
    const firstList = person.list;
    await person.publishDevices([person.device, new TestDevice()]);
    expect(await ann.write(person.address, 'seen with two devices')).toMatchObject({ state: 'sent' });
    return { person, firstList };
  }

  /** One of them for each test. */
  function anAcquaintance(): Acquaintance {
    const next = known.pop();
    if (!next) throw new Error('Ann knows too few people');
    return next;
  }

  /** Envelopes posted for someone. */
  const sentTo = ({ address }: Person) => hostile.sent.filter((body) => body.includes(address));

  /** Changes the answer of `GET /keys/:address` about someone. */
  function lieAbout({ address }: Person, change: (keys: AddressKeys) => unknown): void {
    hostile.lie(({ path, status, body }) =>
      path.includes(`/keys/${address}`) && status === 200 ? change(body as AddressKeys) : undefined,
    );
  }

  /**
   * Checks that Ann's first message to Ben fails with a sentence before anything leaves her computer, and is
   * sent once the relay shows the true keys.
   */
  async function expectNothingSent(ben: Person, sentence: RegExp): Promise<void> {
    const message = await ann.write(ben.address, 'for Ben alone');
    expect(message).toMatchObject({ state: 'failed', problem: expect.stringMatching(sentence) });
    expect(sentTo(ben)).toEqual([]);
    hostile.answerTruthfully();
    await ann.retry(message);
    const [envelope] = await eventually(
      () => ben.inbox(),
      ({ length }) => length > 0,
    );
    expect(envelope && ben.open(envelope)).toContain('for Ben alone');
  }

  const UNPROVEN = /cannot be proven/;

  test('invented keys of another wallet are refused', async () => {
    const [ben, mallory] = [await newPerson(hostile.relay), await newPerson(hostile.relay)];
    const { body: own } = await hostile.relay.call('getKeys', {
      token: mallory.token,
      params: { address: mallory.address },
    });
    lieAbout(ben, () => ({ ...own, address: ben.address }));
    await expectNothingSent(ben, UNPROVEN);
  });

  test('a device without the wallet’s certificate does not get into the list', async () => {
    const [ben, mallory] = [await newPerson(hostile.relay), await newPerson(hostile.relay)];
    const [device] = mallory.list?.devices ?? [];
    lieAbout(ben, ({ deviceList, ...keys }) => ({
      ...keys,
      deviceList: { ...deviceList, devices: [...deviceList.devices, device] },
    }));
    await expectNothingSent(ben, UNPROVEN);
  });

  test('a list with changed fields is refused', async () => {
    const ben = await newPerson(hostile.relay);
    lieAbout(ben, (keys) => ({ ...keys, deviceList: { ...keys.deviceList, unsigned: ['api'] } }));
    await expectNothingSent(ben, UNPROVEN);
  });

  test('a seal key without the device’s signature is not sealed to', async () => {
    const ben = await newPerson(hostile.relay);
    const stranger = importEd25519(randomBytes(32));
    const { publicKey } = importX25519(randomBytes(32));
    lieAbout(ben, (keys) => {
      const times = { notBefore: Date.now() - 1_000, notAfter: Date.now() + 86_400_000 };
      const forged = signSealKey(ben.address, stranger, publicKey, { sequence: 9, listSequence: 1 }, times);
      const [known] = keys.sealKeys;
      const sealKeys = [{ ...forged, deviceId: known?.deviceId ?? '' }];
      return { ...keys, sealKeys, deviceKeys: [encodeBase64Url(publicKey)] };
    });
    await expectNothingSent(ben, /no device that can read/);
  });

  test('an expired seal key is not sealed to', async () => {
    const ben = await newPerson(hostile.relay);
    lieAbout(ben, (keys) => ({
      ...keys,
      sealKeys: keys.sealKeys.map((key) => ({ ...key, notAfter: '2020-01-01T00:00:00.000Z' })),
    }));
    await expectNothingSent(ben, /no device that can read/);
  });

  /** From now on the relay shows this list of someone, whose wallet has signed it. */
  function show(person: Person, deviceList: DeviceList | null): void {
    lieAbout(person, (keys) => ({ ...keys, deviceList }));
  }

  const WAITING = expect.stringMatching(/^Waiting for .+’s current devices/);

  test('an older list is not accepted after a newer one, also after a restart', async () => {
    const { person: mallory, firstList } = anAcquaintance();
    show(mallory, firstList);
    const before = sentTo(mallory).length;
    const first = await ann.write(mallory.address, 'to whom?');
    expect(first).toMatchObject({ state: 'waiting', problem: WAITING });
    await ann.restart();
    const requests = () => hostile.requests.filter(({ path }) => path.endsWith(mallory.address)).length;
    const requestsBefore = requests();
    await ann.retry(first);
    await eventually(
      async () => requests(),
      (count) => count > requestsBefore,
    );
    expect(sentTo(mallory).slice(before)).toEqual([]);
  });

  test('neither of two contradictory lists counts until the person chooses', async () => {
    const { person: mallory } = anAcquaintance();
    const seen = mallory.list;
    if (!seen) throw new Error('Mallory has no list');
    const { sequence, previous } = seen;
    const aside = mallory.nextList([mallory.device, new TestDevice()], { sequence, previous });
    mallory.list = aside;
    show(mallory, aside);
    const problem = expect.stringMatching(/two different device lists/);
    expect(await ann.write(mallory.address, 'while both stand')).toMatchObject({ state: 'failed', problem });
    // Also the first one: a wallet that signs two lists is in other hands, or was restored from a backup.
    hostile.answerTruthfully();
    expect(await ann.write(mallory.address, 'with the first shown again')).toMatchObject({
      state: 'failed',
      problem,
    });
  });

  test('a list two ahead counts only with the one between', async () => {
    const { person: mallory } = anAcquaintance();
    const between = mallory.nextList([mallory.device]);
    mallory.list = between;
    const twoAhead = mallory.nextList([mallory.device, new TestDevice()]);
    show(mallory, twoAhead);
    const problem = expect.stringMatching(/does not follow the one before/);
    expect(await ann.write(mallory.address, 'with nothing between')).toMatchObject({
      state: 'failed',
      problem,
    });
  });

  test('a fork two ahead is not followed, although its wallet signed all of it', async () => {
    const { person: mallory } = anAcquaintance();
    const seen = mallory.list;
    if (!seen) throw new Error('Mallory has no list');
    const { sequence, previous } = seen;
    const aside = mallory.nextList([mallory.device], { sequence, previous });
    mallory.list = aside;
    const second = mallory.nextList([mallory.device, new TestDevice()]);
    mallory.list = second;
    const third = mallory.nextList([mallory.device, new TestDevice()]);
    hostile.lie(({ path, status, body }) => {
      if (path.endsWith('/keys/history')) {
        const { histories } = body as KeyHistories;
        return {
          histories: histories.map((history) =>
            history.address === mallory.address ? { ...history, lists: [second], more: false } : history,
          ),
        };
      }
      return path.endsWith(`/keys/${mallory.address}`) && status === 200
        ? { ...(body as AddressKeys), deviceList: third }
        : undefined;
    });
    const problem = expect.stringMatching(/two different device lists/);
    expect(await ann.write(mallory.address, 'to whom?')).toMatchObject({ state: 'failed', problem });
  });

  test('an old seal key is not sealed to again once a newer one was shown', async () => {
    const { person: mallory } = anAcquaintance();
    const { device, token, address } = mallory;
    const keys = async () =>
      (await hostile.relay.call('getKeys', { token, params: { address } })).body.sealKeys;
    const old = (await keys()).filter(({ deviceId }) => deviceId === device.id);
    device.rotate();
    const sealKey = device.statement(address, hostile.relay.now());
    await hostile.relay.call('putSealKey', { token, params: { deviceId: device.id }, body: { sealKey } });
    expect(await ann.write(mallory.address, 'to the newer key')).toMatchObject({ state: 'sent' });
    hostile.lie(({ path, status, body }) =>
      path.endsWith(`/keys/${address}`) && status === 200
        ? { ...(body as AddressKeys), sealKeys: old, deviceKeys: old.map(({ key }) => key) }
        : undefined,
    );
    await ann.restart();
    const before = sentTo(mallory).length;
    expect(await ann.write(mallory.address, 'to the key before')).toMatchObject({
      state: 'waiting',
      problem: WAITING,
    });
    expect(sentTo(mallory).slice(before)).toEqual([]);
  });

  test('a device’s claim of a newer list keeps everything waiting until the relay shows that list', async () => {
    const { person: mallory } = anAcquaintance();
    await ann.write(mallory.address, 'before');
    const shown = mallory.list;
    const { device, token, address } = mallory;
    await mallory.publishDevices([device]);
    // The relay hides the list that dropped the other device, and delivers Mallory's message, which names it.
    show(mallory, shown);
    const target = await targetOf(hostile, token, ann.address);
    const message = { channel: 'direct' as const, body: directBody(address, ann.address, 'do you know?') };
    hostile.invent(target.deviceId, forge(address, target, message, mallory.signer));
    await waitForText(ann, 'do you know?');
    const before = sentTo(mallory).length;
    const pending = await ann.write(mallory.address, 'for which devices?');
    expect(pending).toMatchObject({ state: 'waiting', problem: WAITING });
    expect(sentTo(mallory).slice(before)).toEqual([]);
    hostile.answerTruthfully();
    await ann.retry(pending);
    await eventually(
      async () => sentTo(mallory).length,
      (count) => count > before,
    );
  });

  test('withheld keys are reported if there were some before', async () => {
    const { person: mallory } = anAcquaintance();
    hostile.lie((passing) => {
      if (!passing.path.includes(`/keys/${mallory.address}`)) return undefined;
      passing.status = 404;
      return {
        type: 'about:blank',
        title: 'Not found',
        status: 404,
        code: 'not_found',
        detail: 'Nobody',
        requestId: 'x',
      };
    });
    expect(await ann.write(mallory.address, 'are you there?')).toMatchObject({
      state: 'waiting',
      problem: WAITING,
    });
  });

  test('a full device of a recipient delays nothing once another has the message', async () => {
    const [mallory, full] = [await newPerson(hostile.relay), new TestDevice()];
    await mallory.publishDevices([mallory.device, full]);
    const isFull = (envelope: Envelope) => envelope.recipientDeviceKey === full.sealKeyText;
    hostile.lie(({ method, path, body }) => {
      if (method !== 'POST' || !path.endsWith('/envelopes')) return undefined;
      const { envelopes = [] } = JSON.parse(hostile.requests.at(-1)?.body ?? '{}') as {
        envelopes?: Envelope[];
      };
      const { results } = body as { results: SendResult[] };
      const error = { code: 'inbox_full', detail: 'This queue is full.' };
      return {
        results: results.map((result, index) => {
          const envelope = envelopes[index];
          return envelope && isFull(envelope) ? { status: 'rejected', error } : result;
        }),
      };
    });
    for (const text of ['the first', 'what comes after'])
      expect(await ann.write(mallory.address, text)).toMatchObject({ state: 'sent' });
  });
});
