/** A control is judged once, by the rights of the entry that it names. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { DirectBody, GroupBody } from '../../../../src/protocol/payload.ts';
import { type CachedDevice, openDevice, receiveBody } from '../../../support/cached-device.ts';
import { FullChat, groupOf, refTo, WRITTEN } from '../../../support/full-chat.ts';

const DAY = 86_400_000;
const [OWNER, AUTHOR, MEMBER] = [0, 1, 2];
const group = groupOf(3);
let chat: FullChat;
let device: CachedDevice;
let message: GroupBody;
beforeEach(() => {
  device = openDevice(group.people[OWNER]?.address ?? '', group.chain, () => WRITTEN + DAY);
  chat = new FullChat(group);
  message = chat.message(AUTHOR, 1, 'to be kept');
});
afterEach(() => device.close());

const deletion = (): GroupBody => {
  const { target: _, emoji: __, ...frame } = chat.reaction(MEMBER, refTo(message));
  return { ...frame, kind: 'delete', targets: [refTo(message)] } as GroupBody;
};
const arrive = (body: GroupBody | DirectBody, manages = false) =>
  device.context.transaction(() => receiveBody(device, body, WRITTEN, manages));
const shown = () =>
  device.context.timelines.before(device.conversationId, null, 10).map(({ deletedBy }) => deletedBy);

test('a refused deletion repeated after its sender became an admin erases nothing', () => {
  arrive(message);
  const refused = deletion();
  expect(arrive(refused)).toMatchObject({ isNew: true, changed: null });
  expect(arrive(refused, true)).toMatchObject({ isNew: false, hasErased: false });
  expect(shown()).toEqual([null]);
});

test('a deletion that waits while its sender becomes an admin erases nothing', () => {
  arrive(deletion());
  const { groups } = device.context;
  const { state } = device.group;
  const sender = group.people[MEMBER]?.address ?? '';
  groups.advance({ ...state, admins: [sender] }, [], device.own);
  arrive(message);
  expect(shown()).toEqual([null]);
});

test('a deletion by an admin erases a message that arrives later', () => {
  arrive(deletion(), true);
  expect(arrive(message)).toMatchObject({ hasErased: true });
  expect(shown()).toEqual([group.people[MEMBER]?.address]);
});
