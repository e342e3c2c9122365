/** Delivery of a profile to an accepted contact. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callEngine, eventually } from '../../support/engine.ts';
import { FileChat, namesOnDisk } from '../../support/file-chat.ts';
import { preparePicture, readWhole } from '../../support/files.ts';
import { TestRelay } from '../../support/relay.ts';

const MARK = 'picture-marker';
const PNG = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from(MARK), randomBytes(20_000)]);

test('name, text and picture reach an accepted contact, and are not readable at rest', async () => {
  await using relay = await new TestRelay().start();
  await using people = await FileChat.start(relay.url);
  const { ann, ben } = people;
  await callEngine(ann, 'profile.setPicture', { picture: await preparePicture(ann, PNG) });
  await callEngine(ann, 'profile.save', { displayName: 'Ann Archer', about: 'Likes\nbirds' });
  const peer = async () => {
    const [conversation] = await callEngine(ben, 'conversations.list', {});
    return conversation?.kind === 'direct' ? conversation.peer : null;
  };
  const shown = await eventually(peer, (each) => each?.displayName === 'Ann Archer' && each.picture !== null);
  const { path } = await callEngine(ben, 'pictures.open', { id: shown?.picture ?? '' });
  expect(Buffer.from(await readWhole(ben.handle, path)).equals(PNG)).toBe(true);
  const details = await callEngine(ben, 'people.details', { address: shown?.address ?? '' });
  expect(details.about).toBe('Likes birds');
  for (const engine of [ann, ben])
    for (const name of namesOnDisk(engine))
      expect(readFileSync(join(engine.folder.path, 'files', name)).includes(MARK)).toBe(false);
});
