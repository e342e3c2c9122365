/**
 * Reports to the operator about others, and the operator's view of the usage of accounts.
 */
import { join } from 'node:path';
import Database from 'better-sqlite3-multiple-ciphers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runAdminCommand } from '../../../../src/relay/admin/client.ts';
import { apiKeyOf, newPerson, type Person } from '../../../support/person.ts';
import { ROOMY_RATES } from '../../../support/rates.ts';
import { TestRelay } from '../../../support/relay.ts';
import { TestRoster } from '../../../support/relay-rosters.ts';

const relay = new TestRelay({ admin: true, limits: { rates: ROOMY_RATES } });
beforeAll(() => relay.start());
afterAll(() => relay[Symbol.asyncDispose]());
const folder = () => relay.folder.path;
const reports = () => runAdminCommand(folder(), 'reports', { limit: 100 });
const DAY = 24 * 3_600_000;

test('the operator reads and resolves reports of accounts and groups, and the log records it', async () => {
  const [ann, eve] = [await newPerson(relay), await newPerson(relay)];
  const { params } = await TestRoster.begin(eve);
  const { token } = ann;
  const text = 'Sends the same\nlink every day.';
  await relay.call('createReport', {
    token,
    body: { about: { account: eve.address }, reason: 'spam', text },
  });
  await relay.call('createReport', { token, body: { about: { group: params.id }, reason: 'illegal' } });
  const [ofGroup, ofAccount] = await reports();
  expect(ofGroup).toMatchObject({ reporter: ann.address, about: { group: params.id }, text: null });
  expect(ofAccount).toMatchObject({ about: { account: eve.address }, reason: 'spam', text });

  const id = ofAccount?.id ?? '';
  expect(await runAdminCommand(folder(), 'resolveReport', { id })).toEqual({ id });
  await expect(runAdminCommand(folder(), 'resolveReport', { id })).rejects.toThrow('There is no report');
  expect((await reports()).map((report) => report.id)).toEqual([ofGroup?.id]);
  const log = await runAdminCommand(folder(), 'audit', { limit: 3 });
  expect(log.map(({ action }) => action)).toEqual(['report.made', 'report.made', 'report.resolved']);
  expect(JSON.stringify(log)).not.toContain('every day');
});

test('a report about an unknown subject, with more than a text, or by a program is refused', async () => {
  const [ann, eve] = [await newPerson(relay), await newPerson(relay)];
  const { token } = ann;
  const about = { account: eve.address };
  const nobody = { account: `0x${'99'.repeat(20)}` };
  await relay.refuse('not_found', 'createReport', { token, body: { about: nobody, reason: 'spam' } });
  await relay.refuse('not_found', 'createReport', {
    token,
    body: { about: { group: 'none' }, reason: 'spam' },
  });
  const wrong = [
    { about, reason: 'dislike' },
    { about, reason: 'spam', text: 'x'.repeat(1_001) },
    { about, reason: 'spam', text: '\u001b[2J' },
    { about, reason: 'spam', key: 'AAAA' },
    { about: { ...about, group: 'both' }, reason: 'spam' },
    { reason: 'spam' },
  ];
  for (const body of wrong) await relay.refuse('invalid_request', 'createReport', { token, body });
  const body = { about, reason: 'spam' };
  await relay.refuse('missing_entitlement', 'createReport', { token: await apiKeyOf(ann), body });
});

