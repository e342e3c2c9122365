/**
 * A linked computer of Ann's is stolen: its changes of groups, and the messages that it sent in her name.
 */
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { callEngine, eventually, linkEngines, openChat, setUp } from '../../support/engine.ts';
import { preparePicture } from '../../support/files.ts';
import { LocalEngine } from '../../support/local-engine.ts';
import { TestRelay } from '../../support/relay.ts';

const PNG = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), randomBytes(2_000)]);

/** Reads the chains of all groups, and returns the chat of the one with a name. */
async function lookFor(engine: LocalEngine, name: string): Promise<string> {
  return eventually(
    async () => {
      const chats = await callEngine(engine, 'conversations.list', {});
      for (const { id, kind } of chats)
        if (kind === 'group') await callEngine(engine, 'groups.look', { conversationId: id });
      return chats.find((each) => each.kind === 'group' && each.group.name === name)?.id ?? '';
    },
    (id) => id !== '',
  );
}

/** Messages of all chats. */
async function messagesAt(engine: LocalEngine) {
  const chats = await callEngine(engine, 'conversations.list', {});
  const pages = chats.map(({ id }) =>
    callEngine(engine, 'messages.list', { conversationId: id, limit: 200 }),
  );
  return (await Promise.all(pages)).flatMap(({ messages }) => messages);
}

const changesAt = (engine: LocalEngine) => callEngine(engine, 'devices.changes', {});

async function removeOther(engine: LocalEngine, keptIds: readonly string[]): Promise<void> {
  const devices = await callEngine(engine, 'devices.list', {});
  const id = devices.find((each) => !keptIds.includes(each.id))?.id ?? '';
  await callEngine(engine, 'devices.revoke', { id });
}

const devicesAt = async (engine: LocalEngine) =>
  (await callEngine(engine, 'devices.list', {})).map(({ id }) => id);

const groupOf = async (engine: LocalEngine, id: string) => {
  const chat = await callEngine(engine, 'conversations.get', { id });
  if (chat.kind !== 'group') throw new Error('not a group');
  return chat.group;
};

