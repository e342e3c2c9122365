/** Downloads without a request: senders, number, and end. */
import { expect, test } from 'vitest';
import { callEngine } from '../../support/engine.ts';
import { bytesOf, FileChat, isDownload } from '../../support/file-chat.ts';
import { sendFiles } from '../../support/files.ts';
import { HostileRelay } from '../../support/hostile-relay/proxy.ts';
import { PICTURE, PNG } from './files-automatic.ts';

test('C11: blocking a person ends automatic downloads from them', async () => {
  await using hostile = await HostileRelay.start();
  await using people = await FileChat.start(hostile.url);
  const { ann, ben, chat } = people;
  hostile.babble(isDownload, () => undefined);
  const begun = hostile.nextRequest(({ path, method }) => isDownload(path, method));
  await sendFiles(ann, chat, [PICTURE]);
  await begun;
  const { id, conversationId } = await people.newest(ben, ({ state }) => state === 'receiving');
  await callEngine(ben, 'conversations.block', { id: conversationId });
  await people.newest(ben, ({ state, problem }) => state === 'remote' && problem === null);
  hostile.answerTruthfully();
  await callEngine(ben, 'conversations.unblock', { id: conversationId });
  await people.newest(ben, ({ state }) => state === 'remote');
  await callEngine(ben, 'files.download', { messageId: id, index: 0 });
  await people.newest(ben, ({ state }) => state === 'here');
  expect((await bytesOf(ben, id)).equals(PNG)).toBe(true);
});
