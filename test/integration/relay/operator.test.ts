import { chmodSync, copyFileSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runAdminCommand } from '../../../src/relay/admin/client.ts';
import { adminSocketPath } from '../../../src/relay/admin/socket-path.ts';
import { temporaryFolder } from '../../support/engine.ts';
import { apiKeyOf, newPerson } from '../../support/person.ts';
import { expectProblem, TestRelay } from '../../support/relay.ts';
import { TestRoster } from '../../support/relay-rosters.ts';

const relay = new TestRelay({ admin: true, name: 'Operated' });
beforeAll(() => relay.start());
afterAll(() => relay[Symbol.asyncDispose]());
const folder = () => relay.folder.path;

test('a suspended account gets an error from every call, also open polls, and works again afterwards', async () => {
  const [ann, mallory] = [await newPerson(relay), await newPerson(relay)];
  const group = await TestRoster.begin(mallory);
  const session = mallory.token;
  const tokens = [session, await apiKeyOf(mallory), await group.createToken()];
  const openPoll = relay.fetch(`/api/v1/inbox?device=${mallory.device.id}&wait=25`, { token: session });
  await expect.poll(async () => (await runAdminCommand(folder(), 'stats', {})).heldPolls).toBe(1);

  const account = { address: mallory.address };
  expect(await runAdminCommand(folder(), 'suspend', { account, suspended: true })).toEqual({
    address: mallory.address,
    suspended: true,
  });
  await expectProblem(await openPoll, 'account_suspended');
  for (const token of tokens) await relay.refuse('account_suspended', 'getMe', { token });
  await relay.refuse('account_suspended', 'createSession', { body: await mallory.signedChallenge() });
  await relay.refuse('account_suspended', 'createSession', { body: mallory.renewal() });
  // Others are not informed.
  const { signature: _, ...unsigned } = mallory.renewal();
  const forged = { ...unsigned, signature: ann.renewal().signature };
  await relay.refuse('unauthorized', 'createSession', { body: forged });
  await relay.call('getMe', { token: ann.token });

  await runAdminCommand(folder(), 'suspend', { account, suspended: false });
  for (const token of tokens) await relay.call('getMe', { token });
  await mallory.login();
});

test('the handle of a suspended account is hidden, and its mail waits', async () => {
  const [ann, mallory] = [await newPerson(relay), await newPerson(relay)];
  const handle = 'mallory_hidden';
  await relay.call('putHandle', { token: mallory.token, body: { handle } });
  const account = { handle };
  await runAdminCommand(folder(), 'suspend', { account, suspended: true });

  const { token } = ann;
  await relay.refuse('not_found', 'getHandle', { token, params: { handle } });
  for (const q of ['mallory_h', 'ory_hid']) {
    const { body } = await relay.call('searchHandles', { token, query: { q } });
    expect(body.handles).toEqual([]);
  }
  const { body: keys } = await relay.call('getKeys', { token, params: { address: mallory.address } });
  expect(keys.profile).toBeNull();
  await relay.refuse('handle_taken', 'putHandle', { token, body: { handle } });
  await relay.call('sendEnvelopes', { token, body: ann.seal(mallory, mallory.device, 'are you there?') });

  await runAdminCommand(folder(), 'suspend', { account, suspended: false });
  await mallory.login();
  expect((await mallory.inbox()).map((envelope) => mallory.open(envelope))).toEqual(['are you there?']);
  await relay.call('getHandle', { token, params: { handle } });
});

test('handles and groups are verified and unverified, visible to all callers', async () => {
  const ann = await newPerson(relay);
  const { token } = ann;
  const handle = 'ann_verified';
  await relay.call('putHandle', { token, body: { handle } });
  const { params } = await TestRoster.begin(ann);
  for (const verified of [true, false]) {
    await runAdminCommand(folder(), 'verifyHandle', { handle, verified });
    await runAdminCommand(folder(), 'verifyGroup', { id: params.id, verified });
    expect((await relay.call('getHandle', { token, params: { handle } })).body.verified).toBe(verified);
    expect((await relay.call('getGroup', { token, params })).body.verified).toBe(verified);
  }
});

