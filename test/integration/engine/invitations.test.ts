/**
 * A creator invites: separate engines on a real relay.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Conversation } from '../../../src/bridge/shapes/conversation.ts';
import type { GroupDetails } from '../../../src/bridge/shapes/group.ts';
import type { Message } from '../../../src/bridge/shapes/message.ts';
import { startRelay } from '../../../src/relay/index.ts';
import { callEngine, eventually, setUp, type TestEngine, temporaryFolder } from '../../support/engine.ts';
import { LocalEngine } from '../../support/local-engine.ts';
import { ROOMY_RATES } from '../../support/rates.ts';

const folder = temporaryFolder();
let relay: Awaited<ReturnType<typeof startRelay>>;
let ann: TestEngine;
let ben: TestEngine;
let benAddress: string;
beforeAll(async () => {
  relay = await startRelay({ dataDirectory: folder.path, limits: { rates: ROOMY_RATES } });
  [ann, ben] = [await new LocalEngine(relay.url).start(), await new LocalEngine(relay.url).start()];
  await setUp(ann, 'ann');
  benAddress = (await setUp(ben, 'ben')).address;
});
afterAll(async () => {
  for (const engine of [ann, ben]) await engine[Symbol.asyncDispose]();
  await relay.close();
  folder[Symbol.dispose]();
});

/** A group of Ann's with a password that only she knows. */
async function lockedGroup(name: string): Promise<GroupDetails> {
  const { id } = await callEngine(ann, 'groups.create', {
    name,
    description: '',
    join: { mode: 'password', password: 'secret' },
  });
  return callEngine(ann, 'groups.details', { conversationId: id });
}

async function conversationOf(engine: TestEngine, kind: Conversation['kind'], groupId?: string) {
  const all = await callEngine(engine, 'conversations.list', {});
  return all.find((each) => each.kind === kind && (each.kind !== 'group' || each.group.groupId === groupId));
}

async function directMessages(engine: TestEngine): Promise<Message[]> {
  const conversation = await conversationOf(engine, 'direct');
  if (!conversation) return [];
  return (await callEngine(engine, 'messages.list', { conversationId: conversation.id, limit: 200 }))
    .messages;
}

const invitationTo = (name: string) => (all: Message[]) => all.some(({ fields }) => fields.name === name);

test('an invited person gets a sealed message and joins without the password', async () => {
  const { conversationId, group } = await lockedGroup('Bird watchers');
  const groupId = group.groupId;
  const invited = await callEngine(ann, 'groups.invite', { conversationId, addresses: [benAddress] });
  expect(invited.invited).toMatchObject([{ address: benAddress, handle: 'ben' }]);

  const messages = await eventually(() => directMessages(ben), invitationTo('Bird watchers'));
  expect(messages.at(-1)).toMatchObject({
    kind: 'invite',
    fields: { groupId, name: 'Bird watchers' },
    trust: 'verified',
    text: '',
  });
  const request = await conversationOf(ben, 'direct');
  expect(request).toMatchObject({
    state: 'request',
    last: { summary: { kind: 'invite', fields: { name: 'Bird watchers' } } },
  });

  const joined = await callEngine(ben, 'groups.join', { groupId, password: null });
  expect(joined).toMatchObject({ kind: 'group', group: { joined: true, memberCount: 2 } });
  const after = await callEngine(ann, 'groups.details', { conversationId });
  expect(after.invited).toEqual([]);
  expect(after.members).toHaveLength(2);
  const asMember = await callEngine(ben, 'groups.details', { conversationId: joined.id });
  expect(asMember.invited).toBeNull();
});

test('a withdrawn invitation admits no one, and the guest gets instructions', async () => {
  const { conversationId, group } = await lockedGroup('Secret garden');
  await callEngine(ann, 'groups.invite', { conversationId, addresses: [benAddress] });
  await eventually(() => directMessages(ben), invitationTo('Secret garden'));
  const params = { conversationId, address: benAddress };
  expect((await callEngine(ann, 'groups.withdrawInvitation', params)).invited).toEqual([]);
  const join = callEngine(ben, 'groups.join', { groupId: group.groupId, password: null });
  await expect(join).rejects.toMatchObject({ code: 'roster_act_refused' });
});

test('only the creator and admins invite, and not those they have blocked', async () => {
  const { conversationId, group } = await lockedGroup('Tower');
  await callEngine(ann, 'groups.invite', { conversationId, addresses: [benAddress] });
  await eventually(() => directMessages(ben), invitationTo('Tower'));
  const joined = await callEngine(ben, 'groups.join', { groupId: group.groupId, password: null });
  const annAddress = (await callEngine(ann, 'app.state', {})).me?.address ?? '';
  const byMember = callEngine(ben, 'groups.invite', { conversationId: joined.id, addresses: [annAddress] });
  await expect(byMember).rejects.toMatchObject({ code: 'roster_act_refused' });

  const other = await lockedGroup('Attic');
  const withBen = await callEngine(ann, 'conversations.open', { address: benAddress });
  await callEngine(ann, 'conversations.block', { id: withBen.id });
  const invite = { conversationId: other.conversationId, addresses: [benAddress] };
  await expect(callEngine(ann, 'groups.invite', invite)).rejects.toMatchObject({ code: 'invited_blocked' });
  const { invited } = await callEngine(ann, 'groups.details', { conversationId: other.conversationId });
  expect(invited).toEqual([]);
  await callEngine(ann, 'conversations.unblock', { id: withBen.id });
});

test('an address without a device is reported', async () => {
  const { conversationId } = await lockedGroup('Empty chair');
  const invite = { conversationId, addresses: [`0x${'1'.repeat(40)}`] };
  await expect(callEngine(ann, 'groups.invite', invite)).rejects.toMatchObject({ code: 'invited_no_device' });
});

test('correcting a list of people invites no one twice, and no member', async () => {
  const { conversationId, group } = await lockedGroup('Twice');
  const nobody = `0x${'2'.repeat(40)}`;
  const invite = (addresses: string[]) => callEngine(ann, 'groups.invite', { conversationId, addresses });
  await expect(invite([benAddress, nobody])).rejects.toMatchObject({ code: 'invited_no_device' });
  await invite([benAddress]);
  await eventually(() => directMessages(ben), invitationTo('Twice'));
  await callEngine(ben, 'groups.join', { groupId: group.groupId, password: null });
  await invite([benAddress]);
  const cards = (await directMessages(ann)).filter(({ fields }) => fields.name === 'Twice');
  expect(cards).toHaveLength(1);
});
