/**
 * A wallet that has signed two contradictory device lists, and lists that a relay hides: the warnings for
 * the person, and their actions.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ContactDetails } from '../../../../src/bridge/shapes/contact.ts';
import type { DeviceList } from '../../../../src/protocol/device-list.ts';
import type { AddressKeys } from '../../../../src/protocol/schemas/directory.ts';
import type { SealKey } from '../../../../src/protocol/seal-key.ts';
import { ClockedEngine } from '../../../support/clocked-engine.ts';
import { callEngine, eventually } from '../../../support/engine.ts';
import { directBody, forge, targetOf } from '../../../support/hostile-relay/forgery.ts';
import {
  conversationWith,
  type Honest,
  messagesOf,
  newHonest,
  waitFor,
  write,
} from '../../../support/hostile-relay/people.ts';
import { HostileRelay } from '../../../support/hostile-relay/proxy.ts';
import { newPerson, type Person, TestDevice } from '../../../support/person.ts';

const DAY = 24 * 3_600_000;

/** The time at which the test began. */
let began: number;
let hostile: HostileRelay;
let engine: ClockedEngine;
let ann: Honest;
/** The person to whom Ann writes. */
let mallory: Person;
let known: Honest;
beforeEach(async () => {
  began = Date.now();
  hostile = await HostileRelay.start();
  engine = new ClockedEngine(hostile.url);
  ann = await newHonest(hostile, 'ann', engine);
  mallory = await newPerson(hostile.relay);
  await mallory.publishDevices([mallory.device, new TestDevice()]);
  known = { engine, address: mallory.address, handle: 'mallory' };
  expect(await write(ann, known, 'seen with two devices')).toMatchObject({ state: 'sent' });
});
afterEach(() => hostile[Symbol.asyncDispose]());

/** From now on the relay shows this list, signed by Mallory’s wallet. Ann requests it again. */
function show(deviceList: DeviceList | null, sealKeys?: SealKey[]): void {
  hostile.lie(({ path, status, body }) =>
    path.includes(`/keys/${mallory.address}`) && status === 200
      ? { ...(body as AddressKeys), deviceList, ...(sealKeys && { sealKeys }) }
      : undefined,
  );
  engine.ahead += 61_000;
}

const details = (): Promise<ContactDetails> =>
  callEngine(engine, 'people.details', { address: mallory.address });
const choose = (hash: string) => callEngine(engine, 'people.chooseList', { address: mallory.address, hash });

/** The relay shows another list of the same number as the newest one. */
function forkList(): { seen: DeviceList; aside: DeviceList; thief: TestDevice } {
  const seen = mallory.list;
  if (!seen) throw new Error('Mallory has no list');
  const thief = new TestDevice();
  const { sequence, previous } = seen;
  const aside = mallory.nextList([mallory.device, thief], { sequence, previous });
  show(aside);
  return { seen, aside, thief };
}

test('with two signed lists the person’s choice of the first one stays, although the relay shows the other', async () => {
  const { seen, aside, thief } = forkList();
  const before = hostile.sent.length;
  const failed = await write(ann, known, 'to whom?');
  expect(failed).toMatchObject({
    state: 'failed',
    problem: { code: 'lists_differ', parameters: { who: expect.stringMatching(/^0x/) as string } },
  });
  expect(hostile.sent.slice(before)).toEqual([]);
  const { problem, fork } = await details();
  expect(problem?.kind).toBe('fork');
  expect(fork).toMatchObject({
    known: { sequence: 2, isShown: false, devices: seen.devices.map(({ deviceId: id }) => ({ id })) },
    other: { sequence: 2, isShown: true, devices: aside.devices.map(({ deviceId: id }) => ({ id })) },
  });
  expect(fork?.other.devices.map(({ id }) => id)).toContain(thief.id);

  const decided = await choose(fork?.known.hash ?? '');
  expect(decided).toMatchObject({ fork: null, problem: { kind: 'waiting' } });
  // A failed message can be retried. It waits while the relay shows the rejected list.
  await callEngine(engine, 'messages.retry', { id: failed.id });
  const stateOf = async () => (await messagesOf(ann)).find(({ id }) => id === failed.id);
  await eventually(stateOf, (message) => message?.state === 'queued' && message.problem !== null);
  expect(hostile.sent.slice(before)).toEqual([]);
  hostile.answerTruthfully();
  await callEngine(engine, 'connection.retry', {});
  await eventually(stateOf, (message) => message?.state === 'sent');
  expect(await details()).toMatchObject({ fork: null, problem: null, listSequence: 2 });
});

