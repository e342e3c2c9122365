/**
 * The audit log is bounded: for one account, and over the years.
 */

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CHANGES_A_DAY } from '../../../src/protocol/figures.ts';
import { runAdminCommand } from '../../../src/relay/admin/client.ts';
import { verifyChain } from '../../../src/relay/store/sql/audit-chain.ts';
import { type Operations, prepareOperations } from '../../../src/relay/store/sql/operations.ts';
import { asSql, type Database, openForWriting } from '../../../src/relay/store/sqlite/database.ts';
import { temporaryFolder } from '../../support/engine.ts';
import { newPerson, type Person } from '../../support/person.ts';
import { TestRelay } from '../../support/relay.ts';
import { beginning } from '../../support/relay-rosters.ts';

const DAY = 24 * 3_600_000;

/** Writes into the database of a relay, as its own writer does. */
async function write(
  folder: string,
  work: (operations: Operations, database: Database) => Promise<void>,
): Promise<void> {
  const database = openForWriting(join(folder, 'relay.db'));
  try {
    database.exec('BEGIN');
    await work(prepareOperations(asSql(database)), database);
    database.exec('COMMIT');
  } finally {
    database.close();
  }
}

test('an account with endless changes is refused for the rest of the day, but may still revoke', async () => {
  await using relay = await new TestRelay({ admin: true }).start();
  const [eve, ann] = [await newPerson(relay), await newPerson(relay)];
  const { token } = eve;
  await relay.call('putDeveloperAccess', { token, body: { enabled: true } });
  const { body: key } = await relay.call('createApiKey', { token, body: { name: 'key' } });
  await write(relay.folder.path, async ({ claimHandle }, database) => {
    const address = Buffer.from(eve.address.slice(2), 'hex');
    const id = Number(database.prepare('SELECT id FROM account WHERE address = ?').pluck().get(address));
    for (let count = 3; count < CHANGES_A_DAY; count++)
      await claimHandle(id, `eve_${count % 2}`, true, relay.now());
  });
  const refused = { token, body: { handle: 'eve_again' } };
  const { headers } = await relay.refuse('rate_limited', 'putHandle', refused);
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(3_600);
  await relay.refuse('rate_limited', 'createGroup', { token, body: beginning(eve).body });
  expect((await relay.call('getMe', { token })).body.handle).not.toBe('eve_again');

  await relay.call('revokeApiKey', { token, params: { id: key.id } });
  await relay.call('putDeveloperAccess', { token, body: { enabled: false } });
  await relay.call('putHandle', { token: ann.token, body: { handle: 'ann' } });
  await runAdminCommand(relay.folder.path, 'verifyHandle', { handle: 'ann', verified: true });
  relay.ahead += DAY + 60_000;
  await eve.login();
  await relay.call('putHandle', { ...refused, token: eve.token });
});

/** Writes for an account, as calls of many sessions would. */
function writeFor(
  relay: TestRelay,
  { address }: Person,
  work: (operations: Operations, account: number) => Promise<void>,
): Promise<void> {
  return write(relay.folder.path, async (operations, database) => {
    const bytes = Buffer.from(address.slice(2), 'hex');
    await work(
      operations,
      Number(database.prepare('SELECT id FROM account WHERE address = ?').pluck().get(bytes)),
    );
  });
}

test('requests to delete an account, each cancelled again, count as changes', async () => {
  await using relay = await new TestRelay().start();
  const eve = await newPerson(relay);
  await writeFor(relay, eve, async ({ deleteAccount, cancelDeletion }, account) => {
    for (let count = 0; count < CHANGES_A_DAY / 2; count++) {
      await deleteAccount(account, relay.now() + DAY, relay.now());
      await cancelDeletion(account, relay.now());
    }
  });
  await eve.renew();
  await relay.refuse('rate_limited', 'deleteAccount', { token: eve.token });
  expect((await relay.call('getMe', { token: eve.token })).body.deletesAt).toBeNull();
  // The wallet ends the account at once.
  await eve.login();
  expect((await relay.call('deleteAccount', { token: eve.token })).status).toBe(204);
});

test('returns of a deleted account count as changes', async () => {
  await using relay = await new TestRelay().start();
  const eve = await newPerson(relay);
  await writeFor(relay, eve, async ({ deleteAccount, createSession }, account) => {
    const admission = { policy: 'open', invitation: null } as const;
    for (let count = 0; count < CHANGES_A_DAY / 2 - 1; count++) {
      await deleteAccount(account, null, relay.now());
      const digest = randomBytes(32);
      const session = { id: digest.toString('hex'), digest, address: eve.address, admission };
      const times = { createdAt: relay.now(), expiresAt: relay.now() + DAY };
      await createSession({ ...session, ...times, renewal: null, reopens: true }, 8);
    }
  });
  await eve.login();
  await relay.call('deleteAccount', { token: eve.token });
  const body = { ...(await eve.signedChallenge()), reopen: true };
  await relay.refuse('rate_limited', 'createSession', { body });
  relay.ahead += DAY + 60_000;
  await eve.reopen();
});

test('expired rows are removed from the beginning of the audit log, and the rest stays verifiable', async () => {
  using folder = temporaryFolder();
  await write(folder.path, async ({ recordBackup, expireAudit }, database) => {
    for (let time = 1; time <= 1_200; time++) await recordBackup(time, time);
    while (await expireAudit(1_101));
    expect(await verifyChain(asSql(database))).toMatchObject({ rows: 100, expired: 1_100, problem: null });
    await recordBackup(1, 1_201);
    const { head } = await verifyChain(asSql(database));
    while (await expireAudit(2_000));
    expect(await verifyChain(asSql(database))).toEqual({ rows: 0, expired: 1_201, head, problem: null });
    await recordBackup(1, 3_000);
    expect(await verifyChain(asSql(database))).toMatchObject({ rows: 1, expired: 1_201, problem: null });
  });
});

test('only the oldest rows of the audit log can be removed, and the check sees how many', async () => {
  using folder = temporaryFolder();
  await write(folder.path, async ({ recordBackup, expireAudit }, database) => {
    for (let time = 1; time <= 10; time++) await recordBackup(time, time);
    await expireAudit(4);
    const only = 'the audit log only grows';
    const begins = 'the audit log begins at one of its rows';
    expect(() => database.exec('DELETE FROM audit WHERE sequence = 4')).toThrow(only);
    expect(() => database.exec('DELETE FROM audit_start')).toThrow(begins);
    expect(() => database.exec('UPDATE audit_start SET sequence = 2')).toThrow(begins);
    expect(() => database.exec('UPDATE audit_start SET sequence = 6')).toThrow(begins);
    expect(await verifyChain(asSql(database))).toMatchObject({ rows: 7, expired: 3, problem: null });
    database.exec('DROP TRIGGER audit_keeps_rows; DELETE FROM audit WHERE sequence = 4');
    expect((await verifyChain(asSql(database))).problem).toEqual({
      reason: 'audit_row_missing',
      parameters: { row: 4 },
    });
  });
});
