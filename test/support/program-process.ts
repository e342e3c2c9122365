/**
 * A program on the library in its own process, so that a test can kill it: calls as JSON lines in, answers and
 * received texts as JSON lines out. The first input line has the path of its identity.
 */
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Identity, RelayClient } from '../../src/client/index.ts';

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const first = await lines.next();
const { file, relay, handle } = JSON.parse(first.value ?? '') as {
  file: string;
  relay: string;
  handle: string;
};
const identity = existsSync(file) ? Identity.open(file) : Identity.create({ file });
await identity.register(relay, { handle });
const client = new RelayClient({ identity });
const print = (line: object) => console.log(JSON.stringify(line));

const calls: Record<string, (input: { to: string; text: string; messageId: string }) => Promise<unknown>> = {
  whoami: async () => ({ address: identity.address, deviceId: identity.deviceId }),
  send: ({ to, text, messageId }) => client.send(to, text, { messageId }),
  sendToGroup: ({ to, text, messageId }) => client.sendToGroup(to, text, { messageId }),
  createGroup: ({ text: name }) => client.createGroup(name, { open: true }),
  joinGroup: ({ to }) => client.joinGroup(to),
};

async function receive(): Promise<void> {
  for await (const { text } of client.messages()) print({ received: text ?? '' });
}

async function answer(id: number, name: string, input: never): Promise<void> {
  // A failed call reports its error; the test decides the consequence.
  print({ id, answer: await calls[name]?.(input).catch((error: Error) => ({ failed: error.message })) });
}

print({ started: true });
void receive();
for await (const line of { [Symbol.asyncIterator]: () => lines }) {
  const { id, name, input } = JSON.parse(line) as { id: number; name: string; input: never };
  void answer(id, name, input);
}
client.close();
