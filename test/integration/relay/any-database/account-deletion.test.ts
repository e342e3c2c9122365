/**
 * Deletion of an account: at once with the wallet, after seven days from a device, and the data that remains.
 */

import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { encodeTime } from '../../../../src/protocol/encoding.ts';
import { HANDLE_KEPT } from '../../../../src/protocol/figures.ts';
import { DELETION_DELAY } from '../../../../src/protocol/schemas/accounts.ts';
import { runAdminCommand } from '../../../../src/relay/admin/client.ts';
import { apiKeyOf, newPerson, Person, TestDevice } from '../../../support/person.ts';
import { ROOMY_RATES } from '../../../support/rates.ts';
import { expectProblem, TestRelay } from '../../../support/relay.ts';
import { TestRoster } from '../../../support/relay-rosters.ts';

const HOUR = 3_600_000;

const relay = new TestRelay({ admin: true, limits: { rates: ROOMY_RATES } });
beforeAll(() => relay.start());
afterAll(() => relay[Symbol.asyncDispose]());

async function personWithHandle(handle: string): Promise<Person> {
  const person = await newPerson(relay);
  await relay.call('putHandle', { token: person.token, body: { handle } });
  return person;
}

test('the wallet ends an account at once: its credentials, open polls, handle, queue and keys', async () => {
  const [ann, ben] = [await newPerson(relay), await personWithHandle('ben_goes')];
  const group = await TestRoster.begin(ben);
  const byWallet = ben.token;
  const secrets = [await apiKeyOf(ben), await group.createToken()];
  await ben.renew();
  await relay.call('sendEnvelopes', { token: ann.token, body: ann.seal(ben, ben.device, 'one') });
  await ben.inbox();
  const [waiting] = await ben.inbox();
  const ids = [waiting?.id ?? ''];
  await relay.call('acknowledge', { token: ben.token, body: { device: ben.device.id, ids } });
  const openPoll = relay.fetch(`/api/v1/inbox?device=${ben.device.id}&wait=25`, { token: ben.token });
  await expect.poll(async () => (await runAdminCommand(relay.folder.path, 'stats', {})).heldPolls).toBe(1);
  await relay.call('sendEnvelopes', { token: ben.token, body: ben.seal(ann, ann.device, 'farewell') });

  expect((await relay.call('deleteAccount', { token: byWallet })).status).toBe(204);
  await expectProblem(await openPoll, 'unauthorized');
  for (const token of [byWallet, ben.token, ...secrets])
    await relay.refuse('unauthorized', 'getMe', { token });
  const { token } = ann;
  await relay.refuse('not_found', 'getHandle', { token, params: { handle: 'ben_goes' } });
  const { body: keys } = await relay.call('getKeys', { token, params: { address: ben.address } });
  expect(keys).toEqual({
    address: ben.address,
    deviceKeys: [],
    deviceList: ben.list,
    sealKeys: [],
    profile: null,
    deleted: true,
  });
  const { body: history } = await relay.call('getKeyHistory', {
    token,
    params: { address: ben.address },
    query: {},
  });
  expect(history.lists).toEqual([ben.list]);
  // Messages sent to others stay.
  expect((await ann.inbox()).map((envelope) => ann.open(envelope))).toEqual(['farewell']);
});

test('envelopes to a deleted account are refused with the reason, with and without a device key', async () => {
  const [ann, ben] = [await newPerson(relay), await newPerson(relay)];
  await relay.call('deleteAccount', { token: ben.token });
  const sealed = ann.seal(ben, ben.device, 'too late');
  const { recipientDeviceKey: _, ...bare } = sealed;
  for (const body of [sealed, bare]) {
    const { body: problem } = await relay.refuse('not_found', 'sendEnvelopes', { token: ann.token, body });
    expect(problem.reason).toBe('recipient_deleted');
  }
  const { body } = await relay.call('sendEnvelopes', { token: ann.token, body: { envelopes: [sealed] } });
  expect(body).toMatchObject({
    results: [{ status: 'rejected', error: { code: 'not_found', reason: 'recipient_deleted' } }],
  });
});

