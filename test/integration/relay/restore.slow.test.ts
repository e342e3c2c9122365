/**
 * A relay restored from yesterday's backup: clients return the lost data to it, by the plain protocol.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { DeviceList } from '../../../src/protocol/device-list.ts';
import { encodeTime } from '../../../src/protocol/encoding.ts';
import { apiKeyOf, newPerson, type Person, TestDevice } from '../../support/person.ts';
import { TestRelay } from '../../support/relay.ts';
import { backUp, restore } from '../../support/restore.ts';

const HOUR = 3_600_000;

const relay = new TestRelay({ admin: true });
beforeAll(() => relay.start());
afterAll(() => relay[Symbol.asyncDispose]());
beforeEach(() => {
  relay.ahead = 0;
});

/** Twenty hours have passed since the backup. */
async function restoreLater(file: string): Promise<void> {
  relay.ahead = 20 * HOUR;
  await restore(relay, file);
}

const publish = (person: Person, deviceList: DeviceList | null) =>
  relay.call('putDevices', { token: person.token, body: { deviceList, sealKeys: [] } });

async function claim(person: Person, handle: string): Promise<void> {
  const { body } = await relay.call('putHandle', { token: person.token, body: { handle } });
  expect(body.handle).toBe(handle);
}

async function renewed(person: Person, device: TestDevice): Promise<string> {
  const body = person.renewal(encodeTime(relay.now()), relay.domain, device);
  return (await relay.call('createSession', { body })).body.token;
}

test('an account opened after the backup is reopened by its wallet, with the same list, key and handle', async () => {
  const ann = await newPerson(relay);
  const file = await backUp(relay);
  const cat = await newPerson(relay);
  await claim(cat, 'cat_restored');
  const sealKey = cat.device.statement(cat.address, relay.now());
  const { list, address } = cat;
  await restoreLater(file);

  await relay.refuse('unauthorized', 'getMe', { token: cat.token });
  await relay.refuse('unauthorized', 'createSession', { body: cat.renewal() });
  await Promise.all([ann.login(), cat.login()]);
  const params = { address };
  await relay.refuse('not_found', 'getKeys', { token: ann.token, params });
  await publish(cat, list);
  const device = { deviceId: cat.device.id };
  await relay.call('putSealKey', { token: cat.token, params: device, body: { sealKey } });
  await claim(cat, 'cat_restored');

  cat.token = await renewed(cat, cat.device);
  const { body: keys } = await relay.call('getKeys', { token: ann.token, params });
  expect(keys).toMatchObject({ deviceList: list, sealKeys: [sealKey], profile: { handle: 'cat_restored' } });
  await relay.call('sendEnvelopes', { token: ann.token, body: ann.seal(cat, cat.device, 'welcome back') });
  expect((await cat.inbox()).map((envelope) => cat.open(envelope))).toEqual(['welcome back']);
});

test('device lists newer than the backup are restored one after the other, and then seal key and handle', async () => {
  const [ann, ben] = [await newPerson(relay), await newPerson(relay)];
  const [phone, tablet] = [ann.device, new TestDevice()];
  await claim(ann, 'ann_before');
  const first = ann.list;
  const file = await backUp(relay);

  const toForgotten = ben.seal(ann, phone, 'for the key of the backup');
  const second = ann.nextList([phone, tablet]);
  await publish(ann, second);
  ann.list = second;
  await ann.publishSealKey(tablet);
  const third = ann.nextList([phone, tablet], { unsigned: ['api'] });
  await publish(ann, third);
  phone.rotateInTurn();
  const sealKey = phone.statement(ann.address, relay.now(), 20 * 24 * HOUR, 3);
  const params = { deviceId: phone.id };
  await relay.call('putSealKey', { token: ann.token, params, body: { sealKey } });
  await claim(ann, 'ann_after');
  await restoreLater(file);

  ann.token = await renewed(ann, phone);
  await ben.login();
  const keys = { token: ben.token, params: { address: ann.address } };
  expect((await relay.call('getKeys', keys)).body).toMatchObject({
    deviceList: first,
    profile: { handle: 'ann_before' },
  });
  // A device that only the lost lists name waits for them.
  const early = ann.renewal(encodeTime(relay.now()), relay.domain, tablet);
  await relay.refuse('unauthorized', 'createSession', { body: early });
  const ahead = { token: ann.token, body: { deviceList: third, sealKeys: [] } };
  await relay.refuse('device_list_conflict', 'putDevices', ahead);
  await relay.refuse('seal_key_conflict', 'putSealKey', { token: ann.token, params, body: { sealKey } });
  for (const list of [second, third]) await publish(ann, list);
  await relay.call('putSealKey', { token: ann.token, params, body: { sealKey } });
  const tabletToken = await renewed(ann, tablet);
  const statement = tablet.statement(ann.address, relay.now());
  await relay.call('putSealKey', {
    token: tabletToken,
    params: { deviceId: tablet.id },
    body: { sealKey: statement },
  });
  await claim(ann, 'ann_after');

  const { body: after } = await relay.call('getKeys', keys);
  expect(after).toMatchObject({ deviceList: third, profile: { handle: 'ann_after' } });
  expect(after.sealKeys).toEqual([sealKey, statement]);
  const { body: history } = await relay.call('getKeyHistory', { ...keys, query: {} });
  expect(history.lists).toEqual([first, second, third]);
  // Its private half was erased long ago: envelopes sealed to it could never be read.
  await relay.refuse('unknown_device', 'sendEnvelopes', { token: ben.token, body: toForgotten });
});

