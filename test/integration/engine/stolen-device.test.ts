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
  expect(await callEngine(laptop, 'devices.answerChanges', { keys, answer: 'undo' })).toEqual({
    changes: [],
    failures: [],
    undeleted: 0,
  });
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
  expect(left.changes).toHaveLength(1);
  expect(await timerOf(id)).toBe(604_800);
  expect(
    (await callEngine(laptop, 'devices.answerChanges', { keys: [keys[0] ?? ''], answer: 'keep' })).changes,
  ).toEqual([]);
  expect(await timerOf(other)).toBe(30);
  await eventually(
    () => callEngine(ben, 'conversations.get', { id: bens }),
    ({ timer }) => timer === 604_800,
  );
});
