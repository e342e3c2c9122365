/**
 * A relay that shows other keys than people's own: nothing is sealed for them.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
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

describe.each(PARTIES)('%s', (_, newParty) => {
  let hostile: HostileRelay;
  let ann: Party;
  let ben: Party;
  /** The relay's own wallet and device. */
  let mallory: Person;
  beforeEach(async () => {
    hostile = await HostileRelay.start();
    [ann, ben] = [await newParty(hostile, 'ann'), await newParty(hostile, 'ben')];
    mallory = await newPerson(hostile.relay);
  });
  afterEach(async () => {
    for (const party of [ann, ben]) await party[Symbol.asyncDispose]();
    await hostile[Symbol.asyncDispose]();
  });

  /** Changes what `GET /keys/:address` of Ben's says. */
  function lieAboutBen(change: (keys: AddressKeys) => unknown): void {
    hostile.lie(({ path, status, body }) =>
      path.includes(`/keys/${ben.address}`) && status === 200 ? change(body as AddressKeys) : undefined,
    );
  }

  /** Ann's message fails with a sentence, and nothing has left her computer. Told the truth again, it goes. */
  async function expectNothingSent(sentence: RegExp): Promise<void> {
    const before = hostile.sent.length;
    const message = await ann.write(ben.address, 'for Ben alone');
    expect(message).toMatchObject({ state: 'failed', problem: expect.stringMatching(sentence) });
    expect(hostile.sent.slice(before)).toEqual([]);
    hostile.tellTruth();
    await ann.retry(message);
    await waitForText(ben, 'for Ben alone');
  }

  const UNPROVEN = /cannot be proven/;

  test('keys of the relay’s own wallet are not taken for another’s', async () => {
    const { body: own } = await hostile.relay.call('getKeys', {
      token: mallory.token,
      params: { address: mallory.address },
    });
    lieAboutBen(() => ({ ...own, address: ben.address }));
    await expectNothingSent(UNPROVEN);
  });

  test('a device that the wallet did not certify does not get into the list', async () => {
    const [device] = mallory.list?.devices ?? [];
    lieAboutBen(({ deviceList, ...keys }) => ({
      ...keys,
      deviceList: { ...deviceList, devices: [...deviceList.devices, device] },
    }));
    await expectNothingSent(UNPROVEN);
  });

  test('a list whose fields were changed is none', async () => {
    lieAboutBen((keys) => ({ ...keys, deviceList: { ...keys.deviceList, unsigned: ['api', 'bots'] } }));
    await expectNothingSent(UNPROVEN);
  });

  test('a seal key that the device did not sign is not sealed to', async () => {
    const stranger = importEd25519(randomBytes(32));
    const { publicKey } = importX25519(randomBytes(32));
    lieAboutBen((keys) => {
      const times = { notBefore: Date.now() - 1_000, notAfter: Date.now() + 86_400_000 };
      const forged = signSealKey(ben.address, stranger, publicKey, { sequence: 9, listSequence: 1 }, times);
      const [known] = keys.sealKeys;
      const sealKeys = [{ ...forged, deviceId: known?.deviceId ?? '' }];
      return { ...keys, sealKeys, deviceKeys: [encodeBase64Url(publicKey)] };
    });
    await expectNothingSent(/no device that can read/);
  });

  test('a seal key whose time is over is not sealed to', async () => {
    lieAboutBen((keys) => ({
      ...keys,
      sealKeys: keys.sealKeys.map((key) => ({ ...key, notAfter: '2020-01-01T00:00:00.000Z' })),
    }));
    await expectNothingSent(/no device that can read/);
  });

  /** Someone whom Ann has written to, with two devices. Ann has to ask for their keys again. */
  async function newAcquaintance(): Promise<{ known: string; firstList: Person['list'] }> {
    const firstList = mallory.list;
    await mallory.publishDevices([mallory.device, new TestDevice()]);
    expect(await ann.write(mallory.address, 'seen with two devices')).toMatchObject({ state: 'sent' });
    await ann.restart();
    return { known: mallory.address, firstList };
  }

  /** From now on the relay shows this list of Mallory's, whose wallet has signed it. */
  function show(deviceList: DeviceList | null): void {
    hostile.lie(({ path, status, body }) =>
      path.includes(`/keys/${mallory.address}`) && status === 200
        ? { ...(body as AddressKeys), deviceList }
        : undefined,
    );
  }

  const WAITING = expect.stringMatching(/^Waiting for .+’s current devices/);

  test('an older list is not believed after a newer, nor after a restart', async () => {
    const { known, firstList } = await newAcquaintance();
    show(firstList);
    const before = hostile.sent.length;
    const first = await ann.write(known, 'to whom?');
    expect(first).toMatchObject({ state: 'waiting', problem: WAITING });
    await ann.restart();
    const asked = () => hostile.requests.filter(({ path }) => path.endsWith(known)).length;
    const askedBefore = asked();
    await ann.retry(first);
    await eventually(
      async () => asked(),
      (count) => count > askedBefore,
    );
    expect(hostile.sent.slice(before)).toEqual([]);
  });

  test('of two lists that a wallet signed side by side, none counts until the person chooses', async () => {
    const { known } = await newAcquaintance();
    const seen = mallory.list;
    if (!seen) throw new Error('Mallory has no list');
    const { sequence, previous } = seen;
    const aside = mallory.nextList([mallory.device, new TestDevice()], { sequence, previous });
    mallory.list = aside;
    show(aside);
    const problem = expect.stringMatching(/two different device lists/);
    expect(await ann.write(known, 'while both stand')).toMatchObject({ state: 'failed', problem });
    // Also the one that was seen first: a wallet that signs two is in other hands, or was restored from a backup.
    hostile.tellTruth();
    expect(await ann.write(known, 'with the first shown again')).toMatchObject({ state: 'failed', problem });
  });

  test('a list two ahead counts only with the one between, whatever the relay says of it', async () => {
    const { known } = await newAcquaintance();
    const between = mallory.nextList([mallory.device]);
    mallory.list = between;
    const twoAhead = mallory.nextList([mallory.device, new TestDevice()]);
    show(twoAhead);
    const problem = expect.stringMatching(/does not follow the one before/);
    expect(await ann.write(known, 'with nothing between')).toMatchObject({ state: 'failed', problem });
  });

  test('a fork two ahead is not followed, though its wallet signed all of it', async () => {
    const { known } = await newAcquaintance();
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
        return { histories: histories.map((history) => ({ ...history, lists: [second], more: false })) };
      }
      return path.endsWith(`/keys/${mallory.address}`) && status === 200
        ? { ...(body as AddressKeys), deviceList: third }
        : undefined;
    });
    const problem = expect.stringMatching(/two different device lists/);
    expect(await ann.write(known, 'to whom?')).toMatchObject({ state: 'failed', problem });
  });

  test('an old seal key is not sealed to again once a newer one was shown', async () => {
    const { known } = await newAcquaintance();
    const { device, token, address } = mallory;
    const keys = async () =>
      (await hostile.relay.call('getKeys', { token, params: { address } })).body.sealKeys;
    const old = (await keys()).filter(({ deviceId }) => deviceId === device.id);
    device.rotate();
    const sealKey = device.statement(address, hostile.relay.now());
    await hostile.relay.call('putSealKey', { token, params: { deviceId: device.id }, body: { sealKey } });
    expect(await ann.write(known, 'to the newer key')).toMatchObject({ state: 'sent' });
    hostile.lie(({ path, status, body }) =>
      path.endsWith(`/keys/${address}`) && status === 200
        ? { ...(body as AddressKeys), sealKeys: old, deviceKeys: old.map(({ key }) => key) }
        : undefined,
    );
    await ann.restart();
    const before = hostile.sent.length;
    expect(await ann.write(known, 'to the key before')).toMatchObject({ state: 'waiting', problem: WAITING });
    expect(hostile.sent.slice(before)).toEqual([]);
  });

  test('what a device says of a newer list keeps everything back until the relay shows that list', async () => {
    const { known } = await newAcquaintance();
    await ann.write(known, 'before');
    const shown = mallory.list;
    const { device, token, address } = mallory;
    await mallory.publishDevices([device]);
    // The relay hides the list that dropped the other device, and lets Mallory's message through, which names it.
    show(shown);
    const target = await targetOf(hostile, token, ann.address);
    const message = { channel: 'direct' as const, body: directBody(address, ann.address, 'do you know?') };
    hostile.invent(target.deviceId, forge(address, target, message, mallory.signer));
    await waitForText(ann, 'do you know?');
    const before = hostile.sent.length;
    const held = await ann.write(known, 'for which devices?');
    expect(held).toMatchObject({ state: 'waiting', problem: WAITING });
    expect(hostile.sent.slice(before)).toEqual([]);
    hostile.tellTruth();
    await ann.retry(held);
    await eventually(
      async () => hostile.sent.length,
      (count) => count > before,
    );
  });

  test('keys that are withheld, where there were some, are told', async () => {
    const { known } = await newAcquaintance();
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
    expect(await ann.write(known, 'are you there?')).toMatchObject({
      state: 'waiting',
      problem: WAITING,
    });
  });

  test('a device of a recipient that takes nothing more holds up nothing, once another has the message', async () => {
    const full = new TestDevice();
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