test('the person may choose the other list: failed messages are sent to its devices after a retry', async () => {
  const { aside } = forkList();
  const failed = await write(ann, known, 'for the other devices');
  const { fork } = await details();
  expect(await choose(fork?.other.hash ?? '')).toMatchObject({
    fork: null,
    problem: null,
    devices: aside.devices.map(({ deviceId: id }) => ({ id })),
  });
  await callEngine(engine, 'messages.retry', { id: failed.id });
  await eventually(
    () => messagesOf(ann),
    (all) => all.some(({ id, state }) => id === failed.id && state === 'sent'),
  );
  // The earlier list counts neither as a newer one nor as another fork.
  hostile.answerTruthfully();
  engine.ahead += 61_000;
  expect(await details()).toMatchObject({ fork: null, problem: { kind: 'waiting' } });
});

test('choosing an outdated list changes nothing', async () => {
  forkList();
  await write(ann, known, 'to whom?');
  await expect(choose('A'.repeat(43))).rejects.toMatchObject({ code: 'lists_changed' });
  expect((await details()).problem?.kind).toBe('fork');
});

test('a message waiting for hidden devices reports it, keeps the order, and fails after a day with instructions', async () => {
  const shown = mallory.list;
  await mallory.publishDevices([mallory.device]);
  show(shown);
  // Mallory’s words name the newest list.
  const target = await targetOf(hostile, mallory.token, ann.address);
  const body = directBody(mallory.address, ann.address, 'I have a new list');
  hostile.invent(
    target.deviceId,
    forge(mallory.address, target, { channel: 'direct', body }, mallory.signer),
  );
  await waitFor(ann, 'I have a new list');
  expect((await details()).problem).toEqual({
    kind: 'waiting',
    failure: { code: 'keys_withheld', parameters: { who: expect.stringMatching(/^0x/) } },
  });
  const before = hostile.sent.length;
  const first = await write(ann, known, 'first');
  expect(first).toMatchObject({ state: 'queued', problem: { code: 'keys_withheld' } });
  await callEngine(engine, 'messages.send', {
    conversationId: (await conversationWith(ann, known)).id,
    text: 'second',
  });
  const find = async (text: string) => (await messagesOf(ann)).find((message) => message.text === text);
  expect(await find('second')).toMatchObject({ state: 'queued' });
  expect(hostile.sent.slice(before)).toEqual([]);

  engine.ahead += DAY + 1_000;
  await callEngine(engine, 'connection.retry', {});
  const failed = await eventually(
    () => find('first'),
    (message) => message?.state === 'failed',
  );
  expect(failed?.problem).toMatchObject({
    code: 'keys_withheld_long',
    parameters: { who: expect.stringMatching(/^0x/) as string },
  });
  // Retried, it waits again.
  await callEngine(engine, 'messages.retry', { id: first.id });
  await eventually(
    () => find('first'),
    (message) => message?.state === 'queued' && message.problem !== null,
  );
  expect(hostile.sent.slice(before)).toEqual([]);
});

test('the line about devices names additions and removals until it is read', async () => {
  const change = async () => {
    const conversation = await conversationWith(ann, known);
    return conversation.kind === 'direct' ? conversation.devicesChange : null;
  };
  expect(await change()).toBeNull();
  await mallory.publishDevices([mallory.device]);
  engine.ahead += 61_000;
  await details();
  expect(await change()).toMatchObject({ added: 0, removed: 1 });
  await mallory.publishDevices([mallory.device, new TestDevice(), new TestDevice()]);
  engine.ahead += 61_000;
  await details();
  expect(await change()).toMatchObject({ added: 2, removed: 1 });
  await callEngine(engine, 'conversations.acknowledgeDevices', {
    id: (await conversationWith(ann, known)).id,
  });
  expect(await change()).toBeNull();
});

test('details show since when no device of a contact was seen, after a fortnight', async () => {
  const seenAt = (await details()).notSeenSince;
  expect(seenAt).toBeNull();
  engine.ahead += 13 * DAY;
  expect((await details()).notSeenSince).toBeNull();
  engine.ahead += 2 * DAY;
  const { notSeenSince } = await details();
  expect(notSeenSince).toBeGreaterThanOrEqual(began);
  expect(notSeenSince).toBeLessThanOrEqual(Date.now());
});
