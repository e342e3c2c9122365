/** Profiles from strangers, and from a relay that makes them up. */
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { encodeBase64Url } from '../../../src/protocol/encoding.ts';
import { callEngine } from '../../support/engine.ts';
import { directBody, forge, targetOf } from '../../support/hostile-relay/forgery.ts';
import { conversationWith, newHonest, waitFor, write } from '../../support/hostile-relay/people.ts';
import { HostileRelay } from '../../support/hostile-relay/proxy.ts';
import { newPerson } from '../../support/person.ts';

const key = encodeBase64Url(randomBytes(32));
const avatar = { key, digest: key, size: 5_000, mediaType: 'image/webp', name: 'picture.webp' };
const profileOf = (from: string, to: string) => ({
  ...directBody(from, to, ''),
  ...{ seq: 0, kind: 'profile', name: 'Your bank', avatar },
});

test('C11: a profile of a stranger, and one that the relay makes for a contact, change nothing and download nothing', async () => {
  await using hostile = await HostileRelay.start();
  const ann = await newHonest(hostile, 'ann');
  const ben = await newHonest(hostile, 'ben');
  const dora = await newPerson(hostile.relay);
  const target = await targetOf(hostile, dora.token, ben.address);
  await write(ann, ben, 'Hello');
  await waitFor(ben, 'Hello');
  await callEngine(ben.engine, 'conversations.accept', { id: (await conversationWith(ben, ann)).id });

  const inject = (from: string, signer: typeof dora.signer | null) =>
    hostile.invent(
      target.deviceId,
      forge(from, target, { channel: 'direct', body: profileOf(from, ben.address) }, signer),
    );
  // By ann's address: unsigned, and with another person's signature.
  inject(ann.address, null);
  inject(ann.address, dora.signer);
  // A stranger's own, true one; before and after a message request.
  inject(dora.address, dora.signer);
  const text = { channel: 'direct' as const, body: directBody(dora.address, ben.address, 'Open up') };
  hostile.invent(target.deviceId, forge(dora.address, target, text, dora.signer));
  await waitFor(ben, 'Open up');
  inject(dora.address, dora.signer);
  await write(ann, ben, 'Still me');
  await waitFor(ben, 'Still me');
  const shown = await callEngine(ben.engine, 'conversations.list', {});
  const peers = shown.flatMap((each) => (each.kind === 'direct' ? [each.peer] : []));
  expect(peers).toHaveLength(2);
  for (const peer of peers) expect(peer).toMatchObject({ picture: null });
  expect(peers.map(({ displayName }) => displayName)).not.toContain('Your bank');
  expect(hostile.requests.some(({ path }) => path.includes('/blobs/'))).toBe(false);
});
