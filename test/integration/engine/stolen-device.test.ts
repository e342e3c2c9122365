/**
 * A linked computer of Ann's is stolen: the thief's settings reach her, and are reverted after its removal.
 */
import { expect, test } from 'vitest';
import { callEngine, eventually, linkEngines, openChat, setUp } from '../../support/engine.ts';
import { LocalEngine } from '../../support/local-engine.ts';
import { TestRelay } from '../../support/relay.ts';

test('after removing a stolen computer its marks are reviewed and can be undone', async () => {
  await using relay = await new TestRelay().start();
  await using laptop = await new LocalEngine(relay.url).start();
  await using stolen = await new LocalEngine(relay.url).start();
  await using ben = await new LocalEngine(relay.url).start();
  await setUp(laptop, 'ann');
  await setUp(ben, 'ben');
  const { id } = await openChat(laptop, 'ben');
  await linkEngines(laptop, stolen);
  const { address } = await callEngine(stolen, 'people.resolve', { query: '@ben' });
  await callEngine(stolen, 'people.setVerified', { address, verified: true });
  await callEngine(stolen, 'people.setNickname', { address, nickname: 'Mum' });
  const linked = (await callEngine(laptop, 'devices.list', {})).find(({ isThis }) => !isThis);
  expect(linked?.name).toMatch(/^Waxwing \(/);
  await callEngine(laptop, 'devices.rename', { id: linked?.id ?? '', name: 'Attic' });

  const chat = () => callEngine(laptop, 'conversations.get', { id });
  const devices = await callEngine(laptop, 'devices.list', {});
  const other = devices.find(({ isThis }) => !isThis)?.id ?? '';
  const isMarked = {
    verifiedAt: expect.any(Number),
    setBy: { id: other, name: 'Attic' },
    peer: { nickname: 'Mum' },
  };
  await eventually(chat, (each) => each.kind === 'direct' && each.peer.nickname === 'Mum');
  expect(await chat()).toMatchObject(isMarked);
  expect(await callEngine(laptop, 'devices.changes', {})).toEqual([]);

  await callEngine(laptop, 'devices.revoke', { id: other });
  const changes = await callEngine(laptop, 'devices.changes', {});
  expect(changes.map(({ mark, text, subject }) => [mark, text, subject]).toSorted()).toEqual([
    ['nickname', 'Mum', 'ben'],
    ['verified', null, 'ben'],
  ]);
  expect(await chat()).toMatchObject({ verifiedAt: null });
  const keys = changes.map(({ key }) => key);
  expect(await callEngine(laptop, 'devices.answerChanges', { keys, answer: 'undo' })).toEqual([]);
  expect(await chat()).toMatchObject({ verifiedAt: null, peer: { nickname: null } });
});

test('a timer that a removed computer set in a chat is listed, and undoing it restores the former one', async () => {
  await using relay = await new TestRelay().start();
  await using laptop = await new LocalEngine(relay.url).start();
  await using stolen = await new LocalEngine(relay.url).start();
  await using ben = await new LocalEngine(relay.url).start();
  await using eve = await new LocalEngine(relay.url).start();
  await setUp(laptop, 'ann');
  await setUp(ben, 'ben');
  await setUp(eve, 'eve');
  const { id } = await openChat(laptop, 'ben');
  const { id: bens } = await openChat(ben, 'ann');
  const { id: other } = await openChat(laptop, 'eve');
  await linkEngines(laptop, stolen);
  await callEngine(laptop, 'conversations.setTimer', { id, seconds: 604_800 });
  const timerOf = async (chat: string) => {
    const conversation = await callEngine(laptop, 'conversations.get', { id: chat });
    return conversation.timer;
  };
  const { id: there } = await openChat(stolen, 'ben');
  await eventually(
    () => callEngine(stolen, 'conversations.get', { id: there }),
    ({ timer }) => timer === 604_800,
  );
  for (const seconds of [300, 30]) await callEngine(stolen, 'conversations.setTimer', { id: there, seconds });
  const { id: otherThere } = await openChat(stolen, 'eve');
  await callEngine(stolen, 'conversations.setTimer', { id: otherThere, seconds: 30 });
  await eventually(
    () => Promise.all([timerOf(id), timerOf(other)]),
    (timers) => timers.every((seconds) => seconds === 30),
  );
  expect(await callEngine(laptop, 'devices.changes', {})).toEqual([]);

  const devices = await callEngine(laptop, 'devices.list', {});
  await callEngine(laptop, 'devices.revoke', { id: devices.find(({ isThis }) => !isThis)?.id ?? '' });
  const changes = await callEngine(laptop, 'devices.changes', {});
  expect(changes.map(({ mark, subject, seconds }) => [mark, subject, seconds])).toEqual([
    ['chatTimer', 'eve', { now: 30, before: 0 }],
    ['chatTimer', 'ben', { now: 30, before: 604_800 }],
  ]);
  const keys = changes.map(({ key }) => key);
  const left = await callEngine(laptop, 'devices.answerChanges', { keys: [keys[1] ?? ''], answer: 'undo' });
  expect(left).toHaveLength(1);
  expect(await timerOf(id)).toBe(604_800);
  expect(
    await callEngine(laptop, 'devices.answerChanges', { keys: [keys[0] ?? ''], answer: 'keep' }),
  ).toEqual([]);
  expect(await timerOf(other)).toBe(30);
  await eventually(
    () => callEngine(ben, 'conversations.get', { id: bens }),
    ({ timer }) => timer === 604_800,
  );
});

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
    ['chatTimer', 'Undone', { now: 30, before: 604_800 }],
    ['chatTimer', 'Kept', { now: 300, before: 0 }],
  ]);
  const [ofUndone = '', ofKept = ''] = changes.map(({ key }) => key);
  const left = await callEngine(laptop, 'devices.answerChanges', { keys: [ofUndone], answer: 'undo' });
  expect(left.map(({ key }) => key)).toEqual([ofKept]);
  expect(await callEngine(laptop, 'devices.answerChanges', { keys: [ofKept], answer: 'keep' })).toEqual([]);
  expect(await Promise.all([kept, undone].map(timerOf))).toEqual([300, 604_800]);
  for (const id of [kept, undone]) {
    const chat = await callEngine(laptop, 'conversations.get', { id });
    expect(chat.kind === 'group' && chat.group.problem).toBeNull();
  }
});
