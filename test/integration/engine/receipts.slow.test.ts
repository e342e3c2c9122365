/**
 * Receipts between people with the app, on a real relay.
 */
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { MessageInfo } from '../../../src/bridge/shapes/message.ts';
import type { ReceiptSettings } from '../../../src/messaging/receipts/settings.ts';
import { ClockedEngine } from '../../support/clocked-engine.ts';
import { callEngine, eventually, linkEngines, setUp } from '../../support/engine.ts';
import {
  conversationWith,
  type Honest,
  messagesOf,
  waitFor,
  write,
  writeIn,
} from '../../support/hostile-relay/people.ts';
import { HostileRelay } from '../../support/hostile-relay/proxy.ts';

type Person = Honest & { engine: ClockedEngine };

const BOTH: ReceiptSettings = { delivered: true, read: true };
const NONE: ReceiptSettings = { delivered: false, read: false };

let hostile: HostileRelay;
let resources: AsyncDisposableStack;
let engines: ClockedEngine[];
beforeEach(async () => {
  resources = new AsyncDisposableStack();
  engines = [];
  hostile = resources.use(await HostileRelay.start());
});
afterEach(() => resources.disposeAsync());

async function newEngine(handle: string, settings?: ReceiptSettings): Promise<Person> {
  const engine = resources.use(new ClockedEngine(hostile.url));
  engines.push(engine);
  if (settings) engine.receipts = settings;
  await engine.start();
  const { address } = await setUp(engine, handle);
  return { engine, address: address.toLowerCase(), handle };
}

async function befriend(one: Person, other: Person): Promise<void> {
  await write(one, other, `hello ${other.handle}`);
  await waitFor(other, `hello ${other.handle}`);
  await write(other, one, `hello ${one.handle}`);
  await waitFor(one, `hello ${one.handle}`);
}

async function newPair(ofAnn?: ReceiptSettings, ofBen?: ReceiptSettings): Promise<[Person, Person]> {
  const pair: [Person, Person] = [await newEngine('ann', ofAnn), await newEngine('ben', ofBen)];
  await befriend(...pair);
  return pair;
}

async function deliveryOf(person: Person, text: string): Promise<string | undefined> {
  return (await messagesOf(person)).find((message) => message.text === text)?.delivery;
}

/** Advances the clock of all engines until the condition is met: receipts are at least ten seconds apart. */
function until(person: Person, text: string, delivery: string): Promise<unknown> {
  return eventually(
    () => {
      for (const engine of engines) engine.ahead += 1_000;
      return deliveryOf(person, text);
    },
    (found) => found === delivery,
  );
}

async function readAll(person: Person, conversationId: string): Promise<void> {
  const page = { conversationId, limit: 200 };
  const upTo = (await callEngine(person.engine, 'messages.list', page)).messages.at(-1)?.id ?? '';
  await callEngine(person.engine, 'conversations.markRead', { id: conversationId, upTo });
}

async function infoOf(person: Person, text: string): Promise<MessageInfo> {
  const id = (await messagesOf(person)).find((message) => message.text === text)?.id ?? '';
  return callEngine(person.engine, 'messages.info', { id });
}

/** Number of someone's posts of envelopes so far. */
function postsOf({ engine }: Person): number {
  const { token } = engine;
  return hostile.requests.filter(
    ({ method, path, credential }) =>
      method === 'POST' && path.endsWith('/envelopes') && credential === token,
  ).length;
}

/** Number of acknowledgements by someone's device so far. */
function acknowledgementsOf({ engine }: Person): number {
  const poll = hostile.requests.findLast(
    ({ path, credential }) => credential === engine.token && path.includes('/inbox?device='),
  );
  const device = poll && new URL(poll.path, hostile.url).searchParams.get('device');
  return hostile.requests.filter(
    ({ path, body }) => path.endsWith('/inbox/ack') && JSON.parse(body).device === device,
  ).length;
}

