/**
 * `hello`, from and to the app and a program on the library: a relay that hides a newer device list is found out by what
 * devices say, sealed.
 */

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { HelloContent } from '../../../src/messaging/contents/kinds/hello.ts';
import { randomBytes } from '../../../src/protocol/crypto.ts';
import { deviceListHash, signDeviceList } from '../../../src/protocol/device-list.ts';
import { encodeBase64Url } from '../../../src/protocol/encoding.ts';
import { decodePayload } from '../../../src/protocol/payload.ts';
import type { InboxEnvelope } from '../../../src/protocol/schemas/inbox.ts';
import { walletFromKey } from '../../../src/protocol/wallet.ts';
import { ClockedEngine } from '../../support/clocked-engine.ts';
import { eventually } from '../../support/engine.ts';
import { directBody, forge, groupBody, type Target, targetOf } from '../../support/hostile-relay/forgery.ts';
import { newApp, newProgram, type Party } from '../../support/hostile-relay/parties.ts';
import { HostileRelay } from '../../support/hostile-relay/proxy.ts';
import { newPerson, type Person, TestDevice } from '../../support/person.ts';
import { placeAt } from '../../support/relay-rosters.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** What a person's device was told by hello, oldest first. */
async function hellosTo(person: Person): Promise<HelloContent[]> {
  const envelopes = await person.inbox();
  return envelopes.flatMap((envelope) => {
    const hello = HelloContent.safeParse(decodePayload(person.openBytes(envelope)).body);
    return hello.success ? [hello.data] : [];
  });
}