test('a group is removed by its id and name; its members and tokens no longer find it', async () => {
  const [ann, ben] = [await newPerson(relay), await newPerson(relay)];
  const group = await TestRoster.begin(ann, { name: 'To be removed' }, [ben]);
  const token = await group.createToken();
  const { params } = group;
  const { asRequest: _, ...copy } = ann.seal(ben, ben.device, 'the last post');
  const body = { envelopes: [copy] };
  await relay.call('sendGroupEnvelopes', { token: ann.token, params, body });

  const wrong = runAdminCommand(folder(), 'removeGroup', { id: group.id, name: 'Another' });
  await expect(wrong).rejects.toThrow('is “To be removed”, not “Another”. Nothing was removed.');
  await relay.call('getGroup', { token, params });

  const removed = await runAdminCommand(folder(), 'removeGroup', { id: group.id, name: 'To be removed' });
  expect(removed).toMatchObject({ id: group.id, members: 2, tokens: 1, creator: ann.address });
  await relay.refuse('unauthorized', 'getMe', { token });
  await relay.refuse('not_found', 'getGroup', { token: ben.token, params });
  const { body: mine } = await relay.call('searchGroups', { token: ann.token, query: { mine: true } });
  expect(mine.groups).toEqual([]);
  const { body: found } = await relay.call('searchGroups', { token: ann.token, query: { q: 'be removed' } });
  expect(found.groups).toEqual([]);
  expect((await ben.inbox()).map((envelope) => ben.open(envelope))).toEqual(['the last post']);
});

test('lists are searched by text, including private handles and ids of groups', async () => {
  const ann = await newPerson(relay);
  await relay.call('putHandle', { token: ann.token, body: { handle: 'needle_in_hay', public: false } });
  const group = await TestRoster.begin(ann, { name: 'Needles' });
  const handles = await runAdminCommand(folder(), 'handles', { text: 'needle', limit: 10 });
  expect(handles).toEqual([
    {
      handle: 'needle_in_hay',
      address: ann.address,
      displayName: null,
      public: false,
      verified: false,
      suspended: false,
      createdAt: expect.stringMatching(/Z$/),
    },
  ]);
  for (const searched of ['needles', group.id]) {
    const groups = await runAdminCommand(folder(), 'groups', { text: searched, limit: 10 });
    expect(groups.map(({ id, name, members }) => [id, name, members])).toEqual([[group.id, 'Needles', 1]]);
  }
  const none = '% wild _';
  expect(await runAdminCommand(folder(), 'groups', { text: none, limit: 10 })).toEqual([]);
});

test('the figures of the relay and of waiting mail', async () => {
  await using fresh = await new TestRelay({ admin: true, name: 'Fresh' }).start();
  const query = () => runAdminCommand(fresh.folder.path, 'stats', {});
  expect(await query()).toMatchObject({ name: 'Fresh', accounts: 0, groups: 0, oldestWaiting: null });
  const [ann, ben] = [await newPerson(fresh), await newPerson(fresh)];
  const sent = ann.seal(ben, ben.device, 'one');
  await fresh.call('sendEnvelopes', { token: ann.token, body: sent });
  await fresh.call('sendEnvelopes', { token: ann.token, body: ann.seal(ben, ben.device, 'two') });
  await TestRoster.begin(ann);
  await runAdminCommand(fresh.folder.path, 'suspend', { account: { address: ann.address }, suspended: true });
  const [first] = await ben.inbox();
  const bytes = Buffer.from(sent.ciphertext, 'base64url').length;
  const stats = await query();
  expect(stats).toMatchObject({
    accounts: 2,
    suspendedAccounts: 1,
    devices: 2,
    groups: 1,
    waitingEnvelopes: 2,
    waitingBytes: 2 * bytes,
    oldestWaiting: first?.receivedAt,
    queuedBytes: 0,
    commits: fresh.running.commits,
  });
  expect(stats.databaseBytes).toBeGreaterThan(4096);
  expect(stats.uptimeSeconds).toBeLessThan(60);
});

