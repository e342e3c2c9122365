/**
 * Invitations that others make up for a group to which someone was truly invited.
 */
import { expect, test } from 'vitest';
import { encodeBase64Url, encodeTime } from '../../../../src/protocol/encoding.ts';
import { callEngine, eventually } from '../../../support/engine.ts';
import { directBody, forge, targetOf } from '../../../support/hostile-relay/forgery.ts';
import { messagesOf, newHonest } from '../../../support/hostile-relay/people.ts';
import { HostileRelay } from '../../../support/hostile-relay/proxy.ts';
import { fixedBytes } from '../../../support/identities.ts';
import { newPerson } from '../../../support/person.ts';

test('a stranger’s invented invitation does not replace a genuine one', async () => {
  await using hostile = await HostileRelay.start();
  const [ann, ben] = [await newHonest(hostile, 'ann'), await newHonest(hostile, 'ben')];
  const made = await callEngine(ann.engine, 'groups.create', {
    name: 'Herons',
    description: '',
    join: { mode: 'password', password: 'nobody knows it' },
  });
  const groupId = made.kind === 'group' ? made.group.groupId : '';
  await callEngine(ann.engine, 'groups.invite', { conversationId: made.id, addresses: [ben.address] });
  const invitations = async () => (await messagesOf(ben)).filter(({ kind }) => kind === 'invite');
  await eventually(invitations, (found) => found.length === 1);

  const mallory = await newPerson(hostile.relay);
  const target = await targetOf(hostile, mallory.token, ben.address);
  for (let made = 0; made < 8; made++) {
    const now = Date.now();
    const ticket = {
      address: ben.address,
      issued: encodeTime(now),
      expires: encodeTime(now + 60_000),
      by: ann.address,
      list: 1,
      deviceId: encodeBase64Url(fixedBytes(9).slice(0, 16)),
      signature: encodeBase64Url(new Uint8Array(64)),
    };
    const body = {
      ...directBody(mallory.address, ben.address, ''),
      kind: 'invite',
      fallback: 'come',
      group: groupId,
      name: 'Herons',
      ticket,
    };
    const message = { channel: 'direct' as const, body };
    hostile.invent(target.deviceId, forge(mallory.address, target, message, mallory.signer));
  }
  await callEngine(ben.engine, 'connection.retry', {});
  await eventually(invitations, (found) => found.length === 9);
  const joined = await callEngine(ben.engine, 'groups.join', { groupId, password: null });
  expect(joined).toMatchObject({ kind: 'group', group: { joined: true, memberCount: 2 } });
});
