/**
 * A relay that hides a removal from some members of a group: a member with the proof stops sending, and forwards the proof.
 */
import { expect, test } from 'vitest';
import { HelloContent } from '../../../../src/messaging/contents/kinds/hello.ts';
import { decodePayload } from '../../../../src/protocol/payload.ts';
import { callEngine, eventually } from '../../../support/engine.ts';
import { directBody, forge, targetOf } from '../../../support/hostile-relay/forgery.ts';
import { newHonest, writeIn } from '../../../support/hostile-relay/people.ts';
import { HostileRelay } from '../../../support/hostile-relay/proxy.ts';
import { newPerson, type Person } from '../../../support/person.ts';
import { TestRoster } from '../../../support/relay-rosters.ts';

/** The entries that a person's device received in the group, oldest first. */
async function entriesTo(person: Person, groupId: string) {
  const envelopes = (await person.inbox()).filter((envelope) => envelope.groupId === groupId);
  return envelopes.flatMap((envelope) => {
    const hello = HelloContent.safeParse(decodePayload(person.openBytes(envelope)).body);
    return hello.data?.entries ?? [];
  });
}

test('proof of a split stops sending and reaches all members; only the person decides', async () => {
  await using hostile = await HostileRelay.start();
  const [ann, cat, dora] = [
    await newPerson(hostile.relay),
    await newPerson(hostile.relay),
    await newPerson(hostile.relay),
  ];
  const ben = await newHonest(hostile, 'ben');
  const roster = await TestRoster.begin(ann, { name: 'Heron' }, [cat]);
  const { id } = await callEngine(ben.engine, 'groups.join', { groupId: roster.id, password: null });
  await roster.follow(ann);
  // The chain shown to Ben has another entry at its place.
  const hidden = roster.make(ann, { kind: 'change', remove: [cat.address] });
  await roster.join(dora);

  const target = await targetOf(hostile, ann.token, ben.address);
  const body = {
    ...directBody(ann.address, ben.address, ''),
    kind: 'hello',
    group: roster.id,
    entries: [hidden],
  };
  hostile.invent(target.deviceId, forge(ann.address, target, { channel: 'direct', body }, ann.signer));
  await callEngine(ben.engine, 'connection.retry', {});
  const problem = async () => {
    const conversation = await callEngine(ben.engine, 'conversations.get', { id });
    return conversation.kind === 'group' ? conversation.group.problem?.code : undefined;
  };
  await eventually(problem, (code) => code === 'roster_split');
  for (const member of [ann, cat, dora]) {
    expect(
      await eventually(
        () => entriesTo(member, roster.id),
        (found) => found.length > 0,
      ),
    ).toEqual([hidden]);
  }
  expect(await writeIn(ben, id, 'for whom?')).toMatchObject({
    state: 'failed',
    problem: { code: 'roster_split' },
  });

  await callEngine(ben.engine, 'groups.goOn', { conversationId: id });
  expect(await writeIn(ben, id, 'for all who are shown')).toMatchObject({ state: 'sent' });
});
