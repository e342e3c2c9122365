/**
 * ML-KEM keys that a relay does not show, and the app's view of devices without one.
 */

import { expect, test } from 'vitest';
import { decodeBase64Url } from '../../../../src/protocol/encoding.ts';
import { readSuite } from '../../../../src/protocol/envelope-form.ts';
import type { GroupEnvelope } from '../../../../src/protocol/schemas/groups.ts';
import { callEngine, eventually } from '../../../support/engine.ts';
import { messagesOf, newGroup, newHonest, textsOf, waitFor } from '../../../support/hostile-relay/people.ts';
import { HostileRelay } from '../../../support/hostile-relay/proxy.ts';
import { newPerson, TestDevice } from '../../../support/person.ts';
import { joinAs } from '../../../support/relay-rosters.ts';

test('in a group, members with a withheld ML-KEM key get their copy later and the others at once', async () => {
  await using hostile = await HostileRelay.start();
  const [ann, ben] = [await newHonest(hostile, 'ann'), await newHonest(hostile, 'ben')];
  const program = await newPerson(hostile.relay);
  const made = await newGroup(ann, 'Three');
  const { groupId } = made.group;
  await callEngine(ben.engine, 'groups.join', { groupId, password: null });
  await joinAs(program, groupId);
  await callEngine(ann.engine, 'groups.details', { conversationId: made.id });

  hostile.lie(({ path, status }) => (path.endsWith('/pq-keys') && status === 200 ? { keys: {} } : undefined));
  await callEngine(ann.engine, 'messages.send', { conversationId: made.id, text: 'to all three' });
  await eventually(
    () => messagesOf(ann),
    (all) => all.some(({ text, state }) => text === 'to all three' && state === 'sent'),
  );
  expect(await program.inbox()).toHaveLength(1);
  expect(await textsOf(ben)).not.toContain('to all three');

  hostile.answerTruthfully();
  await callEngine(ann.engine, 'connection.retry', {});
  await waitFor(ben, 'to all three');
  const copies = hostile.sent.flatMap(
    (body) => (JSON.parse(body) as { envelopes: GroupEnvelope[] }).envelopes,
  );
  const suitesTo = (address: string) =>
    copies.flatMap(({ toAddress, ciphertext }) =>
      toAddress === address ? [readSuite(decodeBase64Url(ciphertext))] : [],
    );
  expect([suitesTo(program.address), suitesTo(ben.address)]).toEqual([[1], [2]]);
});

test('the details of a person name the devices without a post-quantum key', async () => {
  await using hostile = await HostileRelay.start();
  const ann = await newHonest(hostile, 'ann');
  const mallory = await newPerson(hostile.relay, new TestDevice('hybrid'));
  const program = new TestDevice();
  await mallory.publishDevices([mallory.device, program]);
  const ofMallory = await callEngine(ann.engine, 'people.details', { address: mallory.address });
  expect(ofMallory.devices).toHaveLength(2);
  expect(ofMallory.notPostQuantum).toEqual([program.id]);

  const ben = await newPerson(hostile.relay, new TestDevice('hybrid'));
  expect(await callEngine(ann.engine, 'people.details', { address: ben.address })).toMatchObject({
    devices: [{ id: ben.device.id }],
    notPostQuantum: [],
  });
});

test('a member with a new key since the group was read gets the message at once', async () => {
  await using hostile = await HostileRelay.start();
  const ann = await newHonest(hostile, 'ann');
  const ben = await newPerson(hostile.relay, new TestDevice('hybrid'));
  const made = await newGroup(ann, 'Two');
  const params = { id: made.group.groupId };
  await joinAs(ben, params.id);
  const sendText = async (words: string) => {
    await callEngine(ann.engine, 'messages.send', { conversationId: made.id, text: words });
    await eventually(
      () => messagesOf(ann),
      (all) => all.some(({ text, state }) => text === words && state === 'sent'),
    );
  };
  await callEngine(ann.engine, 'groups.details', { conversationId: made.id });
  await sendText('to the first key');
  ben.device.rotateInTurn();
  await ben.publishSealKey();
  // The group's data is cached; ML-KEM keys are not.
  await ann.engine.close();
  await ann.engine.start();
  await sendText('to the new key');
  expect(await ben.inbox()).toHaveLength(2);
});
