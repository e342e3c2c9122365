/** Pictures that the person chooses without a connection: their own, and that of a group. */
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { callEngine, eventually, type TestEngine } from '../../support/engine.ts';
import { FileChat } from '../../support/file-chat.ts';
import { preparePicture, readWhole } from '../../support/files.ts';
import type { LocalEngine } from '../../support/local-engine.ts';
import { TestRelay } from '../../support/relay.ts';

const png = () => Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), randomBytes(20_000)]);
const shownAt = async (engine: TestEngine) => {
  const [conversation] = await callEngine(engine, 'conversations.list', {});
  return conversation?.kind === 'direct' ? conversation.peer.picture : null;
};
const connection = async (engine: TestEngine) => (await callEngine(engine, 'connection.get', {})).state;

test('a picture chosen without a connection is shown at once, and sent later, also after a restart', async () => {
  await using relay = await new TestRelay().start();
  await using people = await FileChat.start(relay.url);
  const { ann, ben } = people;
  await relay.stop();
  await eventually(
    () => connection(ann),
    (state) => state === 'offline',
  );
  const picture = png();
  const me = await callEngine(ann, 'profile.setPicture', { picture: await preparePicture(ann, picture) });
  expect(me.picture).not.toBeNull();
  await ann.close();
  await ann.start();
  expect((await callEngine(ann, 'app.state', {})).me?.picture).not.toBeNull();

  await relay.start();
  await callEngine(ann, 'connection.retry', {});
  await callEngine(ben, 'connection.retry', {});
  const shown = await eventually(
    () => shownAt(ben),
    (each) => each !== null,
  );
  const { path } = await callEngine(ben, 'pictures.open', { id: shown ?? '' });
  expect(Buffer.from(await readWhole(ben.handle, path)).equals(picture)).toBe(true);
});

const groupAt = async (engine: LocalEngine) => {
  const all = await callEngine(engine, 'conversations.list', {});
  return all.find((each) => each.kind === 'group') ?? null;
};
const textsIn = async (engine: LocalEngine) => {
  const group = await groupAt(engine);
  if (!group) return [];
  const { messages } = await callEngine(engine, 'messages.list', { conversationId: group.id, limit: 50 });
  return messages.flatMap(({ kind, text }) => (kind === 'text' ? [text] : []));
};

/** A group of two people, of whom ann has no connection. */
async function withoutConnection(relay: TestRelay, { ann, ben }: FileChat): Promise<string> {
  const join = { mode: 'open' } as const;
  const created = await callEngine(ann, 'groups.create', { name: 'Hikers', description: '', join });
  if (created.kind !== 'group') throw new Error('no group');
  await callEngine(ben, 'groups.join', { groupId: created.group.groupId, password: null });
  await relay.stop();
  await eventually(
    () => connection(ann),
    (state) => state === 'offline',
  );
  return created.id;
}

test('a picture of a group is shown at once, and sent later with the messages behind it', async () => {
  await using relay = await new TestRelay().start();
  await using people = await FileChat.start(relay.url);
  const { ann, ben } = people;
  const conversationId = await withoutConnection(relay, people);
  const picture = png();
  await callEngine(ann, 'groups.setPicture', { conversationId, picture: await preparePicture(ann, picture) });
  await callEngine(ann, 'messages.send', { conversationId, text: 'A new picture' });
  await ann.close();
  await ann.start();
  expect(await groupAt(ann)).toMatchObject({ group: { picture: expect.any(String) } });

  await relay.start();
  await callEngine(ann, 'connection.retry', {});
  await callEngine(ben, 'connection.retry', {});
  const shown = await eventually(
    async () => {
      const group = await groupAt(ben);
      return group?.kind === 'group' ? group.group.picture : null;
    },
    (each) => each !== null,
  );
  const { path } = await callEngine(ben, 'pictures.open', { id: shown ?? '' });
  expect(Buffer.from(await readWhole(ben.handle, path)).equals(picture)).toBe(true);
  await eventually(
    () => textsIn(ben),
    (texts) => texts.includes('A new picture'),
  );
});

test('of two pictures of a group chosen without a connection, only the second is sent', async () => {
  await using relay = await new TestRelay().start();
  await using people = await FileChat.start(relay.url);
  const { ann, ben } = people;
  const conversationId = await withoutConnection(relay, people);
  const [first, second] = [png(), png()];
  for (const each of [first, second])
    await callEngine(ann, 'groups.setPicture', { conversationId, picture: await preparePicture(ann, each) });
  await callEngine(ann, 'messages.send', { conversationId, text: 'The second' });
  await relay.start();
  await callEngine(ann, 'connection.retry', {});
  await callEngine(ben, 'connection.retry', {});
  await eventually(
    () => textsIn(ben),
    (texts) => texts.includes('The second'),
  );
  const { id = '' } = (await groupAt(ben)) ?? {};
  const { messages } = await callEngine(ben, 'messages.list', { conversationId: id, limit: 50 });
  expect(messages.filter(({ event }) => event?.type === 'groupPicture')).toHaveLength(1);
  const shown = await eventually(
    async () => {
      const group = await groupAt(ben);
      return group?.kind === 'group' ? group.group.picture : null;
    },
    (each) => each !== null,
  );
  const { path } = await callEngine(ben, 'pictures.open', { id: shown ?? '' });
  expect(Buffer.from(await readWhole(ben.handle, path)).equals(second)).toBe(true);
});

test('a picture of a group that the server refuses later is removed, and messages are sent', async () => {
  await using relay = await new TestRelay({ limits: { accountBlobBytes: 10_000 } }).start();
  await using people = await FileChat.start(relay.url);
  const { ann, ben } = people;
  const conversationId = await withoutConnection(relay, people);
  await callEngine(ann, 'groups.setPicture', { conversationId, picture: await preparePicture(ann, png()) });
  await callEngine(ann, 'messages.send', { conversationId, text: 'Without a picture' });
  await relay.start();
  await callEngine(ann, 'connection.retry', {});
  await callEngine(ben, 'connection.retry', {});
  await eventually(
    () => textsIn(ben),
    (texts) => texts.includes('Without a picture'),
  );
  for (const engine of [ann, ben]) expect(await groupAt(engine)).toMatchObject({ group: { picture: null } });
});