test('changes of groups by a removed computer are listed, and undone or kept on all own computers', async () => {
  await using relay = await new TestRelay().start();
  await using laptop = await new LocalEngine(relay.url).start();
  await using attic = await new LocalEngine(relay.url).start();
  await using stolen = await new LocalEngine(relay.url).start();
  await using ben = await new LocalEngine(relay.url).start();
  await using eve = await new LocalEngine(relay.url).start();
  await using cat = await new LocalEngine(relay.url).start();
  await setUp(laptop, 'ann');
  for (const [engine, handle] of [
    [ben, 'ben'],
    [eve, 'eve'],
    [cat, 'cat'],
  ] as const)
    await setUp(engine, handle);
  const { id: birds } = await callEngine(laptop, 'groups.create', {
    name: 'Birds',
    description: 'Only birds',
    join: { mode: 'open' },
  });
  const { groupId } = await groupOf(laptop, birds);
  for (const engine of [ben, cat]) await callEngine(engine, 'groups.join', { groupId, password: null });
  const addressOf = async (query: string) => (await callEngine(laptop, 'people.resolve', { query })).address;
  const [bens, eves, cats] = [await addressOf('@ben'), await addressOf('@eve'), await addressOf('@cat')];
  await linkEngines(laptop, attic);
  const own = await devicesAt(laptop);
  await linkEngines(laptop, stolen);

  const there = await lookFor(stolen, 'Birds');
  await callEngine(stolen, 'groups.setAdmin', { conversationId: there, address: bens, isAdmin: true });
  await callEngine(stolen, 'groups.removeMember', { conversationId: there, address: cats });
  await callEngine(stolen, 'groups.change', { conversationId: there, join: { mode: 'invite' } });
  await callEngine(stolen, 'groups.change', { conversationId: there, description: '' });
  await callEngine(stolen, 'groups.change', { conversationId: there, description: 'Only birds' });
  await callEngine(stolen, 'groups.invite', { conversationId: there, addresses: [eves] });
  await eventually(
    () => messagesAt(eve),
    (messages) => messages.some(({ kind }) => kind === 'invite'),
  );
  await callEngine(eve, 'groups.join', { groupId, password: null });
  await callEngine(stolen, 'groups.change', { conversationId: there, name: 'Hacked' });
  expect(await lookFor(laptop, 'Hacked')).toBe(birds);
  const atticBirds = await lookFor(attic, 'Hacked');
  expect(await changesAt(laptop)).toEqual([]);

  await removeOther(laptop, own);
  const changes = (await changesAt(laptop)).filter(({ mark }) => mark !== 'messages');
  const facts = changes.map(({ mark, subject, text, before, isSet }) => [
    mark,
    subject,
    text ?? isSet,
    before,
  ]);
  expect(facts.toSorted()).toEqual(
    [
      ['groupName', 'Hacked', 'Hacked', 'Birds'],
      ['groupMember', 'eve', true, null],
      ['groupJoin', 'Hacked', 'invite', 'open'],
      ['groupMember', 'cat', false, null],
      ['groupRole', 'ben', 'admin', null],
    ].toSorted(),
  );
  expect(new Set(changes.map(({ undo }) => undo))).toEqual(new Set(['possible']));
  const keyOf = (mark: string, subject: string) =>
    changes.find((each) => each.mark === mark && each.subject === subject)?.key ?? '';

  // The other computer has the removal, and the same questions.
  await eventually(
    async () => {
      await callEngine(attic, 'devices.list', {});
      await callEngine(attic, 'groups.look', { conversationId: atticBirds });
      return changesAt(attic);
    },
    (open) => open.length >= changes.length,
  );
  const kept = keyOf('groupJoin', 'Hacked');
  const undone = changes.map(({ key }) => key).filter((key) => key !== kept);
  const left = await callEngine(laptop, 'devices.answerChanges', { keys: undone, answer: 'undo' });
  expect(left.failures).toEqual([]);
  expect(left.changes.map(({ key }) => key).filter((key) => undone.includes(key))).toEqual([]);
  await callEngine(laptop, 'devices.answerChanges', { keys: [kept], answer: 'keep' });
  expect((await changesAt(laptop)).filter(({ mark }) => mark !== 'messages')).toEqual([]);

  expect(await groupOf(laptop, birds)).toMatchObject({ name: 'Birds', join: 'invite', problem: null });
  const { members } = await callEngine(laptop, 'groups.details', { conversationId: birds });
  const shown = members.map(({ person, isAdmin }) => [person.handle, isAdmin]).toSorted();
  expect(shown).toEqual([
    ['ann', false],
    ['ben', false],
  ]);
  // Cat is invited again, and joins with it.
  await eventually(
    () => messagesAt(cat),
    (messages) => messages.some(({ kind }) => kind === 'invite'),
  );
  await callEngine(cat, 'groups.join', { groupId, password: null });
  // Both answers count there.
  await eventually(
    async () => {
      await callEngine(attic, 'groups.look', { conversationId: atticBirds });
      return (await changesAt(attic)).filter(({ mark }) => mark !== 'messages');
    },
    (open) => open.length === 0,
  );
  expect(await groupOf(attic, atticBirds)).toMatchObject({ name: 'Birds' });
});

