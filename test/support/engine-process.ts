/**
 * An engine in its own process, so that a test can kill it: calls as JSON lines in, answers as JSON lines out.
 * The first line in is the options of `startEngine`, with the key in hex.
 */
import { createInterface } from 'node:readline';
import { startEngine } from '../../src/engine/start.ts';

/** Arguments of `writeFile` and `readFile`. */
interface FileLine {
  address: string;
  offset: number;
  bytes: string;
  length: number;
}

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const first = await lines.next();
const options = JSON.parse(first.value ?? '') as { dataDirectory: string; key: string; relay: string };
const engine = await startEngine({
  dataDirectory: options.dataDirectory,
  databaseKey: Buffer.from(options.key, 'hex'),
  relays: { embedded: null, fixed: options.relay },
});

/** Bytes of files are base64 in both directions. */
async function answerTo(name: string, input: unknown): Promise<unknown> {
  const file = input as FileLine;
  if (name === 'writeFile')
    return engine.writeFile(file.address, file.offset, Buffer.from(file.bytes, 'base64'));
  if (name !== 'readFile') return engine.call(name, input);
  const answer = await engine.readFile(file.address, file.offset, file.length);
  if (!answer.ok) return answer;
  const bytes = Buffer.from(answer.value.bytes).toString('base64');
  return { ok: true, value: { ...answer.value, bytes } };
}

console.log(JSON.stringify({ started: true }));
for await (const line of { [Symbol.asyncIterator]: () => lines }) {
  const { id, name, input } = JSON.parse(line) as { id: number; name: string; input: unknown };
  void answerTo(name, input).then((answer) => console.log(JSON.stringify({ id, answer })));
}
await engine.close();
