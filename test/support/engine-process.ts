/**
 * An engine in a process of its own, so that a test can kill it: calls as JSON lines in, answers as JSON lines out.
 * The first line in is the options of `startEngine`, with the key in hex.
 */
import { createInterface } from 'node:readline';
import { startEngine } from '../../src/engine/start.ts';

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const first = await lines.next();
const options = JSON.parse(first.value ?? '') as { dataDirectory: string; key: string; relay: string };
const engine = await startEngine({
  dataDirectory: options.dataDirectory,
  databaseKey: Buffer.from(options.key, 'hex'),
  relays: { embedded: null, fixed: options.relay },
});
console.log(JSON.stringify({ started: true }));
for await (const line of { [Symbol.asyncIterator]: () => lines }) {
  const { id, name, input } = JSON.parse(line) as { id: number; name: string; input: unknown };
  void engine.call(name, input).then((answer) => console.log(JSON.stringify({ id, answer })));
}
await engine.close();