test('messages by a removed computer are listed for each chat, and deleted for everyone or kept', async () => {
  await using relay = await new TestRelay().start();
  await using laptop = await new LocalEngine(relay.url).start();
  await using stolen = await new LocalEngine(relay.url).start();
  await using ben = await new LocalEngine(relay.url).start();
  await setUp(laptop, 'ann');
  await setUp(ben, 'ben');
  const { id: direct } = await openChat(laptop, 'ben');
  await callEngine(laptop, 'messages.send', { conversationId: direct, text: 'Hello from Ann' });
  const { id: birds } = await callEngine(laptop, 'groups.create', {
    name: 'Birds',
    description: '',
    join: { mode: 'open' },
  });
  const { groupId } = await groupOf(laptop, birds);
  await callEngine(ben, 'groups.join', { groupId, password: null });
  const own = await devicesAt(laptop);
  await linkEngines(laptop, stolen);
  const there = await lookFor(stolen, 'Birds');
  const { id: directThere } = await openChat(stolen, 'ben');
  // More than one control deletes.
  for (let n = 1; n <= 53; n++)
    await callEngine(stolen, 'messages.send', { conversationId: there, text: `Thief ${n}` });
  await callEngine(stolen, 'messages.send', { conversationId: directThere, text: 'Send me money' });
  for (const engine of [laptop, ben])
    await eventually(
      () => messagesAt(engine),
      (messages) => messages.filter(({ text }) => /Thief|money/.test(text)).length === 54,
    );
  expect(await changesAt(laptop)).toEqual([]);

  await removeOther(laptop, own);
  const changes = await changesAt(laptop);
  expect(changes).toMatchObject([
    { mark: 'messages', subject: 'Birds', messages: { conversationId: birds, count: 53, isMore: false } },
    { mark: 'messages', subject: 'ben', messages: { conversationId: direct, count: 1, isMore: false } },
  ]);
  const first = (await messagesAt(laptop)).find(({ text }) => text === 'Thief 1');
  expect(changes[0]?.messages?.firstId).toBe(first?.id);
  const [inBirds = '', toBen = ''] = changes.map(({ key }) => key);
  expect(
    await callEngine(laptop, 'devices.answerChanges', { keys: [inBirds], answer: 'undo' }),
  ).toMatchObject({
    changes: [{ key: toBen }],
    failures: [],
    undeleted: 0,
  });
  // Nothing can be deleted for a person who is blocked.
  await callEngine(laptop, 'conversations.block', { id: direct });
  expect(await changesAt(laptop)).toMatchObject([{ key: toBen, undo: 'never' }]);
  expect(await callEngine(laptop, 'devices.answerChanges', { keys: [toBen], answer: 'undo' })).toMatchObject({
    changes: [{ key: toBen }],
    undeleted: 1,
  });
  await callEngine(laptop, 'conversations.unblock', { id: direct });
  expect(
    (await callEngine(laptop, 'devices.answerChanges', { keys: [toBen], answer: 'keep' })).changes,
  ).toEqual([]);
  const left = await eventually(
    () => messagesAt(ben),
    (messages) => !messages.some(({ text }) => text.startsWith('Thief')),
  );
  expect(left.map(({ text }) => text)).toEqual(expect.arrayContaining(['Hello from Ann', 'Send me money']));
});

test('an answer that one group refuses still counts in the other group, and the failure is reported', async () => {
  await using relay = await new TestRelay().start();
  await using laptop = await new LocalEngine(relay.url).start();
  await using stolen = await new LocalEngine(relay.url).start();
  await using ben = await new LocalEngine(relay.url).start();
  const { address: anns = '' } = await setUp(laptop, 'ann');
  await setUp(ben, 'ben');
  const create = (engine: LocalEngine, name: string) =>
    callEngine(engine, 'groups.create', { name, description: '', join: { mode: 'open' } });
  const { id: birds } = await create(laptop, 'Birds');
  const { id: bensWalks } = await create(ben, 'Walks');
  const { groupId } = await groupOf(ben, bensWalks);
  const { id: walks } = await callEngine(laptop, 'groups.join', { groupId, password: null });
  const setAdmin = (isAdmin: boolean) =>
    callEngine(ben, 'groups.setAdmin', { conversationId: bensWalks, address: anns, isAdmin });
  await setAdmin(true);
  const own = await devicesAt(laptop);
  await linkEngines(laptop, stolen);
  for (const name of ['Birds', 'Walks'])
    await callEngine(stolen, 'groups.change', {
      conversationId: await lookFor(stolen, name),
      name: `${name} 2`,
    });
  for (const name of ['Birds 2', 'Walks 2']) await lookFor(laptop, name);
  await removeOther(laptop, own);
  const changes = await changesAt(laptop);
  // The group that refuses is answered first.
  expect(changes.map(({ group, undo }) => [group, undo])).toEqual([
    ['Walks 2', 'possible'],
    ['Birds 2', 'possible'],
  ]);
  await setAdmin(false);
  const keys = changes.map(({ key }) => key);
  const left = await callEngine(laptop, 'devices.answerChanges', { keys, answer: 'undo' });
  expect(left.failures).toMatchObject([
    { name: 'Walks 2', failure: { code: 'roster_act_refused', parameters: { reason: 'not_allowed' } } },
  ]);
  expect(await groupOf(laptop, birds)).toMatchObject({ name: 'Birds' });
  // Without the right, the change can only be kept.
  expect(left.changes).toMatchObject([{ group: 'Walks 2', undo: 'rights' }]);
  await callEngine(laptop, 'groups.leave', { conversationId: walks });
  expect(await changesAt(laptop)).toMatchObject([{ group: 'Walks 2', undo: 'left' }]);
  expect((await callEngine(laptop, 'devices.answerChanges', { keys, answer: 'keep' })).changes).toEqual([]);
});

