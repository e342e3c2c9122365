/**
 * A relay that lies about groups: what the app tells of it. What holds for programs as well stands in
 * test/integration/messaging/hostile-relay/groups.test.ts.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { GroupConversation } from '../../../../src/bridge/shapes.ts';
import { encodeTime } from '../../../../src/protocol/encoding.ts';
import { membersHash } from '../../../../src/protocol/members-hash.ts';
import type { GroupView } from '../../../../src/protocol/schemas/groups.ts';
import { callEngine, eventually } from '../../../support/engine.ts';
import {
  directBody,
  forge,
  groupBody,
  type Target,
  targetOf,
} from '../../../support/hostile-relay/forgery.ts';
import { type Honest, messagesOf, newHonest, waitFor } from '../../../support/hostile-relay/people.ts';
import { HostileRelay } from '../../../support/hostile-relay/proxy.ts';
import { newPerson, type Person } from '../../../support/person.ts';

let hostile: HostileRelay;
let ann: Honest;
let ben: Honest;
/** In the relay's hands. */
let mallory: Person;
let target: Target;
let group: GroupConversation;
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

/** Shows Ann another group than there is. */
function lieAboutGroup(change: (view: GroupView) => Partial<GroupView>): void {
  hostile.lie(({ method, path, status, body }) =>
    method === 'GET' && path.endsWith(`/groups/${group.group.groupId}`) && status === 200
      ? { ...(body as GroupView), ...change(body as GroupView) }
      : undefined,
  );
}

const details = () => callEngine(ann.engine, 'groups.details', { conversationId: group.id });

test('a member who was added in secret is told in the timeline of each member who is shown them', async () => {
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

test('what is refused says nothing of a group: neither a stranger’s words nor those of a time to come', async () => {
  const other = await newGroup('Quiet hide');
  const { groupId } = other.group;
  await hostile.relay.call('joinGroup', { token: mallory.token, params: { id: groupId }, body: {} });
  const made = await callEngine(ann.engine, 'groups.create', {
    name: 'Open hide',
    description: '',
    password: null,
  });
  if (made.kind !== 'group') throw new Error('this is no group');
  const withoutMallory = made.group.groupId;
  await callEngine(ben.engine, 'groups.join', { groupId: withoutMallory, password: null });
  const wrong = membersHash([mallory.address]);
  const inTwoDays = encodeTime(Date.now() + 2 * 24 * 3_600_000);
  const bodies = [
    groupBody(mallory.address, withoutMallory, wrong, 'a stranger'),
    { ...groupBody(mallory.address, groupId, wrong, 'in two days'), sentAt: inTwoDays },
  ];
  for (const body of bodies)
    hostile.invent(
      target.deviceId,
      forge(mallory.address, target, { channel: 'group', body }, mallory.signer),
    );
  await callEngine(ben.engine, 'connection.retry', {});
  await eventually(
    async () => hostile.unacknowledged(target.deviceId),
    (left) => left === 0,
  );
  const all = await callEngine(ben.engine, 'conversations.list', {});
  const warned = all.flatMap((each) =>
    each.kind === 'group' && [groupId, withoutMallory].includes(each.group.groupId)
      ? [each.group.membersDifferSince]
      : [],
  );
  expect(warned).toEqual([null, null]);
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