describe.each([
  // Chance says that it tells at once.
  ['the app', (relay: HostileRelay) => newApp(relay, 'ann', new ClockedEngine(relay.url))],
  ['a program on the library', (relay: HostileRelay) => newProgram(relay, 'ann')],
])('%s', (_, newAnn) => {
  let hostile: HostileRelay;
  let ann: Party;
  let target: Target;
  /** Ann has written to her. */
  let dora: Person;
  beforeEach(async () => {
    // The clock of this process, which is the relay's and Ann's, moves when a test says so.
    vi.useFakeTimers({ toFake: ['Date'], shouldAdvanceTime: true, now: Date.now() });
    hostile = await HostileRelay.start();
    ann = await newAnn(hostile);
    dora = await newPerson(hostile.relay);
    expect(await ann.write(dora.address, 'hello Dora')).toMatchObject({ state: 'sent' });
    target = await targetOf(hostile, dora.token, ann.address);
  });
  afterEach(async () => {
    vi.useRealTimers();
    await ann[Symbol.asyncDispose]();
    await hostile[Symbol.asyncDispose]();
  });

  /** Time goes by; after hours there are new seal keys, and sessions have ended. */
  async function travel(milliseconds: number): Promise<void> {
    vi.setSystemTime(Date.now() + milliseconds);
    await dora.login();
    await ann.texts();
    target = await targetOf(hostile, dora.token, ann.address);
  }

  /** All that was planned is due, and Ann has told it when this returns, or does so at once. */
  async function greet(): Promise<void> {
    vi.setSystemTime(Date.now() + 11 * MINUTE);
    await dora.login();
    await ann.greet();
  }

  let counter = 0;
  /** A person's device signs words to Ann, sealed as if they knew only her first list. */
  function fromBehind(person: Person, fields: object = {}): InboxEnvelope {
    counter++;
    const body = { ...directBody(person.address, target.address, `message ${counter}`), ...fields };
    return forge(person.address, target, { channel: 'direct', body }, person.signer);
  }

  /** Ann's device gets what was made up, and has judged it when this returns. */
  async function deliver(...envelopes: InboxEnvelope[]): Promise<void> {
    for (const envelope of envelopes) hostile.invent(target.deviceId, envelope);
    await eventually(
      async () => [await ann.texts(), hostile.unacknowledged(target.deviceId)] as const,
      ([, count]) => count === 0,
    );
  }

  const hasBeenTold = (person: Person, count: number) =>
    eventually(
      () => hellosTo(person),
      ({ length }) => length === count,
    );

  test('tells those whom it wrote to of a changed list, with its proof, once, also over restarts', async () => {
    await ann.changeList();
    // It ends before it is time, or before it has planned anything.
    await ann.restart();
    await ann.texts();
    await greet();
    const [told] = await hasBeenTold(dora, 1);
    expect(told).toMatchObject({ list: { sequence: 2 }, lists: [{ sequence: 2 }] });
    await ann.restart();
    await ann.texts();
    await greet();
    expect(await hellosTo(dora)).toHaveLength(1);
  });

  test('answers who seals for an older list of its own with the lists that prove the newer one, once a day', async () => {
    await ann.changeList();
    await ann.texts();
    await greet();
    await hasBeenTold(dora, 1);
    await deliver(fromBehind(dora), fromBehind(dora));
    await travel(23 * HOUR);
    await deliver(fromBehind(dora));
    await greet();
    expect(await hellosTo(dora)).toHaveLength(1);
    await travel(HOUR);
    await deliver(fromBehind(dora), fromBehind(dora));
    await greet();
    const [, answer] = await hasBeenTold(dora, 2);
    expect(answer?.lists?.map(({ sequence }) => sequence)).toEqual([2]);
    await deliver(fromBehind(dora));
    await greet();
    expect(await hellosTo(dora)).toHaveLength(2);
  });

  test('tells strangers nothing, neither directly nor where they name a group', async () => {
    const groupId = await ann.makeGroup('Heron');
    await ann.look(groupId);
    await ann.changeList();
    await ann.texts();
    await greet();
    await hasBeenTold(dora, 1);
    await travel(25 * HOUR);
    const eve = await newPerson(hostile.relay);
    const body = groupBody(eve.address, groupId, await placeAt(eve, groupId), 'what do you have?');
    await deliver(
      fromBehind(eve),
      forge(eve.address, target, { channel: 'group', body }, eve.signer, { groupId }),
      fromBehind(dora),
    );
    await greet();
    await hasBeenTold(dora, 2);
    expect(await hellosTo(eve)).toEqual([]);
  });

  test('fails at nothing while those who are to be told cannot be, and tells them later', async () => {
    await travel(2 * MINUTE);
    hostile.babble(
      (path) => path.includes(`/keys/${dora.address}`),
      (_request, response) => response.destroy(),
    );
    await ann.changeList();
    await ann.texts();
    await greet();
    const fay = await newPerson(hostile.relay);
    expect(await ann.write(fay.address, 'hello Fay')).toMatchObject({ state: 'sent' });
    expect(await hellosTo(dora)).toEqual([]);
    hostile.tellTruth();
    await ann.restart();
    await ann.texts();
    await greet();
    await hasBeenTold(dora, 1);
  });

  test('takes the proof that is brought to it, and seals nothing until the relay shows the list', async () => {
    const phone = new TestDevice();
    await dora.publishDevices([dora.device, phone]);
    await travel(2 * MINUTE);
    expect(await ann.write(dora.address, 'with both devices')).toMatchObject({ state: 'sent' });
    const shown = dora.list;
    await dora.publishDevices([dora.device]);
    hostile.lie(({ path, status, body }) =>
      status === 200 && path.includes(`/keys/${dora.address}`)
        ? { ...(body as object), deviceList: shown }
        : undefined,
    );
    const before = hostile.sent.length;
    const texts = await ann.texts();
    await deliver(fromBehind(dora, { kind: 'hello', lists: [dora.list] }));
    expect(await ann.texts()).toEqual(texts);
    const held = await ann.write(dora.address, 'not for the phone');
    expect(held).toMatchObject({ state: 'waiting', problem: expect.stringMatching(/devices/) });
    expect(hostile.sent).toHaveLength(before);
    hostile.tellTruth();
    await ann.retry(held);
    await eventually(
      async () => hostile.sent.length,
      (count) => count > before,
    );
    expect(hostile.sent.slice(before).join()).not.toContain(phone.sealKeyText);
  });

  test('a flood of hellos shows nothing, and costs a bounded number of calls', async () => {
    const foreign = walletFromKey(randomBytes(32));
    const list = dora.list;
    if (!list) throw new Error('Dora has no list');
    const previous = deviceListHash(dora.address, list);
    const asked = () => hostile.requests.filter(({ path }) => path.includes(`/keys/${dora.address}`)).length;
    const [before, texts] = [asked(), await ann.texts()];
    const flood = Array.from({ length: 90 }, (_each, index) => {
      // Each brings a list that another wallet signed, and names one that there is not.
      const forged = signDeviceList(foreign, { ...list, sequence: 2, previous, issued: list.issued });
      const claimed = { sequence: 100 + index, hash: encodeBase64Url(randomBytes(32)) };
      const body = { ...directBody(dora.address, ann.address, ''), kind: 'hello', lists: [forged] };
      return forge(dora.address, target, { channel: 'direct', body }, { ...dora.signer, list: claimed });
    });
    await deliver(...flood);
    // Once for each page of them.
    expect(asked() - before).toBeLessThan(10);
    expect(await ann.texts()).toEqual(texts);
    // None of the lists was taken, and the last claim stands.
    expect(await ann.write(dora.address, 'for which devices?')).toMatchObject({ state: 'waiting' });
  });
});