test('a message is shown as delivered and read if both sides send receipts', async () => {
  const [ann, ben] = await newPair(BOTH, BOTH);
  await write(ann, ben, 'news');
  await until(ann, 'news', 'delivered');
  const { id } = await conversationWith(ben, ann);
  await readAll(ben, id);
  await until(ann, 'news', 'read');
  const [chat] = await callEngine(ann.engine, 'conversations.list', {});
  expect(chat?.last).toMatchObject({ outgoing: true, delivery: 'read' });

  const sent = await infoOf(ann, 'news');
  expect(sent).toMatchObject({ receivedAt: null, device: { isThis: true }, postQuantum: true, edits: 0 });
  expect(sent.recipients).toMatchObject([{ person: { handle: 'ben' }, delivery: 'read' }]);
  const came = await infoOf(ben, 'news');
  expect(came).toMatchObject({ trust: 'verified', listSequence: 1, postQuantum: true, recipients: null });
  expect(came.device).toEqual({ id: sent.device?.id, isThis: false });
});

test('read receipts are off by default, and hidden from a person who sends none', async () => {
  const [ann, ben] = await newPair(BOTH);
  await write(ann, ben, 'news');
  const { id } = await conversationWith(ben, ann);
  await waitFor(ben, 'news');
  await readAll(ben, id);
  await write(ann, ben, 'more');
  await until(ann, 'more', 'delivered');
  expect(await deliveryOf(ann, 'news')).toBe('delivered');

  // Ben does not see Ann's read receipts until he sends receipts, too.
  const { id: back } = await conversationWith(ann, ben);
  await write(ben, ann, 'answer');
  await waitFor(ann, 'answer');
  await readAll(ann, back);
  await until(ben, 'answer', 'delivered');
  await ben.engine.handle.setReceipts(BOTH);
  await until(ben, 'answer', 'read');
  await ben.engine.handle.setReceipts(NONE);
  expect(await deliveryOf(ben, 'answer')).toBe('none');
  expect((await infoOf(ben, 'answer')).recipients).toBeNull();
});

test('with both settings off nothing is sent', async () => {
  const [ann, ben] = await newPair(BOTH, NONE);
  const before = postsOf(ben);
  await write(ann, ben, 'news');
  await waitFor(ben, 'news');
  const { id } = await conversationWith(ben, ann);
  await readAll(ben, id);
  // Ben's later message arrives after any receipt of his.
  await write(ben, ann, 'answer');
  await waitFor(ann, 'answer');
  expect(postsOf(ben) - before).toBe(1);
  expect(await deliveryOf(ann, 'news')).toBe('none');
});

test('answering a request accepts it, and sends read receipts for earlier messages', async () => {
  const [ann, ben] = [await newEngine('ann', BOTH), await newEngine('ben', BOTH)];
  await write(ann, ben, 'let me in');
  await waitFor(ben, 'let me in');
  await write(ben, ann, 'come in');
  await waitFor(ann, 'come in');
  await callEngine(ann.engine, 'conversations.accept', { id: (await conversationWith(ann, ben)).id });
  await until(ann, 'let me in', 'read');
});

test('a stranger gets no receipts until accepted, and a blocked person none', async () => {
  const [ann, ben] = [await newEngine('ann', BOTH), await newEngine('ben', BOTH)];
  await write(ann, ben, 'let me in');
  await waitFor(ben, 'let me in');
  const { id } = await conversationWith(ben, ann);
  await readAll(ben, id);
  expect(postsOf(ben)).toBe(0);
  expect(await conversationWith(ann, ben)).toMatchObject({ peerHasWritten: false, peerHasAccepted: false });
  await callEngine(ben.engine, 'conversations.accept', { id });
  await until(ann, 'let me in', 'read');
  expect(await conversationWith(ann, ben)).toMatchObject({ peerHasWritten: false, peerHasAccepted: true });

  await callEngine(ben.engine, 'conversations.block', { id });
  const before = postsOf(ben);
  const acknowledged = async () => acknowledgementsOf(ben);
  const count = await acknowledged();
  await write(ann, ben, 'are you there');
  await write(ann, ben, 'and now');
  await callEngine(ben.engine, 'connection.retry', {});
  await eventually(acknowledged, (now) => now > count);
  expect(postsOf(ben)).toBe(before);
  expect(await deliveryOf(ann, 'and now')).toBe('none');
});