test('in a group the copy for a deleted member is left out, and the others get theirs', async () => {
  const [ann, ben, cat] = [await newPerson(relay), await newPerson(relay), await newPerson(relay)];
  const group = await TestRoster.begin(ann, {}, [ben, cat]);
  const copies = [ben, cat].map((to) => {
    const { asRequest: _, ...copy } = ann.seal(to, to.device, 'to all');
    return copy;
  });
  await relay.call('deleteAccount', { token: ben.token });
  const { body } = await relay.call('sendGroupEnvelopes', {
    token: ann.token,
    params: group.params,
    body: { envelopes: copies },
  });
  expect(body.accepted).toBe(1);
  expect(body.stale).toEqual([ben.device.sealKeyText]);
  // The sender's own device, and none of the former member.
  expect(body.missing).toEqual([ann.device.sealKeyText]);
  expect(await cat.inbox()).toHaveLength(1);
});

test('a device only requests deletion: the account ends seven days later, and any session reports it and can cancel it', async () => {
  const ben = await newPerson(relay);
  const byWallet = ben.token;
  await ben.renew();
  const before = relay.now();
  const { status, body } = await relay.call('deleteAccount', { token: ben.token });
  expect(status).toBe(202);
  const deletesAt = body?.deletesAt ?? '';
  expect(Date.parse(deletesAt) - DELETION_DELAY - before).toBeLessThan(60_000);
  for (const token of [byWallet, ben.token]) {
    expect((await relay.call('getMe', { token })).body.deletesAt).toBe(deletesAt);
  }
  // A second request does not postpone it.
  expect((await relay.call('deleteAccount', { token: ben.token })).body).toEqual({ deletesAt });
  await relay.call('cancelDeletion', { token: byWallet });
  await relay.call('cancelDeletion', { token: byWallet });
  expect((await relay.call('getMe', { token: ben.token })).body.deletesAt).toBeNull();
});

test('an account ends after its seven days, although the relay restarted in between', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  await using fresh = await new TestRelay({ limits: { rates: ROOMY_RATES } }).start();
  try {
    const [ben, kim] = [await newPerson(fresh), await newPerson(fresh)];
    await ben.renew();
    await fresh.call('deleteAccount', { token: ben.token });
    await fresh.stop();
    fresh.ahead = DELETION_DELAY - HOUR;
    await fresh.start();
    await ben.renew();
    await kim.renew();
    await fresh.stop();
    fresh.ahead = DELETION_DELAY + 1_000;
    await fresh.start();
    const refusal = async () => (await fresh.request('createSession', { body: ben.renewal() })).json();
    await expect.poll(refusal).toMatchObject({ code: 'account_deleted' });
    await kim.renew();
  } finally {
    vi.useRealTimers();
  }
});

test('a jump of the clock ends no account', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  await using fresh = await new TestRelay({ limits: { rates: ROOMY_RATES } }).start();
  try {
    const ben = await newPerson(fresh);
    await ben.renew();
    await fresh.call('deleteAccount', { token: ben.token });
    fresh.ahead = DELETION_DELAY + HOUR;
    await vi.advanceTimersByTimeAsync(60_000);
    fresh.ahead = 0;
    await vi.advanceTimersByTimeAsync(1_000);
    await ben.renew();
    expect((await fresh.call('getMe', { token: ben.token })).body.deletesAt).not.toBeNull();
  } finally {
    vi.useRealTimers();
  }
});

test('the handle is reserved for a year, and its owner may claim it again', async () => {
  const [ann, ben] = [await newPerson(relay), await personWithHandle('ben_kept')];
  await relay.call('deleteAccount', { token: ben.token });
  const claim = { body: { handle: 'ben_kept' } };
  await relay.refuse('handle_taken', 'putHandle', { token: ann.token, ...claim });
  await ben.reopen();
  expect((await relay.call('getMe', { token: ben.token })).body.handle).toBeNull();
  await relay.call('putHandle', { token: ben.token, ...claim });
  await relay.call('deleteAccount', { token: ben.token });
  relay.ahead = HANDLE_KEPT + HOUR;
  try {
    await ann.login();
    await relay.call('putHandle', { token: ann.token, ...claim });
    await ben.reopen();
    await relay.refuse('handle_taken', 'putHandle', { token: ben.token, ...claim });
  } finally {
    relay.ahead = 0;
  }
});

test('an account that is opened and ended repeatedly reserves its last two handles', async () => {
  const [ann, ben] = [await newPerson(relay), await newPerson(relay)];
  const handles = ['again_one', 'again_two', 'again_three'];
  for (const handle of handles) {
    await relay.call('putHandle', { token: ben.token, body: { handle } });
    await relay.call('deleteAccount', { token: ben.token });
    await ben.reopen();
  }
  for (const handle of ['again_two', 'again_three']) {
    await relay.refuse('handle_taken', 'putHandle', { token: ann.token, body: { handle } });
  }
  await relay.call('putHandle', { token: ann.token, body: { handle: 'again_one' } });
});