test('a backup is made while envelopes arrive, and a relay starts on it with everything from before', async () => {
  const [ann, ben] = [await newPerson(relay), await newPerson(relay)];
  const send = (words: string) =>
    relay.call('sendEnvelopes', { token: ann.token, body: ann.seal(ben, ben.device, words) });
  await send('before');
  const file = join(folder(), 'copy.db');
  let copying = true;
  const backup = runAdminCommand(folder(), 'backup', { file }).finally(() => {
    copying = false;
  });
  const during: string[] = [];
  for (let count = 0; copying; count++) {
    await send(`during ${count}`);
    during.push(`during ${count}`);
  }
  const { bytes } = await backup;
  expect(during.length).toBeGreaterThan(0);
  expect(statSync(file).size).toBe(bytes);
  expect(statSync(file).mode & 0o777).toBe(0o600);

  await using restored = new TestRelay({ publicUrl: relay.url });
  copyFileSync(file, join(restored.folder.path, 'relay.db'));
  await restored.start();
  const query = { device: ben.device.id };
  const { body } = await restored.call('getInbox', { token: ben.token, query });
  const words = body.envelopes.map((envelope) => ben.open(envelope));
  expect(words[0]).toBe('before');
  expect(['before', ...during].slice(0, words.length)).toEqual(words);
  await restored.call('sendEnvelopes', { token: ann.token, body: ann.seal(ben, ben.device, 'after') });
});

test('a backup never overwrites a file, and a failed one leaves nothing', async () => {
  const file = join(folder(), 'mine.db');
  writeFileSync(file, 'mine');
  await expect(runAdminCommand(folder(), 'backup', { file })).rejects.toMatchObject({
    reason: 'backup_exists',
  });
  expect(statSync(file).size).toBe(4);
  const nowhere = join(folder(), 'missing', 'copy.db');
  await expect(runAdminCommand(folder(), 'backup', { file: nowhere })).rejects.toThrow(
    `The backup ${nowhere} could not be written: its folder does not exist.`,
  );
  await relay.call('getRelay');
});

/** Answer of the operator's socket to a line that no command sends. */
async function knock(line: string): Promise<unknown> {
  const socket = connect(adminSocketPath(folder()));
  socket.write(`${line}\n`);
  return JSON.parse(await text(socket));
}

test('invalid commands at the operator’s socket are refused, and the relay continues', async () => {
  const refused = { failure: { reason: 'relay_failed', parameters: {} } };
  expect(await knock('no json')).toEqual(refused);
  expect(await knock('{"command":"constructor","args":{}}')).toEqual(refused);
  expect(await knock('{"command":"stats","args":{"more":1}}')).toEqual(refused);
  expect(await knock('{"command":"handles","args":{"text":"","limit":1000000}}')).toEqual(refused);
  expect(await runAdminCommand(folder(), 'stats', {})).toMatchObject({ name: 'Operated' });
});

test('the operator’s socket is for the relay’s account only, and is not part of the API', async () => {
  const path = adminSocketPath(folder());
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const ann = await newPerson(relay);
  for (const token of [ann.token, await apiKeyOf(ann)]) {
    for (const command of ['admin', 'stats', 'suspend', 'backup']) {
      const response = await relay.fetch(`/api/v1/${command}`, { method: 'POST', token, body: {} });
      await expectProblem(response, 'not_found');
    }
  }
  await using closed = await new TestRelay().start();
  expect(existsSync(adminSocketPath(closed.folder.path))).toBe(false);
});

test('the socket of a killed relay is replaced; a stopped relay leaves none', async () => {
  await using again = new TestRelay({ admin: true });
  const path = adminSocketPath(again.folder.path);
  writeFileSync(path, '');
  chmodSync(path, 0o644);
  await again.start();
  expect(await runAdminCommand(again.folder.path, 'stats', {})).toMatchObject({ accounts: 0 });
  await again.stop();
  expect(existsSync(path)).toBe(false);
  await expect(runAdminCommand(again.folder.path, 'stats', {})).rejects.toThrow(
    /^No relay is running with the data in/,
  );
});

test('a relay that cannot open its socket reports it before it starts', async () => {
  using base = temporaryFolder();
  const dataDirectory = join(base.path, 'x'.repeat(100));
  mkdirSync(dataDirectory);
  await using far = new TestRelay({ admin: true, dataDirectory });
  await expect(far.start()).rejects.toThrow(/is too long for the administration socket/);
});
