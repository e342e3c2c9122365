/**
 * A relay that lies about groups: who is in them, whose keys members have, and where a message belongs.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { GroupConversation } from '../../../../src/bridge/shapes.ts';
import { membersHash } from '../../../../src/protocol/members-hash.ts';
import type { GroupView } from '../../../../src/protocol/schemas/groups.ts';
import type { InboxEnvelope } from '../../../../src/protocol/schemas/inbox.ts';
import { callEngine, eventually } from '../../../support/engine.ts';
import {
  directBody,
  forge,
  groupBody,
  type Target,
  targetOf,
} from '../../../support/hostile-relay/forgery.ts';
import {
  type Honest,
  messagesOf,
  newHonest,
  textsOf,
  waitFor,
} from '../../../support/hostile-relay/people.ts';
import { HostileRelay } from '../../../support/hostile-relay/proxy.ts';
import { newPerson, type Person } from '../../../support/person.ts';

let hostile: HostileRelay;
let ann: Honest;
let ben: Honest;
/** In the relay's hands. */
let mallory: Person;
let target: Target;
let group: GroupConversation;
let counter = 0;
beforeAll(async () => {
  hostile = await HostileRelay.start();
  [ann, ben] = [await newHonest(hostile, 'ann'), await newHonest(hostile, 'ben')];
  mallory = await newPerson(hostile.relay);
  target = await targetOf(hostile, mallory.token, ben.address);
  group = await newGroup('Bird watchers');
});
afterAll(async () => {
  for (const { engine } of [ann, ben]) await engine[Symbol.asyncDispose]();
  await hostile[Symbol.asyncDispose]();
});

/** A group that Ann has made and Ben has joined, each knowing of the other. */
async function newGroup(name: string): Promise<GroupConversation> {
  const made = await callEngine(ann.engine, 'groups.create', { name, description: '', password: null });
  if (made.kind !== 'group') throw new Error('this is no group');
  await callEngine(ben.engine, 'groups.join', { groupId: made.group.groupId, password: null });
  await callEngine(ann.engine, 'groups.details', { conversationId: made.id });
  return made;
}

async function say(text: string, where = group): Promise<void> {
  await callEngine(ann.engine, 'messages.send', { conversationId: where.id, text });
}

async function expectRefused(...lies: InboxEnvelope[]): Promise<void> {
  const before = await textsOf(ben);
  for (const lie of lies) hostile.invent(target.deviceId, lie);
  await callEngine(ben.engine, 'connection.retry', {});
  const truth = `the truth, number ${++counter}`;
  await say(truth);
  await waitFor(ben, truth);
  expect((await textsOf(ben)).toSorted()).toEqual([...before, truth].toSorted());
  hostile.tellTruth();
}

/** Shows Ann another group than there is. */
function lieAboutGroup(change: (view: GroupView) => Partial<GroupView>): void {
  hostile.lie(({ method, path, status, body }) =>
    method === 'GET' && path.endsWith(`/groups/${group.group.groupId}`) && status === 200
      ? { ...(body as GroupView), ...change(body as GroupView) }
      : undefined,
  );
}

const details = () => callEngine(ann.engine, 'groups.details', { conversationId: group.id });
const membersAs = (one: Honest, other: Honest) => membersHash([one.address, other.address]);

test('keys of the relay’s own in a member’s place are not sealed to; the person sees who gets nothing', async () => {
  lieAboutGroup(({ memberDevices, memberDeviceKeys }) => {
    const keys = mallory.device.statement(mallory.address, Date.now());
    const list = mallory.list;
    return {
      memberDevices: { ...memberDevices, [ben.address]: { deviceList: list, sealKeys: [keys] } } as never,
      memberDeviceKeys: { ...memberDeviceKeys, [ben.address]: [mallory.device.sealKeyText] },
    };
  });
  const { members } = await details();
  expect(members.find(({ person }) => person.handle === 'ben')).toMatchObject({
    devices: 0,
    problem: { code: 'keys_unproven' },
  });
  const before = hostile.sent.length;
  await say('not for the relay');
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(hostile.sent.slice(before).join()).not.toContain(mallory.device.sealKeyText);
  hostile.tellTruth();
  await details();
  await callEngine(ann.engine, 'connection.retry', {});
  await waitFor(ben, 'not for the relay');
});

