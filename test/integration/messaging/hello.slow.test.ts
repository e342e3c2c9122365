/**
 * `hello`, from and to the app and a program on the library: a relay that hides a newer device list is detected by the sealed
 * reports of devices.
 */

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { InboxEnvelope } from '../../../src/protocol/schemas/inbox.ts';
import { eventually } from '../../support/engine.ts';
import { forge, groupBody, type Target, targetOf } from '../../support/hostile-relay/forgery.ts';
import { floodOfHellos, fromBehind, hellosTo } from '../../support/hostile-relay/hellos.ts';
import type { Party } from '../../support/hostile-relay/parties.ts';
import type { HostileRelay } from '../../support/hostile-relay/proxy.ts';
import { CLOCKED_PARTIES, moveClock, newAcquaintance } from '../../support/hostile-relay/world.ts';
import { newPerson, type Person, TestDevice } from '../../support/person.ts';
import { placeAt } from '../../support/relay-rosters.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe.each(CLOCKED_PARTIES)('%s', (_, newAnn) => {
  let hostile: HostileRelay;
  let ann: Party;
  let target: Target;
  let dora: Person;
  beforeEach(async () => {
    ({ hostile, ann, target, dora } = await newAcquaintance(newAnn));
  });
  afterEach(() => hostile[Symbol.asyncDispose]());

  /** Advances the clock. After hours there are new seal keys, and sessions have expired. */
  async function travel(milliseconds: number): Promise<void> {
    moveClock(milliseconds);
    await dora.login();
    await ann.texts();
    target = await targetOf(hostile, dora.token, ann.address);
  }

  /** All planned hellos are due; Ann sends them before this returns, or at once afterwards. */
  async function greet(): Promise<void> {
    moveClock(11 * MINUTE);
    await dora.login();
    await ann.greet();
  }

  /** Ann's device receives the invented envelopes, and has judged them when this returns. */
  const deliver = (...envelopes: InboxEnvelope[]) => hostile.deliver(target.deviceId, envelopes, ann.texts);

  const receivesHello = (person: Person, count: number) =>
    eventually(
      () => hellosTo(person),
      ({ length }) => length === count,
    );

  test('announces a changed list with its proof to its contacts, once, also over restarts', async () => {
    await ann.changeList();
    // It ends before anything is due, or before it has planned anything.
    await ann.restart();
    await ann.texts();
    await greet();
    const [hello] = await receivesHello(dora, 1);
    expect(hello).toMatchObject({ list: { sequence: 2 }, lists: [{ sequence: 2 }] });
    await ann.restart();
    await ann.texts();
    await greet();
    expect(await hellosTo(dora)).toHaveLength(1);
  });

  test('answers a sender with an older own list with the proof of the newer one, once a day', async () => {
    await ann.changeList();
    await ann.texts();
    await greet();
    await receivesHello(dora, 1);
    await deliver(fromBehind(dora, target), fromBehind(dora, target));
    await travel(23 * HOUR);
    await deliver(fromBehind(dora, target));
    await greet();
    expect(await hellosTo(dora)).toHaveLength(1);
    await travel(HOUR);
    await deliver(fromBehind(dora, target), fromBehind(dora, target));
    await greet();
    const [, answer] = await receivesHello(dora, 2);
    expect(answer?.lists?.map(({ sequence }) => sequence)).toEqual([2]);
    await deliver(fromBehind(dora, target));
    await greet();
    expect(await hellosTo(dora)).toHaveLength(2);
  });

  test('announces nothing to strangers, directly or in a group of theirs', async () => {
    const groupId = await ann.makeGroup('Heron');
    await ann.look(groupId);
    await ann.changeList();
    await ann.texts();
    await greet();
    await receivesHello(dora, 1);
    await travel(25 * HOUR);
    const eve = await newPerson(hostile.relay);
    const body = groupBody(eve.address, groupId, await placeAt(eve, groupId), 'what do you have?');
    await deliver(
      fromBehind(eve, target),
      forge(eve.address, target, { channel: 'group', body }, eve.signer, { groupId }),
      fromBehind(dora, target),
    );
    await greet();
    await receivesHello(dora, 2);
    expect(await hellosTo(eve)).toEqual([]);
  });

  test('continues while recipients of an announcement are unreachable, and announces later', async () => {
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
    hostile.answerTruthfully();
    await ann.restart();
    await ann.texts();
    await greet();
    await receivesHello(dora, 1);
  });

  test('accepts a proof from outside, and seals nothing until the relay shows the list', async () => {
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
    await deliver(fromBehind(dora, target, { kind: 'hello', lists: [dora.list] }));
    expect(await ann.texts()).toEqual(texts);
    const pending = await ann.write(dora.address, 'not for the phone');
    expect(pending).toMatchObject({ state: 'waiting', problem: expect.stringMatching(/devices/) });
    expect(hostile.sent).toHaveLength(before);
    hostile.answerTruthfully();
    await ann.retry(pending);
    await eventually(
      async () => hostile.sent.length,
      (count) => count > before,
    );
    expect(hostile.sent.slice(before).join()).not.toContain(phone.sealKeyText);
  });

  test('a flood of hellos shows nothing, and causes a bounded number of calls', async () => {
    const requests = () =>
      hostile.requests.filter(({ path }) => path.includes(`/keys/${dora.address}`)).length;
    const [before, texts] = [requests(), await ann.texts()];
    await deliver(...floodOfHellos(dora, target));
    // Once for each page of them.
    expect(requests() - before).toBeLessThan(10);
    expect(await ann.texts()).toEqual(texts);
    // None of the lists was accepted, and the last claim is kept.
    expect(await ann.write(dora.address, 'for which devices?')).toMatchObject({ state: 'waiting' });
  });
});