test('a message that was dropped during a block is never shown as delivered', async () => {
  const [ann, ben] = await newPair(BOTH, BOTH);
  await write(ann, ben, 'before');
  await until(ann, 'before', 'delivered');
  const { id } = await conversationWith(ben, ann);
  await callEngine(ben.engine, 'conversations.block', { id });
  const acknowledged = async () => acknowledgementsOf(ben);
  const count = await acknowledged();
  await write(ann, ben, 'dropped');
  await eventually(acknowledged, (now) => now > count);
  await callEngine(ben.engine, 'conversations.unblock', { id });
  await write(ann, ben, 'after');
  await until(ann, 'after', 'delivered');
  await waitFor(ben, 'after');
  await readAll(ben, id);
  await until(ann, 'after', 'read');
  expect(await deliveryOf(ann, 'dropped')).toBe('none');
  expect(await deliveryOf(ann, 'before')).not.toBe('none');
  expect((await messagesOf(ben)).map(({ text }) => text)).not.toContain('dropped');
});

test('a busy inbox is answered with few receipts', async () => {
  const [ann, ben] = await newPair(BOTH, BOTH);
  await ben.engine.close();
  const { id } = await conversationWith(ann, ben);
  const count = 500;
  for (let n = 1; n <= count; n++)
    await callEngine(ann.engine, 'messages.send', { conversationId: id, text: `message ${n}` });
  await eventually(
    () => callEngine(ann.engine, 'connection.get', {}),
    ({ queued }) => queued === 0,
  );
  // The clock is stopped while they arrive.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  onTestFinished(() => void vi.useRealTimers());
  await ben.engine.start();
  await waitFor(ben, `message ${count}`);
  await until(ann, `message ${count}`, 'delivered');
  const page = await callEngine(ann.engine, 'messages.list', { conversationId: id, limit: 200 });
  expect(page.messages.map(({ delivery }) => delivery)).toEqual(Array(200).fill('delivered'));
  // One receipt after the first message, and one ten seconds later.
  expect(postsOf(ben)).toBeLessThanOrEqual(3);
});

test('a receipt due while the app was closed is sent at its next start', async () => {
  const [ann, ben] = await newPair();
  await write(ann, ben, 'news');
  await until(ann, 'news', 'delivered');
  // Ben has just sent a receipt: the next one waits.
  await write(ann, ben, 'more');
  await waitFor(ben, 'more');
  await ben.engine.close();
  expect(await deliveryOf(ann, 'more')).toBe('none');
  await ben.engine.start();
  await until(ann, 'more', 'delivered');
});

test('in a group all recipients of a message count, and later members do not', async () => {
  const [ann, ben] = await newPair(BOTH, BOTH);
  const cleo = await newEngine('cleo', BOTH);
  const made = await callEngine(ann.engine, 'groups.create', {
    ...{ name: 'Birds', description: '', join: { mode: 'open' } },
  });
  if (made.kind !== 'group') throw new Error('no group');
  const { groupId } = made.group;
  const bens = await callEngine(ben.engine, 'groups.join', { groupId, password: null });
  await eventually(
    () => callEngine(ann.engine, 'groups.details', { conversationId: made.id }),
    ({ members }) => members.length === 2,
  );
  await writeIn(ann, made.id, 'news');
  await until(ann, 'news', 'delivered');
  await callEngine(cleo.engine, 'groups.join', { groupId, password: null });
  await eventually(
    () => callEngine(ann.engine, 'groups.details', { conversationId: made.id }),
    ({ members }) => members.length === 3,
  );
  expect(await deliveryOf(ann, 'news')).toBe('delivered');
  await waitFor(ben, 'news');
  await readAll(ben, bens.id);
  await until(ann, 'news', 'read');

  await writeIn(ann, made.id, 'for both');
  await waitFor(ben, 'for both');
  await readAll(ben, bens.id);
  await until(ann, 'for both', 'delivered');
  const { recipients } = await infoOf(ann, 'for both');
  const handles = recipients?.map(({ person }) => person.handle).sort();
  expect(handles).toEqual(['ben', 'cleo']);
});

test('both computers of an author learn the state of messages of either', async () => {
  const [ann, ben] = await newPair();
  const other = resources.use(await new ClockedEngine(hostile.url).start());
  engines.push(other);
  await linkEngines(ann.engine, other);
  const second: Person = { ...ann, engine: other };
  await eventually(
    () => callEngine(other, 'connection.get', {}),
    ({ state }) => state === 'online',
  );
  await write(second, ben, 'from the other');
  await until(second, 'from the other', 'delivered');
  await until(ann, 'from the other', 'delivered');
  await write(ann, ben, 'from the first');
  await until(ann, 'from the first', 'delivered');
  await until(second, 'from the first', 'delivered');
});
