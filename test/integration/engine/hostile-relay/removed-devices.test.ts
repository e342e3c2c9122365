/**
 * A relay that tries to give a removed device access to later messages: it shows earlier lists and keys at
 * the right moment.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openCache } from '../../../../src/engine/cache/database.ts';
import type { AddressKeys } from '../../../../src/protocol/schemas/directory.ts';
import { callEngine, eventually } from '../../../support/engine.ts';
import { directBody, forge, targetOf } from '../../../support/hostile-relay/forgery.ts';
import { type Honest, messagesOf, newHonest, waitFor, write } from '../../../support/hostile-relay/people.ts';
import { HostileRelay } from '../../../support/hostile-relay/proxy.ts';
import { LocalEngine } from '../../../support/local-engine.ts';
import { newPerson, type Person, TestDevice } from '../../../support/person.ts';

let hostile: HostileRelay;
/** Writes to Mallory, whose wallet this test controls. */
let ann: Honest;
let mallory: Person;
/** Mallory's second device, which is removed. */
let removed: TestDevice;
beforeEach(async () => {
  hostile = await HostileRelay.start();
  ann = await newHonest(hostile, 'ann');
  mallory = await newPerson(hostile.relay);
  removed = new TestDevice();
  await mallory.publishDevices([mallory.device, removed]);
});
afterEach(() => hostile[Symbol.asyncDispose]());

const asHonest = (): Honest => ({ engine: ann.engine, address: mallory.address, handle: 'mallory' });

/** The relay's current data of an address. */
async function keysOf(address: string): Promise<AddressKeys> {
  const { body } = await hostile.relay.call('getKeys', { token: mallory.token, params: { address } });
  return body;
}

/** Shows an address with these keys from now on. */
function show(address: string, keys: () => AddressKeys): void {
  hostile.lie(({ path, status }) =>
    path.endsWith(`/keys/${address}`) && status === 200 ? keys() : undefined,
  );
}

/** Sets the time at which keys were fetched. The pins stay unchanged. */
async function setFetchedAt({ engine }: Honest, at: number): Promise<void> {
  await engine.close();
  const cache = openCache(engine.folder.path, engine.key);
  cache.prepare('UPDATE contacts SET fetched_at = ?').run(at);
  cache.close();
  await engine.start();
}

/** Reports whether an envelope posted since is for a seal key. */
function wasSealedTo(key: string, since: number): boolean {
  return hostile.sent.slice(since).some((body) => body.includes(key));
}

test('a removed own computer gets no copies although the relay shows the older own list', async () => {
  const desktop = hostile.use(await new LocalEngine(hostile.url).start());
  const { words, places } = await callEngine(desktop, 'setup.newPhrase', {});
  const answers = places.map((place) => words[place - 1] ?? '');
  const relay = { kind: 'embedded' as const };
  await callEngine(desktop, 'setup.finish', { relay, identity: { kind: 'new', answers } });
  const laptop = hostile.use(await new LocalEngine(hostile.url).start());
  const identity = { kind: 'import' as const, secret: words.join(' ') };
  const { address: shown } = await callEngine(laptop, 'setup.finish', { relay, identity });
  const own: Honest = { engine: laptop, address: shown.toLowerCase(), handle: 'own' };
  const devices = await callEngine(laptop, 'devices.list', {});
  const other = devices.find(({ isThis }) => !isThis)?.id ?? '';
  const keyOf = ({ sealKeys }: AddressKeys) => sealKeys.find(({ deviceId }) => deviceId === other);
  const early = await keysOf(own.address);
  // The desktop renews its key for the list with the laptop, at a moment of its own.
  const before = await eventually(
    () => keysOf(own.address),
    (shown) => keyOf(shown)?.listSequence === 2,
  );
  const keys = [keyOf(early)?.key ?? '', keyOf(before)?.key ?? ''];
  const to: Honest = { engine: laptop, address: mallory.address, handle: 'mallory' };
  await write(own, to, 'while both are mine');
  expect(keys.some((key) => wasSealedTo(key, 0))).toBe(true);
  await desktop.close();
  show(own.address, () => before);
  await callEngine(laptop, 'devices.revoke', { id: other }).catch(() => undefined);
  const since = hostile.sent.length;
  await write(own, to, 'after the theft');
  expect(keys.some((key) => wasSealedTo(key, since))).toBe(false);
});

test('a list without usable keys ends the keys of the devices that it leaves out', async () => {
  expect(await write(ann, asHonest(), 'to both')).toMatchObject({ state: 'sent' });
  const old = await keysOf(mallory.address);
  // The remaining device has a newer key, which Ann has seen.
  mallory.device.rotate();
  await mallory.publishSealKey();
  await setFetchedAt(ann, 0);
  expect(await write(ann, asHonest(), 'to both again')).toMatchObject({ state: 'sent' });
  await mallory.publishDevices([mallory.device]);
  const list = mallory.list;
  if (!list) throw new Error('Mallory has no list');
  show(mallory.address, () => ({ ...old, deviceList: list }));
  await setFetchedAt(ann, 0);
  const since = hostile.sent.length;
  // Ann receives the list while her copy of the keys is still fresh, as after a check of a common group.
  await callEngine(ann.engine, 'people.details', { address: mallory.address });
  await setFetchedAt(ann, Date.now());
  await write(ann, asHonest(), 'to the one that remains');
  expect(wasSealedTo(removed.sealKeyText, since)).toBe(false);
});

test('pending copies are not posted once one of their devices is known to be removed', async () => {
  expect(await write(ann, asHonest(), 'to both')).toMatchObject({ state: 'sent' });
  // The relay accepts nothing for now.
  let refuses = true;
  const target = await targetOf(hostile, mallory.token, ann.address);
  hostile.babble(
    (path) => refuses && path.endsWith('/envelopes'),
    (_request, response) => {
      response.writeHead(503, { 'content-type': 'application/problem+json' });
      response.end('{}');
    },
  );
  const { id } = await callEngine(ann.engine, 'conversations.open', { address: mallory.address });
  await callEngine(ann.engine, 'messages.send', { conversationId: id, text: 'waits' });
  await eventually(
    async () => hostile.sent.length,
    (n) => n > 1,
  );
  const shown = await keysOf(mallory.address);
  await mallory.publishDevices([mallory.device]);
  const list = mallory.list;
  if (!list) throw new Error('Mallory has no list');
  show(mallory.address, () => shown);
  const stated = directBody(mallory.address, ann.address, 'told');
  for (const body of [
    { ...directBody(mallory.address, ann.address, 'x'), kind: 'hello', lists: [list] },
    stated,
  ]) {
    const message = { channel: 'direct' as const, body };
    hostile.invent(target.deviceId, forge(mallory.address, target, message, mallory.signer));
  }
  await waitFor(ann, 'told');
  const since = hostile.sent.length;
  refuses = false;
  await callEngine(ann.engine, 'connection.retry', {});
  await eventually(
    () => messagesOf(ann),
    (all) =>
      all.some(
        ({ text, state, problem }) =>
          text === 'waits' && (state !== 'queued' || problem?.code === 'keys_withheld'),
      ),
  );
  expect(wasSealedTo(removed.sealKeyText, since)).toBe(false);
});
