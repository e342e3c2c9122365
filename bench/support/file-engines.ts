/**
 * Two engines in this process, and a relay in another: prints by how many bytes the peak of the resident memory grew while
 * a large file was sent and received, after a small one was. Takes the length of the large file in bytes.
 */
import { randomFillSync } from 'node:crypto';
import { FILE_PIECE_BYTES } from '../../src/bridge/files.ts';
import { MOST_BLOB_BYTES } from '../../src/protocol/blob/layout.ts';
import { callEngine, eventually, TestEngine } from '../../test/support/engine.ts';
import { FileChat } from '../../test/support/file-chat.ts';
import { addressIn } from '../../test/support/files.ts';
import { startServer } from './process.ts';

const MEBIBYTE = 1024 * 1024;
const [length = '0'] = process.argv.slice(2);
const { child, port } = await startServer(
  new URL('./file-relay.ts', import.meta.url),
  String(MOST_BLOB_BYTES),
);
const relay = `http://127.0.0.1:${port}`;
const people = await new FileChat(new TestEngine(relay), new TestEngine(relay)).start();
const { ann, ben, chat } = people;
const peak = () => process.resourceUsage().maxRSS * 1024;

async function send(size: number): Promise<void> {
  const { id, path } = await callEngine(ann, 'files.begin', { conversationId: chat, size });
  const piece = Buffer.alloc(FILE_PIECE_BYTES);
  for (let at = 0; at < size; at += piece.length) {
    randomFillSync(piece);
    const answer = await ann.handle.writeFile(addressIn(path), at, piece.subarray(0, size - at));
    if (!answer.ok) throw new Error(answer.failure.code);
  }
  const file = { id, name: 'file.bin', mediaType: 'application/octet-stream' };
  await callEngine(ann, 'messages.sendFiles', { conversationId: chat, files: [file], text: String(size) });
  await people.newest(ben, ({ state }, { text }) => state === 'remote' && text === String(size));
}

async function receive(): Promise<void> {
  const { id } = await people.newest(ben, ({ state }) => state === 'remote');
  const place = { messageId: id, index: 0 };
  await callEngine(ben, 'files.download', place);
  await eventually(
    async () => (await people.newest(ben, () => true)).files[0]?.state,
    (state) => state === 'here',
  );
  const { path, size } = await callEngine(ben, 'files.open', place);
  for (let at = 0; at < size; ) {
    const answer = await ben.handle.readFile(addressIn(path), at, MEBIBYTE);
    if (!answer.ok) throw new Error(answer.failure.code);
    at += answer.value.bytes.length;
  }
}

await send(4 * MEBIBYTE);
await receive();
const before = peak();
await send(Number(length));
const sent = peak();
await receive();
const received = peak();
await people[Symbol.asyncDispose]();
child.kill();
console.log(JSON.stringify({ sending: sent - before, receiving: received - sent }));
