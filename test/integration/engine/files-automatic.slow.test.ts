/** Downloads without a request: senders, number, and end. */
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { AUTOMATIC_BYTES, MAX_AUTOMATIC_BYTES } from '../../../src/bridge/files.ts';
import { encodeBase64Url } from '../../../src/protocol/encoding.ts';
import type { DirectBody } from '../../../src/protocol/payload.ts';
import { callEngine, eventually, setUp } from '../../support/engine.ts';
import { FileChat } from '../../support/file-chat.ts';
import { sendFiles } from '../../support/files.ts';
import { directBody, forge, targetOf } from '../../support/hostile-relay/forgery.ts';
import { newHonest } from '../../support/hostile-relay/people.ts';
import { HostileRelay } from '../../support/hostile-relay/proxy.ts';
import { LocalEngine } from '../../support/local-engine.ts';
import { newPerson } from '../../support/person.ts';
import { TestRelay } from '../../support/relay.ts';
import { PICTURE } from './files-automatic.ts';

test('C11: in an open group only pictures of accepted people are downloaded without a request', async () => {
  await using relay = await new TestRelay().start();
  await using people = await FileChat.start(relay.url);
  await using cat = await new LocalEngine(relay.url).start();
  const { ann, ben } = people;
  await setUp(cat, 'cat');
  const about = { name: 'Bird watchers', description: '', join: { mode: 'open' as const } };
  const made = await callEngine(ann, 'groups.create', about);
  const groupId = made.kind === 'group' ? made.group.groupId : '';
  const joined = await callEngine(cat, 'groups.join', { groupId, password: null });
  const mine = await callEngine(ben, 'groups.join', { groupId, password: null });
  const states = async () => {
    const page = { conversationId: mine.id, limit: 50 };
    const { messages } = await callEngine(ben, 'messages.list', page);
    return messages.flatMap(({ text, files }) => files.map(({ state }) => `${text}: ${state}`));
  };
  await sendFiles(cat, joined.id, [PICTURE], 'cat');
  await eventually(states, ({ length }) => length === 1);
  await sendFiles(ann, made.id, [PICTURE], 'ann');
  const seen = await eventually(states, (all) => all.includes('ann: here'));
  expect(seen).toEqual(['cat: remote', 'ann: here']);
});

test('C11: an accepted person fills no more than the limit of one chat without a request', async () => {
  await using hostile = await HostileRelay.start();
  const { engine: ben, address } = await newHonest(hostile, 'ben');
  const dora = await newPerson(hostile.relay);
  const target = await targetOf(hostile, dora.token, address);
  /** Pictures that the relay lacks, of the maximum length for a download without a request. */
  const newFile = () => ({
    ...{ key: encodeBase64Url(randomBytes(32)), digest: encodeBase64Url(randomBytes(32)) },
    ...{ size: AUTOMATIC_BYTES, mediaType: 'image/png', name: 'a.png' },
  });
  const post = (body: DirectBody) =>
    hostile.invent(target.deviceId, forge(dora.address, target, { channel: 'direct', body }, dora.signer));
  post(directBody(dora.address, target.address, 'Hello'));
  await callEngine(ben, 'connection.retry', {});
  const [request] = await eventually(
    () => callEngine(ben, 'conversations.list', {}),
    ({ length }) => length === 1,
  );
  const id = request?.id ?? '';
  await callEngine(ben, 'conversations.accept', { id });
  const most = MAX_AUTOMATIC_BYTES / AUTOMATIC_BYTES;
  const sent = most + 6;
  for (let count = 0; count < sent; count += 10) {
    const files = Array.from({ length: 10 }, newFile);
    const body = directBody(dora.address, target.address, '');
    post({ ...body, kind: 'attachment', files, fallback: 'Files' });
  }
  await callEngine(ben, 'connection.retry', {});
  const states = async () => {
    const { messages } = await callEngine(ben, 'messages.list', { conversationId: id, limit: 50 });
    return messages.flatMap(({ files }) => files.map(({ state }) => state));
  };
  const ended = await eventually(
    states,
    (all) => all.length === sent && all.every((state) => state !== 'receiving'),
  );
  expect(
    Object.fromEntries(
      ['gone', 'remote'].map((state) => [state, ended.filter((each) => each === state).length]),
    ),
  ).toEqual({ gone: most, remote: 6 });
});
