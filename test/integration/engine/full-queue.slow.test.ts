/** A computer of the recipient with a full queue: its copies are sent again when it has room. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ClockedEngine } from '../../support/clocked-engine.ts';
import {
  callEngine,
  eventually,
  linkEngines,
  openChat,
  setUp,
  type TestEngine,
} from '../../support/engine.ts';
import { LocalEngine } from '../../support/local-engine.ts';
import { ROOMY_RATES } from '../../support/rates.ts';
import { TestRelay } from '../../support/relay.ts';

const MINUTE = 60_000;
/** One sender gets a quarter of an otherwise empty queue. */
const LIMITS = { queueEnvelopes: 16, rates: ROOMY_RATES };
const TEXTS = Array.from({ length: 10 }, (_, number) => `Message ${number + 1}`);

let resources: AsyncDisposableStack;
let relay: TestRelay;
let ann: ClockedEngine;
let laptop: TestEngine;
let desktop: TestEngine;
beforeEach(async () => {
  resources = new AsyncDisposableStack();
  relay = resources.use(await new TestRelay({ limits: LIMITS }).start());
  ann = resources.use(new ClockedEngine(relay.url));
  await ann.start();
  [laptop, desktop] = [await newEngine(), await newEngine()];
  await setUp(ann, 'ann');
  await setUp(laptop, 'ben');
  await linkEngines(laptop, desktop);
  await eventually(
    () => callEngine(desktop, 'connection.get', {}),
    ({ state }) => state === 'online',
  );
});
afterEach(() => resources.disposeAsync());

async function newEngine(): Promise<TestEngine> {
  return resources.use(await new LocalEngine(relay.url).start());
}

/** Texts of the direct chat of a computer of Ben's. */
async function textsOf(engine: TestEngine): Promise<(string | null)[]> {
  const chats = await callEngine(engine, 'conversations.list', {});
  const chat = chats.find(({ kind }) => kind === 'direct');
  if (!chat) return [];
  const page = await callEngine(engine, 'messages.list', { conversationId: chat.id, limit: 100 });
  return page.messages.map(({ text }) => text);
}

/** Sends each text, and waits for its arrival at the laptop. */
async function sendAll(texts: readonly string[], conversationId: string): Promise<void> {
  for (const text of texts) {
    await callEngine(ann, 'messages.send', { conversationId, text });
    await eventually(
      () => textsOf(laptop),
      (all) => all.includes(text),
    );
  }
}

test('a device with a full queue gets the refused copies after it was read', async () => {
  const { id } = await openChat(ann, 'ben');
  await sendAll(TEXTS.slice(0, 1), id);
  const chat = (await callEngine(laptop, 'conversations.list', {})).find(({ kind }) => kind === 'direct');
  await callEngine(laptop, 'conversations.accept', { id: chat?.id ?? '' });
  await eventually(
    () => textsOf(desktop),
    (all) => all.length === 1,
  );
  await desktop.close();
  await sendAll(TEXTS.slice(1), id);
  // No message waits for a computer that is switched off.
  expect(await callEngine(ann, 'connection.get', {})).toMatchObject({ queued: 0 });

  await desktop.start();
  // The receipts of the copies that had room bring the rest; a second wait would take the clock.
  expect(
    await eventually(
      () => textsOf(desktop),
      (all) => all.length === TEXTS.length,
    ),
  ).toEqual(TEXTS);
});

test('without receipts the refused copies are sent again later', async () => {
  const { id } = await openChat(ann, 'ben');
  await sendAll(TEXTS.slice(0, 1), id);
  // Ben has not accepted the chat: his computers send no receipts.
  await eventually(
    () => textsOf(desktop),
    (all) => all.length === 1,
  );
  await desktop.close();
  await sendAll(TEXTS.slice(1), id);
  await desktop.start();
  await eventually(
    () => textsOf(desktop),
    (all) => all.length > 1,
  );
  const before = await textsOf(desktop);
  expect(before.length).toBeLessThan(TEXTS.length);
  expect(
    await eventually(
      () => {
        // An attempt before the desktop has acknowledged is refused again, and the next one is minutes later.
        ann.ahead += 2 * MINUTE;
        return textsOf(desktop);
      },
      (all) => all.length === TEXTS.length,
    ),
  ).toEqual(TEXTS);
});