test('a member who was added in secret is told in the timeline of whoever is shown them', async () => {
  lieAboutGroup((view) => {
    const members = [...view.members, mallory.address].sort();
    return { members, memberCount: members.length, membersHash: membersHash(members) };
  });
  await details();
  const { messages } = await callEngine(ann.engine, 'messages.list', {
    conversationId: group.id,
    limit: 200,
  });
  const joined = messages
    .filter(({ event }) => event?.type === 'joined')
    .map(({ event }) => event?.who.address);
  expect(joined.map((address) => address?.toLowerCase())).toContain(mallory.address);
  hostile.tellTruth();
  await details();
});

test('a list of members that does not fit its own hash, or is without oneself, is not believed', async () => {
  lieAboutGroup(({ members }) => ({ members: [...members, mallory.address] }));
  await expect(details()).rejects.toThrow(/do not fit its own hash/);
  hostile.tellTruth();
  lieAboutGroup(() => ({ members: [ben.address], membersHash: membersHash([ben.address]) }));
  await expect(details()).rejects.toThrow(/without you as a group of yours/);
  hostile.tellTruth();
});

test('a member who is hidden from Ben alone is given away by what Ann signs', async () => {
  const other = await newGroup('Tower');
  // Mallory is let in, shown to nobody but Ann; what Ann then signs gives it away.
  await hostile.relay.call('joinGroup', {
    token: mallory.token,
    params: { id: other.group.groupId },
    body: {},
  });
  const hide = ({ method, path, status, body }: Parameters<Parameters<HostileRelay['lie']>[0]>[0]) => {
    if (method !== 'GET' || !path.endsWith(`/groups/${other.group.groupId}`) || status !== 200)
      return undefined;
    const view = body as GroupView;
    const members = view.members.filter((address) => address !== mallory.address);
    return { ...view, members, memberCount: members.length, membersHash: membersHash(members) };
  };
  await callEngine(ann.engine, 'groups.details', { conversationId: other.id });
  hostile.lie(hide);
  await callEngine(ann.engine, 'messages.send', { conversationId: other.id, text: 'three of us' });
  await waitFor(ben, 'three of us');
  await eventually(
    () => callEngine(ben.engine, 'conversations.list', {}),
    (all) =>
      all.some(
        (each) =>
          each.kind === 'group' &&
          each.group.groupId === other.group.groupId &&
          each.group.membersDifferSince !== null,
      ),
  );
  hostile.tellTruth();
});

test('another group’s message, a direct one in a group, and a group’s as a direct one are refused', async () => {
  const elsewhere = await newGroup('Elsewhere');
  const [here, there] = [group.group.groupId, elsewhere.group.groupId];
  const seen: InboxEnvelope[] = [];
  hostile.lie(({ path, status, body }) => {
    if (!path.includes(`/inbox?device=${target.deviceId}`) || status !== 200) return undefined;
    const page = body as { envelopes: InboxEnvelope[] };
    seen.push(...page.envelopes);
    // Nothing true gets through here: what is moved would else be a duplicate.
    return { ...page, envelopes: page.envelopes.map((each) => ({ ...each, groupId: here })) };
  });
  await callEngine(ann.engine, 'messages.send', { conversationId: elsewhere.id, text: 'for elsewhere' });
  await eventually(
    async () => seen,
    (all) => all.length > 0,
  );
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(await textsOf(ben)).not.toContain('for elsewhere');
  hostile.tellTruth();

  const { signer } = mallory;
  const members = membersAs(ann, ben);
  const direct = { channel: 'direct' as const, body: directBody(mallory.address, ben.address, 'moved') };
  const grouped = { channel: 'group' as const, body: groupBody(mallory.address, there, members, 'moved') };
  const { groupId: _, ...asDirect } = forge(mallory.address, target, grouped, signer);
  await expectRefused(
    forge(mallory.address, target, direct, signer, { groupId: here }),
    asDirect,
    forge(mallory.address, target, grouped, signer, { groupId: here }),
  );
});

