/** Profiles of people and pictures of groups: replaced, erased, shared by own devices, and sent to new contacts and members. */
import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Conversation } from '../../../src/bridge/shapes/conversation.ts';
import type { Message } from '../../../src/bridge/shapes/message.ts';
import type { Person } from '../../../src/bridge/shapes/person.ts';
import {
  callEngine,
  eventually,
  linkEngines,
  openChat,
  setUp,
  type TestEngine,
} from '../../support/engine.ts';
import { preparePicture, readWhole } from '../../support/files.ts';
import { LocalEngine } from '../../support/local-engine.ts';
import { TestRelay } from '../../support/relay.ts';

const newPicture = () => Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), randomBytes(20_000)]);

let resources: AsyncDisposableStack;
let relay: TestRelay;
let ann: TestEngine;
let ben: TestEngine;
beforeEach(async () => {
  resources = new AsyncDisposableStack();
  relay = resources.use(await new TestRelay().start());
  ann = await newEngine('ann');
  ben = await newEngine('ben');
});
afterEach(() => resources.disposeAsync());

async function newEngine(handle: string | null): Promise<TestEngine> {
  const engine = resources.use(await new LocalEngine(relay.url).start());
  if (handle !== null) await setUp(engine, handle);
  return engine;
}

const list = (engine: TestEngine) => callEngine(engine, 'conversations.list', {});
const isWith = (handle: string) => (each: Conversation) =>
  each.kind === 'direct' && each.peer.handle === handle;

async function chatWith(engine: TestEngine, handle: string): Promise<Conversation & { kind: 'direct' }> {
  const found = (await list(engine)).find(isWith(handle));
  if (found?.kind !== 'direct') throw new Error('no such chat');
  return found;
}

async function messagesIn(engine: TestEngine, conversationId: string): Promise<Message[]> {
  return (await callEngine(engine, 'messages.list', { conversationId, limit: 100 })).messages;
}

/** Events of a chat, as their types. */
const eventsIn = async (engine: TestEngine, id: string) =>
  (await messagesIn(engine, id)).flatMap(({ event }) => (event ? [event.type] : []));

/** Two people who have written to each other. */
async function meet(one: TestEngine, other: TestEngine, handles: [string, string]): Promise<void> {
  const { id } = await openChat(one, handles[1]);
  await callEngine(one, 'messages.send', { conversationId: id, text: 'Hello' });
  const chats = await eventually(
    () => list(other),
    (all) => all.some(isWith(handles[0])),
  );
  const request = chats.find(isWith(handles[0]));
  await callEngine(other, 'conversations.accept', { id: request?.id ?? '' });
  await callEngine(other, 'messages.send', { conversationId: request?.id ?? '', text: 'Hi' });
  await eventually(
    () => messagesIn(one, id),
    (all) => all.length === 2,
  );
}

const setPicture = async (engine: TestEngine, bytes: Uint8Array) =>
  callEngine(engine, 'profile.setPicture', { picture: await preparePicture(engine, bytes) });

const peerOf = async (engine: TestEngine, handle: string): Promise<Person> =>
  (await chatWith(engine, handle)).peer;
const seen = (engine: TestEngine, handle: string, matches: (peer: Person) => boolean) =>
  eventually(() => peerOf(engine, handle), matches);

async function bytesOf(engine: TestEngine, id: string | null): Promise<Buffer> {
  const { path } = await callEngine(engine, 'pictures.open', { id: id ?? '' });
  return Buffer.from(await readWhole(engine.handle, path));
}

const filesOnDisk = (engine: TestEngine) => readdirSync(join(engine.folder.path, 'files'));

test('a replaced picture is erased from the disk and shown once in the chat, and a nickname stays the name', async () => {
  await meet(ann, ben, ['ann', 'ben']);
  await setPicture(ann, newPicture());
  const first = await seen(ben, 'ann', ({ picture }) => picture !== null);
  await callEngine(ben, 'people.setNickname', { address: first.address, nickname: 'Annie' });
  const chat = await chatWith(ben, 'ann');
  expect(await eventsIn(ben, chat.id)).toEqual([]);

  await callEngine(ann, 'profile.setPicture', { picture: null });
  const without = await seen(ben, 'ann', ({ picture }) => picture === null);
  expect(without).toMatchObject({ nickname: 'Annie', handle: 'ann', address: first.address });
  await eventually(
    async () => filesOnDisk(ben),
    (names) => names.length === 0,
  );
  await callEngine(ann, 'profile.save', { displayName: 'Ann Archer' });
  await seen(ben, 'ann', ({ displayName }) => displayName === 'Ann Archer');
  await callEngine(ann, 'profile.save', { displayName: 'Ann B. Archer' });
  await seen(ben, 'ann', ({ displayName }) => displayName === 'Ann B. Archer');
  expect(await eventsIn(ben, chat.id)).toEqual(['picture', 'name']);
  const named = (await messagesIn(ben, chat.id)).find(({ event }) => event?.type === 'name')?.event;
  expect(named).toMatchObject({ before: 'ann', who: { nickname: 'Annie', displayName: 'Ann B. Archer' } });
  // The own disk does not have it either.
  await eventually(
    async () => filesOnDisk(ann),
    (names) => names.length === 0,
  );
});

