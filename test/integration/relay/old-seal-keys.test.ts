/**
 * A database in which an earlier version left statements about seal keys in their first form.
 */
import { join } from 'node:path';
import Database from 'better-sqlite3-multiple-ciphers';
import { expect, test } from 'vitest';
import { newGroup, newPerson } from '../../support/person.ts';
import { TestRelay } from '../../support/relay.ts';

/** The version before statements of the first form were dropped. */
const VERSION_BEFORE = 9;

/** Brings the statements of one device into the first form, and the database to the version that had it. */
function makeOld(folder: string, sealKey: string): void {
  const database = new Database(join(folder, 'relay.db'));
  const { changes } = database
    .prepare(
      `UPDATE device SET seal_statement = json_remove(seal_statement, '$.pq', '$.listSequence')
        WHERE json_extract(seal_statement, '$.key') = ?`,
    )
    .run(sealKey);
  expect(changes).toBe(1);
  database.pragma(`user_version = ${VERSION_BEFORE}`);
  database.close();
}

test('statements of the first form are dropped, queues stay, and devices announce their next', async () => {
  await using relay = await new TestRelay().start();
  const [ann, ben] = [await newPerson(relay), await newPerson(relay)];
  const group = await newGroup(ann, {}, [ben]);
  const send = (body: object) => relay.call('sendEnvelopes', { token: ann.token, body });
  const before = ben.device.sealing;
  await send(ann.seal(ben, ben.device, 'waits through the change'));
  const outdated = ann.seal(ben, ben.device, 'for the key of the first form');
  await relay.stop();
  makeOld(relay.folder.path, ben.device.sealKeyText);
  await relay.start();

  const keys = { token: ann.token, params: { address: ben.address } };
  expect((await relay.call('getKeys', keys)).body).toMatchObject({ deviceList: ben.list, sealKeys: [] });
  const view = (await relay.call('getGroup', { token: ann.token, params: group.params })).body;
  expect(view.memberDevices[ben.address]).toEqual({ deviceList: ben.list, sealKeys: [] });
  expect(view.memberDeviceKeys[ann.address]).toEqual([ann.device.sealKeyText]);
  await relay.refuse('unknown_device', 'sendEnvelopes', { token: ann.token, body: outdated });
  const [waiting] = await ben.inbox();
  expect(waiting && ben.open(waiting, before)).toBe('waits through the change');

  ben.device.rotateInTurn();
  const sealKey = await ben.publishSealKey();
  expect((await relay.call('getKeys', keys)).body.sealKeys).toEqual([sealKey]);
  await relay.refuse('unknown_device', 'sendEnvelopes', { token: ann.token, body: outdated });
  await send(ann.seal(ben, ben.device, 'for the next key'));
  const [, next] = await ben.inbox();
  expect(next && ben.open(next)).toBe('for the next key');
});