test('an answer about many groups ends when the relay is not reached, and all changes stay', async () => {
  await using relay = await new TestRelay().start();
  await using laptop = await new LocalEngine(relay.url).start();
  await using stolen = await new LocalEngine(relay.url).start();
  await setUp(laptop, 'ann');
  const names = Array.from({ length: 6 }, (_, index) => `Group ${index}`);
  for (const name of names)
    await callEngine(laptop, 'groups.create', { name, description: '', join: { mode: 'open' } });
  const own = await devicesAt(laptop);
  await linkEngines(laptop, stolen);
  for (const name of names)
    await callEngine(stolen, 'groups.change', {
      conversationId: await lookFor(stolen, name),
      description: 'Hacked',
    });
  await lookFor(laptop, 'Group 0');
  await removeOther(laptop, own);
  const keys = (await changesAt(laptop)).map(({ key }) => key);
  expect(keys).toHaveLength(6);
  await relay.stop();
  const { changes, failures } = await callEngine(laptop, 'devices.answerChanges', { keys, answer: 'undo' });
  expect(changes.map(({ key }) => key)).toEqual(keys);
  // Those that were answered together.
  expect(failures.length).toBeGreaterThan(0);
  expect(failures.length).toBeLessThanOrEqual(4);
});

test('the picture of a group by a removed computer is listed, and removed or kept', async () => {
  await using relay = await new TestRelay().start();
  await using laptop = await new LocalEngine(relay.url).start();
  await using stolen = await new LocalEngine(relay.url).start();
  await setUp(laptop, 'ann');
  const ids: string[] = [];
  for (const name of ['Birds', 'Owls']) {
    const group = { name, description: '', join: { mode: 'open' as const } };
    ids.push((await callEngine(laptop, 'groups.create', group)).id);
  }
  const own = await devicesAt(laptop);
  await linkEngines(laptop, stolen);
  for (const name of ['Birds', 'Owls'])
    await callEngine(stolen, 'groups.setPicture', {
      conversationId: await lookFor(stolen, name),
      picture: await preparePicture(stolen, PNG),
    });
  const pictures = async () =>
    (await Promise.all(ids.map((id) => groupOf(laptop, id)))).map((each) => each.picture);
  await eventually(pictures, (all) => all.every((each) => each !== null));
  await removeOther(laptop, own);
  const changes = await changesAt(laptop);
  expect(changes.map(({ mark, undo }) => [mark, undo])).toEqual([
    ['groupPicture', 'possible'],
    ['groupPicture', 'possible'],
  ]);
  const keyOf = (name: string) => changes.find(({ group }) => group === name)?.key ?? '';
  await callEngine(laptop, 'devices.answerChanges', { keys: [keyOf('Birds')], answer: 'undo' });
  expect(await changesAt(laptop)).toMatchObject([{ group: 'Owls' }]);
  expect(await pictures()).toEqual([null, expect.any(String)]);
  await callEngine(laptop, 'devices.answerChanges', { keys: [keyOf('Owls')], answer: 'keep' });
  expect(await changesAt(laptop)).toEqual([]);
});
