/** A lost computer: account and history are restored on another one. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callEngine, eventually, openChat, setUp, setUpWithPhrase } from '../../support/engine.ts';
import { newestMessages } from '../../support/file-chat.ts';
import { readWhole, sendFiles } from '../../support/files.ts';
import { LocalEngine } from '../../support/local-engine.ts';
import { TestRelay } from '../../support/relay.ts';

const PICTURE = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), randomBytes(9_000)]);
const relayChoice = { kind: 'embedded' as const };

test('a restored history continues where it was, with files, delivery and new messages behind it', async () => {
  await using relay = await new TestRelay().start();
  await using ben = await new LocalEngine(relay.url).start();
  await using fresh = await new LocalEngine(relay.url).start();
  await using lost = await new LocalEngine(relay.url).start();
  const { phrase } = await setUpWithPhrase(lost, 'ann');
  await setUp(ben, 'ben');
  const { id: chat } = await openChat(lost, 'ben');
  await callEngine(lost, 'messages.send', { conversationId: chat, text: 'Hello Ben' });
  const [request] = await eventually(
    () => callEngine(ben, 'conversations.list', {}),
    ({ length }) => length === 1,
  );
  await callEngine(ben, 'conversations.accept', { id: request?.id ?? '' });
  await callEngine(ben, 'messages.send', { conversationId: request?.id ?? '', text: 'Hello Ann' });
  await eventually(
    () => newestMessages(lost),
    (all) => all.length === 2,
  );
  await sendFiles(lost, chat, [
    { bytes: PICTURE, name: 'Bridge.png', mediaType: 'image/png', width: 4, height: 3 },
  ]);
  await eventually(
    () => newestMessages(lost),
    (all) =>
      all.length === 3 && all.every(({ state, delivery }) => state === 'received' || delivery !== 'none'),
  );
  const path = join(lost.folder.path, 'ann.waxwing-backup');
  expect(await lost.handle.makeBackup(path, { passphrase: null, withPhrase: true })).toMatchObject({
    ok: true,
  });
  const before = await newestMessages(lost);

  await callEngine(fresh, 'setup.finish', {
    relay: relayChoice,
    identity: { kind: 'import', secret: phrase },
  });
  expect(await callEngine(fresh, 'backup.get', {})).toMatchObject({ last: null, hasPhrase: true });
  expect(await fresh.handle.restoreBackup(path, null)).toMatchObject({ ok: true });
  const after = await newestMessages(fresh);
  const shown = (all: typeof before) =>
    all.map(({ sender, text, at, state, trust, delivery, files, can }) => ({
      sender,
      text,
      at,
      state,
      trust,
      delivery,
      files,
      edit: can.edit,
    }));
  expect(shown(after)).toEqual(shown(before));
  expect(after.map(({ text }) => text)).toEqual(['Hello Ben', 'Hello Ann', '']);
  const [conversation] = await callEngine(fresh, 'conversations.list', {});
  expect(conversation).toMatchObject({ state: 'accepted' });
  const { path: address } = await callEngine(fresh, 'files.open', {
    messageId: after[2]?.id ?? '',
    index: 0,
  });
  expect(PICTURE.equals(await readWhole(fresh.handle, address))).toBe(true);

  // The chat continues in both directions.
  await callEngine(fresh, 'messages.send', { conversationId: conversation?.id ?? '', text: 'Back again' });
  await eventually(
    () => newestMessages(ben),
    (all) => all.at(-1)?.text === 'Back again',
  );
  await callEngine(ben, 'messages.send', { conversationId: request?.id ?? '', text: 'Welcome' });
  await eventually(
    () => newestMessages(fresh),
    (all) => all.at(-1)?.text === 'Welcome',
  );
  expect((await newestMessages(fresh)).map(({ text }) => text)).toEqual([
    'Hello Ben',
    'Hello Ann',
    '',
    'Back again',
    'Welcome',
  ]);
});
