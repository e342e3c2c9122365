import { afterAll, beforeAll, expect, test } from 'vitest';
import { startRelay } from '../../../src/relay/index.ts';
import {
  allMessages,
  callEngine,
  eventually,
  openChat,
  setUp,
  type TestEngine,
  temporaryFolder,
} from '../../support/engine.ts';
import { LocalEngine } from '../../support/local-engine.ts';

const folder = temporaryFolder();
let relay: Awaited<ReturnType<typeof startRelay>>;
let laptop: TestEngine;
let desktop: TestEngine;
let ben: TestEngine;
beforeAll(async () => {
  relay = await startRelay({ dataDirectory: folder.path });
  laptop = await new LocalEngine(relay.url).start();
  desktop = await new LocalEngine(relay.url).start();
  ben = await new LocalEngine(relay.url).start();
});
afterAll(async () => {
  for (const engine of [laptop, desktop, ben]) await engine[Symbol.asyncDispose]();
  await relay.close();
  folder[Symbol.dispose]();
});

test('the recovery phrase adds a second device; both show messages of either; one removes the other', async () => {
  await setUp(ben, 'ben');
  const { words, places } = await callEngine(laptop, 'setup.newPhrase', {});
  const answers = places.map((place) => words[place - 1] ?? '');
  const relayChoice = { kind: 'embedded' as const };
  await callEngine(laptop, 'setup.finish', { relay: relayChoice, identity: { kind: 'new', answers } });
  await callEngine(laptop, 'profile.save', { handle: 'ann', displayName: 'Ann' });
  const imported = { kind: 'import' as const, secret: words.join(' ') };
  const me = await callEngine(desktop, 'setup.finish', { relay: relayChoice, identity: imported });
  expect(me.handle).toBe('ann');

  const devices = await callEngine(laptop, 'devices.list', {});
  expect(devices.map(({ isThis, type }) => [isThis, type])).toEqual([
    [true, 'app'],
    [false, 'app'],
  ]);
  expect(devices.every(({ sealKeySince }) => sealKeySince !== null)).toBe(true);

  const chat = await openChat(ben, 'ann');
  await callEngine(ben, 'messages.send', { conversationId: chat.id, text: 'to all your devices' });
  for (const engine of [laptop, desktop]) {
    await eventually(
      () => allMessages(engine),
      ([message]) => message?.text === 'to all your devices',
    );
  }
  const [conversation] = await callEngine(laptop, 'conversations.list', {});
  await callEngine(laptop, 'messages.send', {
    conversationId: conversation?.id ?? '',
    text: 'from the laptop',
  });
  const onDesktop = await eventually(
    () => allMessages(desktop),
    ({ length }) => length === 2,
  );
  expect(onDesktop[1]).toMatchObject({ text: 'from the laptop', trust: 'self', state: 'sent' });

  const made = await callEngine(laptop, 'groups.create', {
    name: 'Birds',
    description: '',
    join: { mode: 'open' },
  });
  await callEngine(desktop, 'connection.retry', {});
  const seen = await eventually(
    () => callEngine(desktop, 'conversations.list', {}),
    (all) => all.some(({ kind }) => kind === 'group'),
  );
  expect(seen.find(({ kind }) => kind === 'group')).toMatchObject({
    group: { name: 'Birds', isCreator: true },
  });
  await callEngine(laptop, 'messages.send', { conversationId: made.id, text: 'to myself and all members' });
  const inGroup = () => {
    const id = seen.find(({ kind }) => kind === 'group')?.id ?? '';
    return callEngine(desktop, 'messages.list', { conversationId: id, limit: 50 });
  };
  await eventually(inGroup, ({ messages }) => messages.length === 1);

  const other = devices.find(({ isThis }) => !isThis)?.id ?? '';
  expect(await callEngine(laptop, 'devices.revoke', { id: other })).toHaveLength(1);
  await callEngine(ben, 'messages.send', { conversationId: chat.id, text: 'to the laptop alone' });
  await eventually(
    () => allMessages(laptop),
    (all) => all.some(({ text }) => text === 'to the laptop alone'),
  );
  await eventually(
    () => callEngine(desktop, 'connection.get', {}),
    ({ state, problem }) => state !== 'online' && problem?.code === 'device_removed',
  );
  expect((await allMessages(desktop)).map(({ text }) => text)).not.toContain('to the laptop alone');
});

test('the device in use cannot remove itself', async () => {
  const [own] = await callEngine(laptop, 'devices.list', {});
  await expect(callEngine(laptop, 'devices.revoke', { id: own?.id ?? '' })).rejects.toMatchObject({
    code: 'own_device',
  });
});
