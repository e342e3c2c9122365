/**
 * A relay that lies while a computer is linked: it swaps the data that the two computers exchange through it.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { importEd25519, randomBytes } from '../../../../src/protocol/crypto.ts';
import { type DeviceList, listReferenceOf } from '../../../../src/protocol/device-list.ts';
import { encodeBase64Url } from '../../../../src/protocol/encoding.ts';
import type { LinkOffer } from '../../../../src/protocol/linking/offer.ts';
import { callEngine, eventually, linkEngines, setUp, type TestEngine } from '../../../support/engine.ts';
import { HostileRelay } from '../../../support/hostile-relay/proxy.ts';
import { LocalEngine } from '../../../support/local-engine.ts';
import { newPerson } from '../../../support/person.ts';

const embedded = { kind: 'embedded' as const };
const unproven = { code: 'link_unproven' };

let hostile: HostileRelay;
let laptop: TestEngine;
let desktop: TestEngine;
let address: string;
beforeEach(async () => {
  hostile = await HostileRelay.start();
  laptop = hostile.use(await new LocalEngine(hostile.url).start());
  desktop = hostile.use(await new LocalEngine(hostile.url).start());
  address = (await setUp(laptop, 'ann')).address.toLowerCase();
});
afterEach(() => hostile[Symbol.asyncDispose]());

const start = async () => (await callEngine(desktop, 'setup.startLink', { relay: embedded })).code;
const give = (code: string) =>
  callEngine(laptop, 'devices.link', { code, withHistory: false, passphrase: null });
const look = () => callEngine(desktop, 'setup.findOffer', {});
/** Shows device lists of Ann that do not exist. */
function showLists(change: (list: DeviceList) => DeviceList): void {
  hostile.lie(({ path, body, status }) => {
    if (status !== 200 || !path.includes(`/keys/${address}`)) return undefined;
    const answer = body as { deviceList?: DeviceList; lists?: DeviceList[] };
    if (answer.deviceList)
      return { ...answer, deviceList: change(answer.deviceList), sealKeys: [], deviceKeys: [] };
    return { ...answer, lists: answer.lists?.map(change) };
  });
}
function swapOffer(swap: (offer: LinkOffer) => LinkOffer): void {
  hostile.lie(({ method, path, status, body }) =>
    method === 'GET' && path.endsWith('/offer') && status === 200 ? swap(body as LinkOffer) : undefined,
  );
}
const published = async () => {
  const { token } = await newPerson(hostile.relay);
  return (await hostile.relay.call('getKeys', { token, params: { address } })).body.deviceList;
};

test('a key in place of the new computer’s is not signed', async () => {
  const code = await start();
  const key = encodeBase64Url(importEd25519(randomBytes(32)).publicKey);
  hostile.lie(({ method, path, status, body }) =>
    method === 'GET' && /\/links\/[\w-]+$/.test(path) && status === 200
      ? { ...(body as object), key }
      : undefined,
  );
  // The client does not accept it as an answer to this call.
  await expect(give(code)).rejects.toMatchObject({
    code: expect.stringMatching(/^(?:relay_|link_unproven)/),
  });
  expect((await published()).devices).toHaveLength(1);
});

test('an offer with another list than the wallet signed is not joined', async () => {
  const code = await start();
  await give(code);
  swapOffer((offer) => ({
    ...offer,
    list: { ...offer.list, hash: encodeBase64Url(randomBytes(32)) },
  }));
  await expect(look()).rejects.toMatchObject(unproven);
  expect((await callEngine(desktop, 'app.state', {})).phase).toBe('new');
});

test('an offer for another account names that account, and joins nothing without this computer', async () => {
  const mallory = hostile.use(await new LocalEngine(hostile.url).start());
  const hers = (await setUp(mallory, 'mallory')).address.toLowerCase();
  const code = await start();
  await give(code);
  swapOffer((offer) => ({ ...offer, address: hers }));
  await expect(look()).rejects.toMatchObject(unproven);
  await expect(
    callEngine(desktop, 'setup.finish', { relay: embedded, identity: { kind: 'link', address: hers } }),
  ).rejects.toMatchObject({ code: 'link_gone' });
});

test('a replayed list without this computer is not joined', async () => {
  const before = await published();
  const code = await start();
  await give(code);
  showLists(() => before);
  await expect(look()).rejects.toMatchObject(unproven);
});

test('a list without this computer, offered and shown, is not joined', async () => {
  const before = await published();
  const code = await start();
  await give(code);
  swapOffer((offer) => ({ ...offer, list: listReferenceOf(address, before) }));
  showLists(() => before);
  await expect(look()).rejects.toMatchObject(unproven);
});

test('an unsigned list is not joined', async () => {
  const code = await start();
  await give(code);
  showLists((list) => ({ ...list, unsigned: ['api'] }));
  await expect(look()).rejects.toMatchObject(unproven);
});

test('after joining, a computer believes no older list', async () => {
  const code = await start();
  await give(code);
  const { offer } = await look();
  const identity = { kind: 'link' as const, address: offer?.address ?? '' };
  await callEngine(desktop, 'setup.finish', { relay: embedded, identity });
  const joined = await published();
  await callEngine(laptop, 'developer.unlock', {});
  // It has seen the newer list, and the relay shows the older one again.
  await callEngine(desktop, 'connection.retry', {});
  await eventually(
    () => callEngine(desktop, 'developer.get', {}),
    ({ unlocked }) => unlocked,
  );
  showLists(() => joined);
  await callEngine(desktop, 'connection.retry', {});
  expect((await callEngine(desktop, 'developer.get', {})).unlocked).toBe(true);
});

test('a replayed offer does not restore a removed computer', async () => {
  const me = await linkEngines(laptop, desktop);
  await callEngine(laptop, 'devices.revoke', { id: me.deviceId });
  await eventually(
    () => callEngine(desktop, 'connection.get', {}),
    ({ problem }) => problem?.code === 'device_refused',
  );
  expect((await published()).devices).toHaveLength(1);
});