test('only the wallet, with an explicit field, reopens an account, empty, and its device lists continue their numbers', async () => {
  const [ann, ben] = [await newPerson(relay), await newPerson(relay)];
  await relay.call('putProfile', { token: ben.token, body: { displayName: 'Ben' } });
  await relay.call('deleteAccount', { token: ben.token });
  await relay.refuse('account_deleted', 'createSession', { body: ben.renewal() });
  // A client logs in with the wallet where its device is refused, without a request to reopen the account.
  await relay.refuse('account_deleted', 'createSession', { body: await ben.signedChallenge() });
  // Others are not informed.
  const forged = { ...ben.renewal(), signature: ann.renewal().signature };
  await relay.refuse('unauthorized', 'createSession', { body: forged });
  await ben.reopen();
  const { body: me } = await relay.call('getMe', { token: ben.token });
  expect(me).toMatchObject({ handle: null, displayName: null, developerApi: false, deletesAt: null });
  const device = new TestDevice();
  await ben.publishDevices([device]);
  expect(ben.list?.sequence).toBe(2);
  const { body: keys } = await relay.call('getKeys', { token: ann.token, params: { address: ben.address } });
  expect(keys.deleted).toBeUndefined();
  expect(keys.deviceKeys).toEqual([device.sealKeyText]);
  await relay.call('sendEnvelopes', { token: ann.token, body: ann.seal(ben, device, 'welcome back') });
  expect(await ben.inbox(device)).toHaveLength(1);
});

test('the owner of a group with other members cannot delete the account before leaving', async () => {
  const [ann, ben] = [await newPerson(relay), await newPerson(relay)];
  const group = await TestRoster.begin(ben, {}, [ann]);
  const byWallet = ben.token;
  await ben.renew();
  for (const token of [byWallet, ben.token]) await relay.refuse('owns_groups', 'deleteAccount', { token });
  await group.change(ben, { creator: ann.address });
  await group.leave(ben);
  expect((await relay.call('deleteAccount', { token: ben.token })).status).toBe(202);
});

test('invitation codes of a member are deleted with the account', async () => {
  await using inviting = await new TestRelay({
    admin: true,
    registration: 'code',
    memberInvitations: true,
  }).start();
  const expires = encodeTime(inviting.now() + HOUR);
  const { code } = await runAdminCommand(inviting.folder.path, 'invite', { uses: 1, expires });
  const member = await new Person(inviting).login(code);
  const body = { uses: 5, expires };
  const { body: invitation } = await inviting.call('createInvitation', { token: member.token, body });
  await inviting.call('deleteAccount', { token: member.token });
  const stranger = { ...(await new Person(inviting).signedChallenge()), invitation: invitation.code };
  await inviting.refuse('invitation_required', 'createSession', { body: stranger });
  // Not its first session, so it needs no invitation code.
  await member.reopen();
});

test('API keys and group tokens cannot delete the account', async () => {
  const ben = await newPerson(relay);
  const group = await TestRoster.begin(ben);
  for (const token of [await apiKeyOf(ben), await group.createToken()]) {
    await relay.refuse('missing_entitlement', 'deleteAccount', { token });
    await relay.refuse('missing_entitlement', 'cancelDeletion', { token });
  }
});

test('request, cancellation and deletion are in the audit log, and no key of the account is left in the tables', async () => {
  const ben = await personWithHandle('ben_written');
  const byWallet = ben.token;
  await ben.renew();
  await relay.call('deleteAccount', { token: ben.token });
  await relay.call('cancelDeletion', { token: ben.token });
  await relay.call('deleteAccount', { token: byWallet });
  const address = Buffer.from(ben.address.slice(2), 'hex');
  for (const table of ['credential', 'device', 'handle']) {
    const ofBen = `SELECT 1 FROM ${table} WHERE account_id = (SELECT id FROM account WHERE address = ?)`;
    expect(await relay.rows(ofBen, address), table).toEqual([]);
  }
  await ben.reopen();
  const rows = await runAdminCommand(relay.folder.path, 'audit', { limit: 100 });
  expect(rows.filter(({ actor }) => actor === ben.address).map(({ action }) => action)).toEqual([
    'devices.published',
    'handle.claimed',
    'account.deletion_requested',
    'account.deletion_cancelled',
    'account.deleted',
    'account.returned',
  ]);
  expect((await runAdminCommand(relay.folder.path, 'verifyAudit', {})).problem).toBeNull();
});