test('who is no member is not heard in a group', async () => {
  const outsider = await newPerson(hostile.relay);
  const members = membersAs(ann, ben);
  const body = groupBody(outsider.address, group.group.groupId, members, 'let me in');
  const { signer } = outsider;
  await expectRefused(forge(outsider.address, target, { channel: 'group', body }, signer));
});

test('nobody posts unsigned in the name of a member who allows none', async () => {
  const members = membersAs(ann, ben);
  const body = groupBody(ann.address, group.group.groupId, members, 'a bot of Ann’s');
  const message = { channel: 'group' as const, body };
  await expectRefused(
    forge(ann.address, target, message, null, { via: 'group_token' }),
    forge(ann.address, target, message, null, { via: 'api_key' }),
  );
});

test('members and devices that never stop changing do not keep the app busy for ever', async () => {
  hostile.lie(({ path, status, body }) =>
    path.endsWith(`${group.group.groupId}/envelopes`) && status === 200
      ? { ...(body as object), missing: [mallory.device.sealKeyText], stale: [target.sealKey] }
      : undefined,
  );
  const before = hostile.requests.length;
  await say('again and again');
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  const asked = hostile.requests.slice(before).filter(({ path }) => path.includes('/groups/'));
  // Waits of at least 250, 500 and 1,000 ms leave room for four attempts of five rounds with two calls each.
  expect(asked.length).toBeLessThanOrEqual(40);
  hostile.tellTruth();
  await callEngine(ann.engine, 'connection.retry', {});
  await waitFor(ben, 'again and again');
  expect((await textsOf(ben)).filter((text) => text === 'again and again')).toHaveLength(1);
});

test('an invitation brings into the group that it names by id, and shows that group’s own name', async () => {
  const { signer } = mallory;
  const invite = {
    ...directBody(mallory.address, ben.address, ''),
    kind: 'invite',
    group: 'nothing-here',
    name: 'Bird watchers',
  };
  hostile.invent(
    target.deviceId,
    forge(mallory.address, target, { channel: 'direct', body: invite }, signer),
  );
  await callEngine(ben.engine, 'connection.retry', {});
  await eventually(
    () => messagesOf(ben),
    (all) => all.some(({ kind, fields }) => kind === 'invite' && fields.groupId === 'nothing-here'),
  );
  const join = callEngine(ben.engine, 'groups.join', { groupId: 'nothing-here', password: null });
  await expect(join).rejects.toMatchObject({ code: 'group_invitation_over' });
});

test('the true view of another group, given for this one: nobody of the other reads it or speaks in it', async () => {
  const ours = await newGroup('Ours');
  const { body: theirs } = await hostile.relay.call('createGroup', {
    token: mallory.token,
    body: { name: 'Theirs' },
  });
  const token = mallory.token;
  await callEngine(ann.engine, 'groups.join', { groupId: theirs.id, password: null });
  await callEngine(ben.engine, 'groups.join', { groupId: theirs.id, password: null });
  const { body: view } = await hostile.relay.call('getGroup', { token, params: { id: theirs.id } });
  hostile.lie(({ method, path, status }) =>
    method === 'GET' && path.endsWith(`/groups/${ours.group.groupId}`) && status === 200 ? view : undefined,
  );
  await expect(callEngine(ann.engine, 'groups.details', { conversationId: ours.id })).rejects.toThrow(
    'not asked',
  );
  const sentBefore = hostile.sent.length;
  await ann.engine.close();
  await ann.engine.start();
  await callEngine(ann.engine, 'messages.send', { conversationId: ours.id, text: 'for us alone' });
  const body = groupBody(mallory.address, ours.group.groupId, membersHash(view.members), 'I am one of you');
  const { signer } = mallory;
  hostile.invent(target.deviceId, forge(mallory.address, target, { channel: 'group', body }, signer));
  await callEngine(ben.engine, 'connection.retry', {});
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(hostile.sent.slice(sentBefore).join()).not.toContain(mallory.address);
  expect(await textsOf(ben)).not.toContain('I am one of you');
  hostile.tellTruth();
  await callEngine(ann.engine, 'connection.retry', {});
  await waitFor(ben, 'for us alone');
  expect(hostile.sent.slice(sentBefore).join()).not.toContain(mallory.address);
  expect(await textsOf(ben)).not.toContain('I am one of you');
});
