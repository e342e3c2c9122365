/** A picture that the person chooses without a connection. */
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { callEngine, eventually, type TestEngine } from '../../support/engine.ts';
import { FileChat } from '../../support/file-chat.ts';
import { preparePicture, readWhole } from '../../support/files.ts';
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
