/**
 * Claims of a group member about lists and members that do not exist, and their effect on the others.
 */

import { afterEach, beforeEach, expect, test } from 'vitest';
import type { GroupConversation } from '../../../../src/bridge/shapes/conversation.ts';
import { randomBytes } from '../../../../src/protocol/crypto.ts';
import { encodeBase64Url } from '../../../../src/protocol/encoding.ts';
import type { RosterReference } from '../../../../src/protocol/roster/reference.ts';
import { callEngine, eventually } from '../../../support/engine.ts';
import { forge, groupBody, type Target, targetOf } from '../../../support/hostile-relay/forgery.ts';
import {
  type Honest,
  messagesOf,
  newGroup,
  newHonest,
  textsOf,
  waitFor,
} from '../../../support/hostile-relay/people.ts';
import { HostileRelay } from '../../../support/hostile-relay/proxy.ts';
import { newPerson, type Person } from '../../../support/person.ts';
import { joinAs, placeAt } from '../../../support/relay-rosters.ts';

let hostile: HostileRelay;
let ann: Honest;
let ben: Honest;
/** A member whose device and wallet this test controls. */
let mallory: Person;
let target: Target;
let group: GroupConversation;
beforeEach(async () => {
  hostile = await HostileRelay.start();
  [ann, ben] = [await newHonest(hostile, 'ann'), await newHonest(hostile, 'ben')];
  mallory = await newPerson(hostile.relay);
  target = await targetOf(hostile, mallory.token, ann.address);
  const made = await newGroup(ann, 'Heron');
  group = made;
  await joinAs(mallory, groupId());
  await details();
});
afterEach(() => hostile[Symbol.asyncDispose]());

const groupId = () => group.group.groupId;
const details = () => callEngine(ann.engine, 'groups.details', { conversationId: group.id });
const sendText = (text: string) =>
  callEngine(ann.engine, 'messages.send', { conversationId: group.id, text });
const shown = () => placeAt(mallory, groupId());

/** A group message of a person's, signed by their device. */
function posted(from: Person, place: RosterReference, text: string, signer = from.signer) {
  const message = { channel: 'group' as const, body: groupBody(from.address, groupId(), place, text) };
  return forge(from.address, target, message, signer, { groupId: groupId() });
}

async function isSent(text: string): Promise<void> {
  await eventually(
    () => messagesOf(ann),
    (all) => all.some((message) => message.text === text && message.state === 'sent'),
  );
}

test('a copy pending for a hidden list is not sent to members who join later', async () => {
  const list = { sequence: 4_000_000_000, hash: encodeBase64Url(randomBytes(32)) };
  hostile.invent(target.deviceId, posted(mallory, await shown(), 'I have more', { ...mallory.signer, list }));
  await waitFor(ann, 'I have more');
  await sendText('before Ben came');
  await isSent('before Ben came');
  await callEngine(ben.engine, 'groups.join', { groupId: groupId(), password: null });
  await details();
  await callEngine(ann.engine, 'connection.retry', {});
  await sendText('after Ben came');
  await waitFor(ben, 'after Ben came');
  await callEngine(ann.engine, 'connection.retry', {});
  await callEngine(ben.engine, 'connection.retry', {});
  // Pending messages are tried before later ones.
  await sendText('the last');
  await waitFor(ben, 'the last');
  expect(await textsOf(ben)).toEqual(['after Ben came', 'the last']);
});
