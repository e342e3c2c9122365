/** A disk that is full while a file is added, downloaded or saved. */
import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callEngine, temporaryFolder } from '../../support/engine.ts';
import { bytesOf, FileChat, namesOnDisk } from '../../support/file-chat.ts';
import { sendFiles } from '../../support/files.ts';
import { setFull } from '../../support/full-disk.ts';
import { LocalEngine } from '../../support/local-engine.ts';
import { TestRelay } from '../../support/relay.ts';

const PDF = { name: 'report.pdf', mediaType: 'application/pdf' };

class FullDiskEngine extends LocalEngine {
  override fileWorker = new URL('../../support/full-disk-thread.ts', import.meta.url);
}

test('on a full disk adding, saving and downloading fail with a reason, and nothing is lost', async () => {
  using target = temporaryFolder();
  await using relay = await new TestRelay().start();
  await using people = await new FileChat(
    new FullDiskEngine(relay.url),
    new FullDiskEngine(relay.url),
  ).start();
  const { ann, ben, chat } = people;
  const bytes = randomBytes(300_000);
  const { id: sent } = await sendFiles(ann, chat, [{ bytes, ...PDF }]);
  const { id } = await people.newest(ben, ({ state }) => state === 'remote');
  const place = { messageId: id, index: 0 };
  // Starts ben's file thread.
  await callEngine(ben, 'files.download', place);
  await people.newest(ben, ({ state }) => state === 'here');
  const { id: second } = await sendFiles(ann, chat, [{ bytes, ...PDF }], 'Second');
  expect(second).not.toBe(sent);
  const { id: received } = await people.newest(
    ben,
    ({ state }, { text }) => state === 'remote' && text !== '',
  );

  await setFull(true, 2);
  await expect(sendFiles(ann, chat, [{ bytes, ...PDF }])).rejects.toMatchObject({ code: 'disk_full' });
  expect(namesOnDisk(ann)).toHaveLength(2);
  const saved = await ann.handle.exportFile({ messageId: sent, index: 0 }, join(target.path, 'a.pdf'));
  expect(saved).toMatchObject({ ok: false, failure: { code: 'disk_full' } });
  expect(readdirSync(target.path)).toEqual([]);
  await callEngine(ben, 'files.download', { messageId: received, index: 0 });
  const failed = await people.newest(ben, ({ problem }) => problem !== null);
  expect(failed.files[0]).toMatchObject({ state: 'remote', problem: { code: 'disk_full' } });

  await setFull(false, 2);
  await callEngine(ben, 'files.download', { messageId: received, index: 0 });
  await people.newest(ben, ({ state }) => state === 'here');
  for (const messageId of [id, received]) expect((await bytesOf(ben, messageId)).equals(bytes)).toBe(true);
  expect((await bytesOf(ann, sent)).equals(bytes)).toBe(true);
});
