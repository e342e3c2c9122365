/** Programs on the library, with a relay that tries to give a removed device access to later messages. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { AddressKeys } from '../../../src/protocol/schemas/directory.ts';
import { newBot } from '../../support/bots.ts';
import { HostileRelay } from '../../support/hostile-relay/proxy.ts';
import { newPerson, TestDevice } from '../../support/person.ts';
import { joinAs } from '../../support/relay-rosters.ts';

let hostile: HostileRelay;
beforeAll(async () => {
  hostile = await HostileRelay.start();
});
afterEach(() => hostile.answerTruthfully());
afterAll(() => hostile[Symbol.asyncDispose]());

/** Shows an address with these keys from now on, and accepts envelopes sealed to them. */
function show(address: string, keys: AddressKeys): void {
  hostile.lie(({ path, status }) => (path.endsWith(`/keys/${address}`) && status === 200 ? keys : undefined));
}

async function keysOf(requester: { token: string }, address: string): Promise<AddressKeys> {
  return (await hostile.relay.call('getKeys', { token: requester.token, params: { address } })).body;
}

test('keys from before a newer list in a group are not sealed to', async () => {
  const bot = await newBot(hostile);
  const mallory = await newPerson(hostile.relay);
  const removed = new TestDevice();
  await mallory.publishDevices([mallory.device, removed]);
  const { id } = await bot.client.createGroup('Builds', { open: true });
  await joinAs(mallory, id);
  await bot.client.send(mallory.address, 'to both');
  await mallory.publishDevices([mallory.device]);
  await bot.client.sendToGroup(id, 'to the one that remains');
  const before = hostile.sent.length;
  await bot.client.send(mallory.address, 'to the one that remains');
  expect(hostile.sent.slice(before).join()).not.toContain(removed.sealKeyText);
});

test('a removed own device gets no copies, although the relay shows the older own list', async () => {
  const bot = await newBot(hostile);
  const { identity, client } = bot;
  const other = await newBot(hostile, { wallet: identity.wallet ?? never() });
  const mallory = await newPerson(hostile.relay);
  const account = identity.account();
  await identity.registration(account).ensure();
  await client.send(mallory.address, 'while both are mine');
  const before = await keysOf(mallory, identity.address);
  const key = before.sealKeys.find(({ deviceId }) => deviceId === other.identity.deviceId)?.key ?? never();
  show(identity.address, before);
  const registration = identity.registration(account);
  await registration.remove(other.identity.deviceId);
  const since = hostile.sent.length;
  await client.send(mallory.address, 'after the theft');
  expect(hostile.sent.slice(since).join()).not.toContain(key);
});

function never(): never {
  throw new Error('this cannot be');
}
