/** Files beyond the storage limit of an account. */
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { DROP_DELAY } from '../../../src/relay/rules/blobs.ts';
import { callEngine, eventually } from '../../support/engine.ts';
import { bytesOf, FileChat } from '../../support/file-chat.ts';
import { sendFiles } from '../../support/files.ts';
import { TestRelay } from '../../support/relay.ts';

const PDF = { name: 'report.pdf', mediaType: 'application/pdf' };

test('a message over the storage of the account fails with its reason, and can be sent after a deletion', async () => {
  await using relay = await new TestRelay({ limits: { accountBlobBytes: 1024 * 1024 } }).start();
  await using people = await FileChat.start(relay.url);
  const { ann, ben, chat } = people;
  const bytes = randomBytes(700_000);
  const first = await sendFiles(ann, chat, [{ bytes: randomBytes(700_000), ...PDF }]);
  await people.newest(ben, ({ state }) => state === 'remote');
  await sendFiles(ann, chat, [{ bytes, ...PDF }], 'Second');
  const failed = await people.newest(ann, (_, { state }) => state === 'failed');
  expect([failed.problem?.code, failed.files[0]?.problem?.code]).toEqual(['blob_quota', 'blob_quota']);
  await callEngine(ann, 'messages.delete', { ids: [first.id], forEveryone: true });
  const stored = () => relay.rows<object>('SELECT id FROM blob');
  await eventually(stored, ({ length }) => length === 0);
  // The relay counts deleted bytes until their removal, and removes expired ones when it starts.
  await relay.stop();
  relay.ahead = DROP_DELAY;
  await relay.start();
  const dropped = () => relay.rows<object>('SELECT id FROM blob_bytes_to_drop');
  await eventually(dropped, ({ length }) => length === 0);
  await callEngine(ann, 'messages.retry', { id: failed.id });
  const { id } = await people.newest(ben, ({ state }, { text }) => text === 'Second' && state === 'remote');
  await callEngine(ben, 'files.download', { messageId: id, index: 0 });
  await people.newest(ben, ({ state }) => state === 'here');
  expect((await bytesOf(ben, id)).equals(bytes)).toBe(true);
});
