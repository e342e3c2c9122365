import { join } from 'node:path';
import Database from 'better-sqlite3-multiple-ciphers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runAdminCommand } from '../../../src/relay/admin/client.ts';
import { verifyChain } from '../../../src/relay/store/sql/audit-chain.ts';
import { asSql } from '../../../src/relay/store/sqlite/database.ts';
import { newPerson, type Person, TestDevice } from '../../support/person.ts';
import { TestRelay } from '../../support/relay.ts';
import { TestRoster } from '../../support/relay-rosters.ts';

const relay = new TestRelay({ admin: true });
beforeAll(() => relay.start());
afterAll(() => relay[Symbol.asyncDispose]());

/** Audit records of an action: actor, action, target, detail. */
async function entriesOf(act: () => Promise<unknown>): Promise<unknown[]> {
  const before = (await runAdminCommand(relay.folder.path, 'audit', { limit: 10_000 })).length;
  await act();
  const rows = await runAdminCommand(relay.folder.path, 'audit', { limit: 10_000 });
  return rows.slice(before).map(({ actor, action, target, detail }) => [actor, action, target, detail]);
}

test('handles, device lists, developer access and API keys are recorded', async () => {
  let ann: Person | null = null;
  const entries = await entriesOf(async () => {
    ann = await newPerson(relay);
    const { token } = ann;
    await ann.publishDevices([ann.device, new TestDevice()]);
    for (const handle of ['ann_one', 'ann_one', 'ann_two']) {
      await relay.call('putHandle', { token, body: { handle } });
    }
    for (const enabled of [true, true, false, true]) {
      await relay.call('putDeveloperAccess', { token, body: { enabled } });
    }
    const { body: key } = await relay.call('createApiKey', {
      token,
      body: { name: 'secret plan', entitlements: ['inbox:read'] },
    });
    const params = { id: key.id };
    await relay.call('revokeApiKey', { token, params });
    await relay.call('revokeApiKey', { token, params });
  });
  const { address = '' } = (ann as Person | null) ?? {};
  const id = expect.stringMatching(/^[\w-]{22}$/);
  expect(entries).toEqual([
    [address, 'devices.published', 'list 1', { devices: 1, dropped: 0 }],
    [address, 'devices.published', 'list 2', { devices: 2, dropped: 0 }],
    [address, 'handle.claimed', '@ann_one', { public: true }],
    [address, 'handle.claimed', '@ann_two', { public: true }],
    [address, 'developer_access.unlocked', address, {}],
    [address, 'developer_access.locked', address, {}],
    [address, 'developer_access.unlocked', address, {}],
    [address, 'api_key.created', id, { entitlements: ['inbox:read'], expiresAt: null }],
    [address, 'api_key.revoked', id, {}],
  ]);
});

test('groups and their tokens are recorded, without names and passwords', async () => {
  const [ann, ben] = [await newPerson(relay), await newPerson(relay)];
  let id = '';
  const entries = await entriesOf(async () => {
    const group = await TestRoster.begin(ann, { name: 'Hidden plan' }, [ben]);
    id = group.id;
    const { params } = group;
    const { token } = ann;
    await group.change(ann, { name: 'Other plan', description: 'open sesame' });
    const { body: created } = await relay.call('createToken', { token, params, body: { name: 'bot' } });
    const tokenParams = { ...params, tokenId: created.id };
    await relay.call('revokeToken', { token, params: tokenParams });
    await relay.call('revokeToken', { token, params: tokenParams });
    await relay.call('putListing', { token, params, body: { listed: false } });
    await group.remove(ann, ben);
    await group.leave(ann);
  });
  const tokenId = expect.stringMatching(/^[\w-]{22}$/);
  expect(entries).toEqual([
    [ann.address, 'group.created', id, {}],
    [ben.address, 'group.joined', id, { epoch: 3 }],
    [ann.address, 'group.changed', id, { epoch: 4, fields: ['name', 'description'] }],
    [ann.address, 'group_token.created', tokenId, { group: id }],
    [ann.address, 'group_token.revoked', tokenId, { group: id }],
    [ann.address, 'group.unlisted', id, {}],
    [
      ann.address,
      'group.member_removed',
      id,
      { epoch: 5, fields: ['remove'], departed: [ben.address], revokedTokens: 0 },
    ],
    [ann.address, 'group.left', id, { epoch: 6, departed: [ann.address], revokedTokens: 0 }],
    [ann.address, 'group.removed', id, {}],
  ]);
});