test('deleting a chat erases name, text and picture of its person', async () => {
  await meet(ann, ben, ['ann', 'ben']);
  await setPicture(ann, newPicture());
  await callEngine(ann, 'profile.save', { displayName: 'Ann Archer', about: 'Birds' });
  const { address } = await seen(
    ben,
    'ann',
    ({ displayName, picture }) => displayName === 'Ann Archer' && picture !== null,
  );
  await callEngine(ben, 'conversations.delete', { id: (await chatWith(ben, 'ann')).id });
  await eventually(
    async () => filesOnDisk(ben),
    (names) => names.length === 0,
  );
  const { person, about } = await callEngine(ben, 'people.details', { address });
  expect([person.picture, about]).toEqual([null, null]);
});

test('someone who has not accepted gets no profile, and gets it after the acceptance', async () => {
  await setPicture(ann, newPicture());
  const { id } = await openChat(ann, 'ben');
  await callEngine(ann, 'messages.send', { conversationId: id, text: 'Hello' });
  await eventually(
    () => list(ben),
    (all) => all.length === 1,
  );
  const request = await chatWith(ben, 'ann');
  // A second message arrives after all data that was sent with the first.
  await callEngine(ann, 'messages.send', { conversationId: id, text: 'Are you there?' });
  await eventually(
    () => messagesIn(ben, request.id),
    (all) => all.length === 2,
  );
  expect((await peerOf(ben, 'ann')).picture).toBeNull();
  await callEngine(ben, 'conversations.accept', { id: request.id });
  await seen(ben, 'ann', ({ picture }) => picture !== null);
});

test('own devices share the picture, a newly linked one too', async () => {
  const other = await newEngine(null);
  await callEngine(ann, 'profile.save', { displayName: 'Ann Archer', about: 'Birds' });
  const picture = newPicture();
  await setPicture(ann, picture);
  await linkEngines(ann, other);
  const me = async () => (await callEngine(other, 'app.state', {})).me;
  const known = await eventually(me, (each) => each?.picture != null && each.about !== null);
  expect(known).toMatchObject({ displayName: 'Ann Archer', about: 'Birds' });
  expect((await bytesOf(other, known?.picture ?? null)).equals(picture)).toBe(true);
  await callEngine(other, 'profile.setPicture', { picture: null });
  await eventually(
    async () => (await callEngine(ann, 'app.state', {})).me,
    (each) => each?.picture === null,
  );
});

test('a second own device sends no profile without a picture that it does not know yet', async () => {
  const other = await newEngine(null);
  await linkEngines(ann, other);
  await meet(ann, ben, ['ann', 'ben']);
  const { id: chat } = await eventually(
    async () => (await list(other)).find(isWith('ben')),
    (each) => each !== undefined,
  ).then((each) => each as Conversation);
  // Then it may send a profile, too.
  await eventually(
    () => messagesIn(other, chat),
    (all) => all.length === 2,
  );
  const picture = newPicture();
  await setPicture(ann, picture);
  await eventually(
    async () => (await callEngine(other, 'app.state', {})).me,
    (each) => each?.picture != null,
  );
  const { picture: id } = await seen(ben, 'ann', (each) => each.picture !== null);
  expect((await bytesOf(ben, id)).equals(picture)).toBe(true);
});

test('the picture of a group is set by owner and admins, named in a line, and reaches new members', async () => {
  const cat = await newEngine('cat');
  // In an open group, pictures of unknown people are not downloaded.
  const password = 'herons and storks';
  const { id } = await callEngine(ann, 'groups.create', {
    name: 'Bird watchers',
    description: '',
    join: { mode: 'password', password },
  });
  const group = async (engine: TestEngine) => {
    const found = (await list(engine)).find(({ kind }) => kind === 'group');
    if (found?.kind !== 'group') throw new Error('no group');
    return found;
  };
  const { groupId } = (await group(ann)).group;
  await callEngine(ben, 'groups.join', { groupId, password });
  const picture = newPicture();
  await callEngine(ann, 'groups.setPicture', {
    conversationId: id,
    picture: await preparePicture(ann, picture),
  });
  const shown = await eventually(
    () => group(ben),
    (each) => each.group.picture !== null,
  );
  expect((await bytesOf(ben, shown.group.picture)).equals(picture)).toBe(true);
  const line = (await messagesIn(ben, shown.id)).find(({ event }) => event?.type === 'groupPicture')?.event;
  expect(line?.who.handle).toBe('ann');
  expect(await eventsIn(ann, id)).toContain('groupPicture');
  await expect(
    callEngine(ben, 'groups.setPicture', { conversationId: shown.id, picture: null }),
  ).rejects.toMatchObject({ code: 'picture_by_admins' });

  await setPicture(ben, newPicture());
  const members = async (engine: TestEngine) => {
    const { id: conversationId } = await group(engine);
    return (await callEngine(engine, 'groups.details', { conversationId })).members;
  };
  const benIn = async (engine: TestEngine) =>
    (await members(engine)).find(({ person }) => person.handle === 'ben')?.person.picture ?? null;
  await eventually(
    () => benIn(ann),
    (each) => each !== null,
  );

  await callEngine(cat, 'groups.join', { groupId, password });
  // Members see a newcomer when they look.
  await callEngine(ann, 'groups.look', { conversationId: id });
  await callEngine(ben, 'groups.look', { conversationId: shown.id });
  const atCat = await eventually(
    () => group(cat),
    (each) => each.group.picture !== null,
  );
  expect((await bytesOf(cat, atCat.group.picture)).equals(picture)).toBe(true);
  expect(await eventsIn(cat, atCat.id)).not.toContain('groupPicture');
  await eventually(
    () => benIn(cat),
    (each) => each !== null,
  );

  await callEngine(ann, 'groups.setPicture', { conversationId: id, picture: null });
  for (const engine of [ben, cat])
    await eventually(
      () => group(engine),
      (each) => each.group.picture === null,
    );
});
