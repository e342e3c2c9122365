/**
 * An engine for files in its own process: calls as JSON lines in, answers as JSON lines out. Argument: the URL of a relay.
 * `send` and `read` move the bytes of a file as a page does; `peak` is the most resident memory until then, in bytes.
 */
import { randomFillSync } from 'node:crypto';
import { createInterface } from 'node:readline';
import { FILE_PIECE_BYTES } from '../../src/bridge/files.ts';
import { callEngine, TestEngine } from '../../test/support/engine.ts';
import { addressIn } from '../../test/support/files.ts';

const [relay = ''] = process.argv.slice(2);
const engine = await new TestEngine(relay).start();

async function send({ conversationId, size }: { conversationId: string; size: number }): Promise<unknown> {
  const { id, path } = await callEngine(engine, 'files.begin', { conversationId, size });
  const piece = Buffer.alloc(FILE_PIECE_BYTES);
  for (let at = 0; at < size; at += piece.length) {
    randomFillSync(piece);
    const answer = await engine.handle.writeFile(addressIn(path), at, piece.subarray(0, size - at));
    if (!answer.ok) throw new Error(answer.failure.code);
  }
  const file = { id, name: 'file.bin', mediaType: 'application/octet-stream' };
  return callEngine(engine, 'messages.sendFiles', { conversationId, files: [file], text: String(size) });
}

async function read(place: { messageId: string; index: number }): Promise<null> {
  const { path, size } = await callEngine(engine, 'files.open', place);
  for (let at = 0; at < size; ) {
    const answer = await engine.handle.readFile(addressIn(path), at, FILE_PIECE_BYTES);
    if (!answer.ok) throw new Error(answer.failure.code);
    at += answer.value.bytes.length;
  }
  return null;
}

async function answerTo(name: string, input: unknown): Promise<unknown> {
  if (name === 'send') return { ok: true, value: await send(input as Parameters<typeof send>[0]) };
  if (name === 'read') return { ok: true, value: await read(input as Parameters<typeof read>[0]) };
  if (name === 'peak') return { ok: true, value: process.resourceUsage().maxRSS * 1024 };
  return engine.call(name, input);
}

for await (const line of createInterface({ input: process.stdin })) {
  const { name, input } = JSON.parse(line) as { name: string; input: unknown };
  console.log(JSON.stringify(await answerTo(name, input)));
}
await engine[Symbol.asyncDispose]();