test('a refused call leaves no entry', async () => {
  const [ann, ben] = [await newPerson(relay), await newPerson(relay)];
  await relay.call('putHandle', { token: ann.token, body: { handle: 'ann_has_it' } });
  const entries = await entriesOf(async () => {
    await relay.refuse('handle_taken', 'putHandle', { token: ben.token, body: { handle: 'ann_has_it' } });
    await relay.refuse('not_found', 'revokeApiKey', { token: ben.token, params: { id: 'nothing' } });
    const old = { deviceList: ann.list, sealKeys: [] };
    await relay.call('putDevices', { token: ann.token, body: old });
  });
  expect(entries).toEqual([]);
});

test('the log is complete, has the relay’s times, and cannot be overwritten', async () => {
  const rows = await runAdminCommand(relay.folder.path, 'audit', { limit: 10_000 });
  expect(rows.map(({ sequence }) => sequence)).toEqual(rows.map((_, index) => index + 1));
  const newest = rows.at(-1);
  expect(Math.abs(Date.parse(newest?.at ?? '') - relay.now())).toBeLessThan(60_000);
  const verdict = await runAdminCommand(relay.folder.path, 'verifyAudit', {});
  expect(verdict).toEqual({ rows: rows.length, expired: 0, head: newest?.hash, problem: null });

  using database = openDatabase(join(relay.folder.path, 'relay.db'));
  expect(() => database.exec("UPDATE audit SET actor = 'operator'")).toThrow('the audit log only grows');
  expect(() => database.exec('DELETE FROM audit WHERE sequence = 1')).toThrow('the audit log only grows');
});

/** The owner of the file can remove the triggers. */
const UNLOCK = 'DROP TRIGGER audit_keeps_rows; DROP TRIGGER audit_keeps_values;';

test.each<[string, string, object | null]>([
  ['nothing', '', null],
  [
    'a changed value',
    "UPDATE audit SET target = '@mallory' WHERE sequence = 3",
    { reason: 'audit_row_changed', parameters: { row: 3 } },
  ],
  [
    'another time',
    'UPDATE audit SET at = at + 1 WHERE sequence = 1',
    { reason: 'audit_row_changed', parameters: { row: 1 } },
  ],
  [
    'a row taken out',
    'DELETE FROM audit WHERE sequence = 4',
    { reason: 'audit_row_missing', parameters: { row: 4 } },
  ],
  [
    'the first row taken out',
    'DELETE FROM audit WHERE sequence = 1',
    { reason: 'audit_row_missing', parameters: { row: 1 } },
  ],
  [
    'the last row taken out',
    'DELETE FROM audit WHERE sequence = (SELECT max(sequence) FROM audit)',
    { reason: 'audit_row_missing' },
  ],
  [
    'two rows in the other order',
    'UPDATE audit SET sequence = -2 WHERE sequence = 2; UPDATE audit SET sequence = 2 WHERE sequence = 3; UPDATE audit SET sequence = 3 WHERE sequence = -2',
    { reason: 'audit_row_changed', parameters: { row: 2 } },
  ],
  [
    'a row put in at the end',
    "INSERT INTO audit (at, actor, action, target, detail, hash) VALUES (1, 'operator', 'group.removed', 'x', '{}', randomblob(32))",
    { reason: 'audit_row_changed' },
  ],
])('the check reports %s', async (what, tamper, broken) => {
  const file = join(relay.folder.path, `${what.replaceAll(' ', '-')}.db`);
  await runAdminCommand(relay.folder.path, 'backup', { file });
  using database = openDatabase(file);
  database.exec(`${UNLOCK} ${tamper}`);
  const { problem } = await verifyChain(asSql(database));
  if (broken === null) expect(problem).toBeNull();
  else expect(problem).toMatchObject(broken);
});

function openDatabase(file: string): Database.Database & Disposable {
  const database = new Database(file);
  return Object.assign(database, { [Symbol.dispose]: () => void database.close() });
}
