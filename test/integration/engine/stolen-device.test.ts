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
