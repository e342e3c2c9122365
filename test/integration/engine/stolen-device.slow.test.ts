/**
 * A linked computer of Ann's is stolen: its timers of groups, and her answers on another own computer.
 */
import { expect, test } from 'vitest';
import { callEngine, eventually, linkEngines, openChat, setUp } from '../../support/engine.ts';
import { LocalEngine } from '../../support/local-engine.ts';
import { TestRelay } from '../../support/relay.ts';

test('a timer that a removed computer set in a group is listed, and each answer also confirms the group', async () => {
  await using relay = await new TestRelay().start();
  await using laptop = await new LocalEngine(relay.url).start();
  await using stolen = await new LocalEngine(relay.url).start();
  await setUp(laptop, 'ann');
  const ids: string[] = [];
  for (const name of ['Kept', 'Undone', 'Others']) {
    const { id } = await callEngine(laptop, 'groups.create', {
      name,
      description: '',
      join: { mode: 'open' },
    });
    ids.push(id);
  }
  const [kept = '', undone = '', others = ''] = ids;
  await callEngine(laptop, 'conversations.setTimer', { id: undone, seconds: 604_800 });
  await linkEngines(laptop, stolen);
  const there = await eventually(
    async () => {
      const chats = await callEngine(stolen, 'conversations.list', {});
      for (const { id } of chats) await callEngine(stolen, 'groups.look', { conversationId: id });
      return chats;
    },
    (chats) => chats.length === 3 && chats.some(({ timer }) => timer === 604_800),
  );
  const named = (name: string) =>
    there.find((each) => each.kind === 'group' && each.group.name === name)?.id ?? '';
  for (const [name, seconds] of [
    ['Kept', 300],
    ['Undone', 300],
    ['Undone', 30],
    ['Others', 30],
  ] as const)
    await callEngine(stolen, 'conversations.setTimer', { id: named(name), seconds });
  await callEngine(laptop, 'conversations.setTimer', { id: others, seconds: 3_600 });
  const timerOf = async (id: string) => (await callEngine(laptop, 'conversations.get', { id })).timer;
  await eventually(
    async () => {
      for (const conversationId of ids) await callEngine(laptop, 'groups.look', { conversationId });
      return Promise.all(ids.map(timerOf));
    },
    (timers) => timers.join() === '300,30,3600',
  );
  expect(await callEngine(laptop, 'devices.changes', {})).toEqual([]);

  const devices = await callEngine(laptop, 'devices.list', {});
  await callEngine(laptop, 'devices.revoke', { id: devices.find(({ isThis }) => !isThis)?.id ?? '' });
  const changes = await callEngine(laptop, 'devices.changes', {});
  expect(changes.map(({ mark, subject, seconds }) => [mark, subject, seconds])).toEqual([
    ['groupTimer', 'Undone', { now: 30, before: 604_800 }],
    ['groupTimer', 'Kept', { now: 300, before: 0 }],
  ]);
  const [ofUndone = '', ofKept = ''] = changes.map(({ key }) => key);
  const left = await callEngine(laptop, 'devices.answerChanges', { keys: [ofUndone], answer: 'undo' });
  expect(left.changes.map(({ key }) => key)).toEqual([ofKept]);
  expect(
    (await callEngine(laptop, 'devices.answerChanges', { keys: [ofKept], answer: 'keep' })).changes,
  ).toEqual([]);
  expect(await Promise.all([kept, undone].map(timerOf))).toEqual([300, 604_800]);
  for (const id of [kept, undone]) {
    const chat = await callEngine(laptop, 'conversations.get', { id });
    expect(chat.kind === 'group' && chat.group.problem).toBeNull();
  }
});

test('an answer about changes of a removed computer counts on the other own computers', async () => {
  await using relay = await new TestRelay().start();
  await using laptop = await new LocalEngine(relay.url).start();
  await using attic = await new LocalEngine(relay.url).start();
  await using stolen = await new LocalEngine(relay.url).start();
  await using ben = await new LocalEngine(relay.url).start();
  await setUp(laptop, 'ann');
  await setUp(ben, 'ben');
  const { id } = await openChat(laptop, 'ben');
  const group = await callEngine(laptop, 'groups.create', {
    name: 'Birds',
    description: '',
    join: { mode: 'open' },
  });
  await linkEngines(laptop, attic);
  await openChat(attic, 'ben');
  const first = (await callEngine(laptop, 'devices.list', {})).map((each) => each.id);
  await linkEngines(laptop, stolen);
  const { address } = await callEngine(stolen, 'people.resolve', { query: '@ben' });
  await callEngine(stolen, 'people.setNickname', { address, nickname: 'Mum' });
  const { id: there } = await openChat(stolen, 'ben');
  await callEngine(stolen, 'conversations.setTimer', { id: there, seconds: 30 });
  const groupThere = await eventually(
    () => callEngine(stolen, 'conversations.list', {}),
    (chats) => chats.some(({ kind }) => kind === 'group'),
  );
  const { id: birds = '' } = groupThere.find(({ kind }) => kind === 'group') ?? {};
  await callEngine(stolen, 'conversations.setTimer', { id: birds, seconds: 300 });
  await callEngine(laptop, 'groups.look', { conversationId: group.id });
  for (const engine of [laptop, attic]) {
    await eventually(
      () => callEngine(engine, 'conversations.list', {}),
      (chats) =>
        chats.some((each) => each.kind === 'direct' && each.peer.nickname === 'Mum' && each.timer === 30),
    );
  }
  const added = (await callEngine(laptop, 'devices.list', {})).find((each) => !first.includes(each.id));
  await callEngine(laptop, 'devices.revoke', { id: added?.id ?? '' });
  const changesAt = (engine: LocalEngine) => callEngine(engine, 'devices.changes', {});
  const marksAt = async (engine: LocalEngine) => (await changesAt(engine)).map(({ mark }) => mark).toSorted();
  await eventually(
    async () => {
      await callEngine(attic, 'devices.list', {});
      for (const each of await callEngine(attic, 'conversations.list', {}))
        if (each.kind === 'group') await callEngine(attic, 'groups.look', { conversationId: each.id });
      return marksAt(attic);
    },
    (marks) => marks.join() === 'chatTimer,groupTimer,nickname',
  );
  const keys = (await changesAt(laptop)).map(({ key }) => key);
  expect((await callEngine(laptop, 'devices.answerChanges', { keys, answer: 'keep' })).changes).toEqual([]);
  await eventually(
    async () => {
      for (const each of await callEngine(attic, 'conversations.list', {}))
        if (each.kind === 'group') await callEngine(attic, 'groups.look', { conversationId: each.id });
      return changesAt(attic);
    },
    (changes) => changes.length === 0,
  );
  expect(await callEngine(laptop, 'conversations.get', { id })).toMatchObject({ timer: 30 });
});