test('mail acknowledged after the backup arrives again, and lost mail is delivered when it is sent again', async () => {
  const [ann, ben] = [await newPerson(relay), await newPerson(relay)];
  const send = (body: object) => relay.call('sendEnvelopes', { token: ann.token, body });
  const old = ann.seal(ben, ben.device, 'read before and after');
  const { body: accepted } = await send(old);
  const file = await backUp(relay);

  const [arrived] = await ben.inbox();
  const ids = [arrived?.id ?? ''];
  await relay.call('acknowledge', { token: ben.token, body: { device: ben.device.id, ids } });
  expect(await ben.inbox()).toEqual([]);
  const lost = ann.seal(ben, ben.device, 'lost with the relay');
  const { status, body: before } = await send(lost);
  await restoreLater(file);

  await Promise.all([ann.login(), ben.login()]);
  expect(await ben.inbox()).toEqual([arrived]);
  const { status: statusAfter, body: after } = await send(lost);
  expect([status, statusAfter]).toEqual([201, 201]);
  if (!('id' in before && 'id' in after && 'id' in accepted)) throw new Error('these were single sends');
  expect(after.id).toBe(before.id);
  expect((await ben.inbox()).map(({ id }) => id)).toEqual([accepted.id, before.id]);
  expect((await ben.inbox()).map((envelope) => ben.open(envelope))).toEqual([
    'read before and after',
    'lost with the relay',
  ]);
  expect((await send(old)).status).toBe(200);
});

test('a revocation after the backup is undone until it is repeated', async () => {
  const ann = await newPerson(relay);
  const secret = await apiKeyOf(ann);
  const { body: list } = await relay.call('listApiKeys', { token: ann.token, query: {} });
  const params = { id: list.apiKeys[0]?.id ?? '' };
  const file = await backUp(relay);
  await relay.call('revokeApiKey', { token: ann.token, params });
  await relay.refuse('unauthorized', 'getMe', { token: secret });
  await restoreLater(file);
  await relay.call('getMe', { token: secret });
  await ann.login();
  await relay.call('revokeApiKey', { token: ann.token, params });
  await relay.refuse('unauthorized', 'getMe', { token: secret });
});

test('the documented commands restore the backup of the chosen time', async () => {
  const ann = await newPerson(relay);
  const backups = join(relay.folder.path, 'backups');
  mkdirSync(backups);
  /** A command of the page, on this folder. */
  const run = (end: RegExp) => {
    const page = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8');
    const line =
      page.split('\n').find((line) => line.startsWith('ls "$backups"') && end.test(line)) ?? 'false';
    return execFileSync('bash', ['-c', line], { env: { ...process.env, backups }, encoding: 'utf8' });
  };
  for (const [handle, time] of [
    ['of_morning', '20270131T115000Z'],
    ['of_noon', '20270131T120000Z'],
    ['of_evening', '20270131T121000Z'],
  ] as const) {
    await claim(ann, handle);
    renameSync(await backUp(relay), join(backups, `${time}.db`));
  }
  await claim(ann, 'of_night');
  const chosen = run(/tail -n 1$/).trim();
  expect(chosen).toBe(join(backups, '20270131T120000Z.db'));
  await restore(relay, chosen);
  const { body: me } = await relay.call('getMe', { token: ann.token });
  expect(me.handle).toBe('of_noon');
  run(/xargs -r rm --$/);
  expect(readdirSync(backups)).toHaveLength(3);
});
