/** Profiles from strangers, and from a relay that makes them up. */
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { callEngine, eventually } from '../../support/engine.ts';
import { preparePicture } from '../../support/files.ts';
import { conversationWith, newHonest, waitFor, write } from '../../support/hostile-relay/people.ts';
import { HostileRelay } from '../../support/hostile-relay/proxy.ts';

test('C11: a relay that lies about the bytes of a picture leaves the initials', async () => {
  await using hostile = await HostileRelay.start();
  const ann = await newHonest(hostile, 'ann');
  const ben = await newHonest(hostile, 'ben');
  await write(ann, ben, 'Hello');
  await waitFor(ben, 'Hello');
  const { id } = await conversationWith(ben, ann);
  await callEngine(ben.engine, 'conversations.accept', { id });
  await write(ben, ann, 'Hi');
  await waitFor(ann, 'Hi');
  let downloads = 0;
  hostile.babble(
    (path, method) => method === 'GET' && path.includes('/blobs/'),
    (_, response) => {
      downloads += 1;
      response.writeHead(200, { 'content-type': 'application/octet-stream' });
      response.end(randomBytes(20_000));
    },
  );
  const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), randomBytes(5_000)]);
  const picture = await preparePicture(ann.engine, png);
  await callEngine(ann.engine, 'profile.setPicture', { picture });
  await eventually(
    async () => downloads,
    (count) => count >= 2,
  );
  await write(ann, ben, 'Seen?');
  await waitFor(ben, 'Seen?');
  const conversation = await conversationWith(ben, ann);
  expect(conversation).toMatchObject({ peer: { picture: null } });
});
