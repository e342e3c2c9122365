import { join } from 'node:path';
import Database from 'better-sqlite3-multiple-ciphers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEFAULT_QUOTAS } from '../../../src/protocol/limits.ts';
import { askRelay } from '../../../src/relay/admin/client.ts';
import { apiKeyOf, newGroup, newPerson, Person } from '../../support/person.ts';
import { TestRelay } from '../../support/relay.ts';

const relay = new TestRelay({ admin: true });
beforeAll(() => relay.start());
afterAll(() => relay[Symbol.asyncDispose]());

/** A group with a password, and someone who is not in it. */
async function lockedGroup() {
  const [ann, ben] = [await newPerson(relay), await newPerson(relay)];
  const group = await newGroup(ann, { password: 'secret' });
  const invitation = { ...group.params, address: ben.address };
  const invite = () => relay.call('inviteToGroup', { token: ann.token, params: invitation });
  const join = { token: ben.token, params: group.params, body: {} };
  const view = async () =>
    (await relay.call('getGroup', { token: ann.token, params: group.params })).body.invitations;
  return { ann, ben, group, invitation, invite, join, view };
}

test('who is invited joins without the password, once', async () => {
  const { ann, ben, invitation, invite, join, view } = await lockedGroup();
  await relay.refuse('wrong_password', 'joinGroup', join);
  await invite();
  await invite();
  expect(await view()).toEqual([ben.address]);
  const { body: joined } = await relay.call('joinGroup', join);
  expect(joined.members).toContain(ben.address);
  expect(joined).not.toHaveProperty('invitations');
  expect(await view()).toEqual([]);
  await relay.call('removeMember', { token: ann.token, params: invitation });
  await relay.refuse('wrong_password', 'joinGroup', join);
});

test('a withdrawn invitation opens nothing; withdrawing again changes nothing', async () => {
  const { ann, invitation, invite, join, view } = await lockedGroup();
  await invite();
  for (const _ of [1, 2]) await relay.call('withdrawInvitation', { token: ann.token, params: invitation });
  expect(await view()).toEqual([]);
  await relay.refuse('wrong_password', 'joinGroup', join);
});

test('who joins with the password uses the invitation up', async () => {
  const { ben, invitation, invite, join, view } = await lockedGroup();
  await invite();
  await relay.call('joinGroup', { ...join, body: { password: 'secret' } });
  expect(await view()).toEqual([]);
  await relay.call('removeMember', { token: ben.token, params: invitation });
  await relay.refuse('wrong_password', 'joinGroup', join);
});

test('inviting a member changes nothing', async () => {
  const { invite, join, view } = await lockedGroup();
  await invite();
  await relay.call('joinGroup', join);
  await invite();
  expect(await view()).toEqual([]);
});

test('an address that the relay does not know cannot be invited', async () => {
  const { ann, group } = await lockedGroup();
  const stranger = new Person(relay);
  const params = { ...group.params, address: stranger.address };
  await relay.refuse('not_found', 'inviteToGroup', { token: ann.token, params });
  await relay.call('withdrawInvitation', { token: ann.token, params });
});

test('only the creator’s session invites, withdraws and sees who is invited', async () => {
  const { ann, ben, group, invitation, invite } = await lockedGroup();
  const cleo = await newPerson(relay);
  const body = { password: 'secret' };
  await relay.call('joinGroup', { token: cleo.token, params: group.params, body });
  await invite();
  for (const token of [cleo.token, ben.token]) {
    await relay.refuse('forbidden', 'inviteToGroup', { token, params: invitation });
    await relay.refuse('forbidden', 'withdrawInvitation', { token, params: invitation });
  }
  const apiKey = await apiKeyOf(ann);
  await relay.refuse('missing_entitlement', 'inviteToGroup', { token: apiKey, params: invitation });
  const bot = await group.mint();
  for (const token of [cleo.token, bot]) {
    const { body: view } = await relay.call('getGroup', { token, params: group.params });
    expect(view).not.toHaveProperty('invitations');
  }
  const { body: view } = await relay.call('getGroup', { token: apiKey, params: group.params });
  expect(view.invitations).toEqual([ben.address]);
});

test('when the creator leaves, what they promised ends', async () => {
  const { ann, group, invite, join } = await lockedGroup();
  const cleo = await newPerson(relay);
  await relay.call('joinGroup', { token: cleo.token, params: group.params, body: { password: 'secret' } });
  await invite();
  const params = { ...group.params, address: ann.address };
  await relay.call('removeMember', { token: ann.token, params });
  await relay.refuse('wrong_password', 'joinGroup', join);
});

test('an invitation and its withdrawal are written down once', async () => {
  const { ann, ben, invitation, invite } = await lockedGroup();
  const before = (await askRelay(relay.folder.path, 'audit', { limit: 10_000 })).length;
  const withdraw = () => relay.call('withdrawInvitation', { token: ann.token, params: invitation });
  for (const act of [invite, invite, withdraw, withdraw]) await act();
  const rows = (await askRelay(relay.folder.path, 'audit', { limit: 10_000 })).slice(before);
  const detail = { invited: ben.address };
  expect(rows).toMatchObject([
    { actor: ann.address, action: 'group.invited', target: invitation.id, detail },
    { actor: ann.address, action: 'group.invitation_withdrawn', target: invitation.id, detail },
  ]);
});

test('a group of which too many are invited takes no more, and says so; who is invited stays so', async () => {
  const { ann, invite, invitation } = await lockedGroup();
  await invite();
  const database = new Database(join(relay.folder.path, 'relay.db'));
  const account = database.prepare('INSERT INTO account (address, created_at) VALUES (randomblob(20), 0)');
  const pending = database.prepare(
    'INSERT INTO invitation VALUES ((SELECT id FROM chat_group WHERE public_id = ?), ?, 0)',
  );
  database.transaction(() => {
    for (let count = 1; count < DEFAULT_QUOTAS.groupInvitations; count++) {
      pending.run(invitation.id, account.run().lastInsertRowid);
    }
  })();
  database.close();
  expect((await invite()).status).toBe(204);
  const { address } = await newPerson(relay);
  const params = { ...invitation, address };
  await relay.refuse('quota_reached', 'inviteToGroup', { token: ann.token, params });
});
