/**
 * A member of a group signs that they have a newer device list, which does not exist: their deferred messages cost the
 * others and the relay little.
 */

import { expect, test } from 'vitest';
import { randomBytes } from '../../../../src/protocol/crypto.ts';
import { encodeBase64Url } from '../../../../src/protocol/encoding.ts';
import { ClockedEngine } from '../../../support/clocked-engine.ts';
import { callEngine, eventually } from '../../../support/engine.ts';
import { forge, groupBody, targetOf } from '../../../support/hostile-relay/forgery.ts';
import { newGroup, newHonest, waitFor } from '../../../support/hostile-relay/people.ts';
import { HostileRelay } from '../../../support/hostile-relay/proxy.ts';
import { newPerson } from '../../../support/person.ts';
import { joinAs, placeAt } from '../../../support/relay-rosters.ts';

const MINUTE = 60_000;

test('a false claim about a newer list does not make the app fetch the group every minute', async () => {
  await using hostile = await HostileRelay.start();
  const ann = await newHonest(hostile, 'ann', new ClockedEngine(hostile.url));
  const { engine, address } = ann;
  const mallory = await newPerson(hostile.relay);
  const target = await targetOf(hostile, mallory.token, address);
  const group = await newGroup(ann, 'Heron');
  const { groupId } = group.group;
  await joinAs(mallory, groupId);
  await callEngine(engine, 'groups.details', { conversationId: group.id });
  const self = await callEngine(engine, 'conversations.open', { address });

  const sendText = async (conversationId: string, text: string) => {
    await callEngine(engine, 'messages.send', { conversationId, text });
    await eventually(
      () => callEngine(engine, 'messages.list', { conversationId, limit: 200 }),
      ({ messages }) => messages.some((message) => message.text === text && message.state === 'sent'),
    );
  };
  /** Due messages are tried before later ones. */
  const travel = async (minutes: number) => {
    engine.ahead += minutes * MINUTE;
    await sendText(self.id, `${engine.ahead / MINUTE} minutes on`);
  };
  const looks = () =>
    hostile.requests.filter(({ method, path }) => method === 'GET' && path.endsWith(`/groups/${groupId}`))
      .length;

  const list = { sequence: 4_000_000_000, hash: encodeBase64Url(randomBytes(32)) };
  const body = groupBody(mallory.address, groupId, await placeAt(mallory, groupId), 'I have more');
  const lie = forge(
    mallory.address,
    target,
    { channel: 'group', body },
    { ...mallory.signer, list },
    { groupId },
  );
  hostile.invent(target.deviceId, lie);
  await waitFor(ann, 'I have more');

  const before = looks();
  for (const text of ['one', 'two', 'three']) {
    await sendText(group.id, text);
    await travel(7);
  }
  for (let hour = 0; hour < 22; hour++) for (const step of [15, 15, 15, 15]) await travel(step);
  // One for each message that was sent, a few in the first hour, and then two in an hour, for all of them together.
  expect(looks() - before).toBeLessThan(60);
  // The person may ask at any time.
  engine.ahead += 2 * MINUTE;
  const looksBefore = looks();
  await callEngine(engine, 'connection.retry', {});
  await eventually(
    async () => looks(),
    (count) => count > looksBefore,
  );
});