test('an account has one report about each, and twenty in total; they are deleted with it, or after 180 days', async () => {
  const ann = await newPerson(relay);
  const { token } = ann;
  const others: Person[] = [];
  for (let count = 0; count < 21; count++) others.push(await newPerson(relay));
  const mine = async () => (await reports()).filter(({ reporter }) => reporter === ann.address);
  const report = (index: number, text: string) => {
    const about = { account: others[index]?.address };
    return relay.call('createReport', { token, body: { about, reason: 'other', text } });
  };
  await report(0, 'first');
  await report(0, 'second');
  expect((await mine()).map(({ text }) => text)).toEqual(['second']);
  for (let index = 1; index < 21; index++) await report(index, `${index}`);
  const texts = (await mine()).map(({ text }) => text);
  expect([texts.length, texts[0], texts.at(-1)]).toEqual([20, '20', '1']);

  const ben = await newPerson(relay);
  const body = { about: { account: ann.address }, reason: 'spam' };
  await relay.call('createReport', { token: ben.token, body });
  await ann.login();
  await relay.call('deleteAccount', { token: ann.token });
  expect(await mine()).toEqual([]);
  expect(await reports()).not.toEqual([]);

  await relay.stop();
  relay.ahead = 181 * DAY;
  await relay.start();
  await expect.poll(reports).toEqual([]);
  relay.ahead = 0;
});

test('reports do not depend on ids that others use up, and beyond a hundred thousand the oldest are deleted', async () => {
  await using busy = await new TestRelay({
    admin: true,
    onFile: true,
    limits: { rates: ROOMY_RATES },
  }).start();
  const [ann, ben] = [await newPerson(busy), await newPerson(busy)];
  const report = ({ token }: Person, { address }: Person) =>
    busy.call('createReport', { token, body: { about: { account: address }, reason: 'spam' } });
  const reporters = async () =>
    (await runAdminCommand(busy.folder.path, 'reports', { limit: 10 })).map(({ reporter }) => reporter);
  const inFile = <T>(work: (database: Database.Database) => T): T => {
    const database = new Database(join(busy.folder.path, 'relay.db'));
    try {
      return work(database);
    } finally {
      database.close();
    }
  };
  const atRest = async (statement: string) => {
    await busy.stop();
    inFile((database) => database.exec(statement));
    await busy.start();
  };
  await report(ann, ben);
  await atRest("UPDATE sqlite_sequence SET seq = seq + 200000 WHERE name = 'report'");
  await report(ben, ann);
  expect(await reporters()).toEqual([ben.address, ann.address]);

  // With these there is one too many.
  await atRest(
    `INSERT INTO report WITH RECURSIVE ids (id) AS (SELECT 2 UNION ALL SELECT id + 1 FROM ids LIMIT 99999)
     SELECT ids.id, ids.id, reporter_id, account_id, group_id, reason, text, reported_at
       FROM ids, (SELECT * FROM report WHERE report.id = 1)`,
  );
  const oldest = () => inFile((database) => database.prepare('SELECT min(id) FROM report').pluck().get());
  await expect.poll(oldest).toBe(2);
});

test('the operator sees which accounts use most', async () => {
  await using used = await new TestRelay({ admin: true }).start();
  const [ann, ben, cat] = [await newPerson(used), await newPerson(used), await newPerson(used)];
  await used.call('putHandle', { token: ben.token, body: { handle: 'ben_usage' } });
  await TestRoster.begin(cat);
  for (const text of ['one', 'two']) {
    await used.call('sendEnvelopes', { token: ann.token, body: ann.seal(ben, ben.device, text) });
  }
  await used.call('sendEnvelopes', { token: ann.token, body: ann.seal(cat, cat.device, 'x'.repeat(5_000)) });
  const top = async (by: 'envelopes' | 'bytes' | 'blobs' | 'devices' | 'groups', limit = 10) =>
    (await runAdminCommand(used.folder.path, 'usage', { by, limit })).map(({ address }) => address);
  expect(await top('envelopes')).toEqual([ben.address, cat.address]);
  expect(await top('envelopes', 1)).toEqual([ben.address]);
  expect(await top('bytes')).toEqual([cat.address, ben.address]);
  expect(await top('groups')).toEqual([cat.address]);
  expect(await top('blobs')).toEqual([]);
  expect(new Set(await top('devices'))).toEqual(new Set([ann.address, ben.address, cat.address]));
  const [first] = await runAdminCommand(used.folder.path, 'usage', { by: 'envelopes', limit: 1 });
  expect(first).toMatchObject({
    handle: 'ben_usage',
    suspended: false,
    envelopes: 2,
    devices: 1,
    groups: 0,
    blobs: 0,
  });
});
