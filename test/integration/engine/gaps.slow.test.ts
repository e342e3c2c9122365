/**
 * Gaps between people with the app, on a relay that withholds messages: requested ones come from the author's
 * device, missing ones are reported, and there is no report where nothing was withheld.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Message } from '../../../src/bridge/shapes/message.ts';
import { encodeTime } from '../../../src/protocol/encoding.ts';
import type { InboxEnvelope } from '../../../src/protocol/schemas/inbox.ts';
import { ClockedEngine } from '../../support/clocked-engine.ts';
import { callEngine, eventually, linkEngines } from '../../support/engine.ts';
import { forge, groupBody, targetOf } from '../../support/hostile-relay/forgery.ts';
import {
  conversationWith,
  type Honest,
  messagesOf,
  newGroup,
  newHonest,
  textsOf,
  waitFor,
  write,
  writeIn,
} from '../../support/hostile-relay/people.ts';
import { answerHeldPolls, readToEnd as readQueueToEnd } from '../../support/hostile-relay/polls.ts';
import type { HostileRelay } from '../../support/hostile-relay/proxy.ts';
import { moveClock, startClocked } from '../../support/hostile-relay/world.ts';
import { newPerson } from '../../support/person.ts';
import { joinAs, placeAt } from '../../support/relay-rosters.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

type Person = Honest<ClockedEngine> & { deviceId: string };

let hostile: HostileRelay;
beforeEach(async () => {
  hostile = await startClocked();
});
afterEach(() => hostile[Symbol.asyncDispose]());

async function newEngine(handle: string): Promise<Person> {
  const engine = new ClockedEngine(hostile.url);
  // Only messages about gaps are posted here.
  engine.receipts = { delivered: false, read: false };
  return { ...(await newHonest(hostile, handle, engine)), deviceId: await deviceOf(engine) };
}

/** Another computer of a person. */
async function link(person: Person): Promise<Person> {
  const engine = hostile.use(await new ClockedEngine(hostile.url).start());
  await linkEngines(person.engine, engine);
  return { ...person, engine, deviceId: await deviceOf(engine) };
}

async function deviceOf(engine: ClockedEngine): Promise<string> {
  // A computer that was just linked has to log in first.
  await eventually(
    () => callEngine(engine, 'connection.get', {}),
    ({ state }) => state === 'online',
  );
  return (await callEngine(engine, 'devices.list', {})).find(({ isThis }) => isThis)?.id ?? '';
}

/** Ann and Ben, who have accepted each other. */
async function newPair(): Promise<[Person, Person]> {
  const [ann, ben] = [await newEngine('ann'), await newEngine('ben')];
  await write(ann, ben, 'hello Ben');
  await waitFor(ben, 'hello Ben');
  await write(ben, ann, 'hello Ann');
  await waitFor(ann, 'hello Ann');
  return [ann, ben];
}

/** Hides the envelope that someone would receive during an action: forever, unless it is resealed. */
async function withhold(from: Person, work: () => Promise<unknown>): Promise<void> {
  const hidden = new Set<string>();
  let isOn = true;
  hostile.lie(({ path, status, body }) => {
    if (status !== 200 || !path.includes(`/inbox?device=${from.deviceId}`)) return undefined;
    const page = body as { envelopes: InboxEnvelope[] };
    if (isOn) for (const { id } of page.envelopes) hidden.add(id);
    return { ...page, envelopes: page.envelopes.filter(({ id }) => !hidden.has(id)) };
  });
  await work();
  await eventually(
    async () => {
      await answerHeldPolls(hostile, from);
      return hidden.size;
    },
    (count) => count > 0,
  );
  isOn = false;
}

/** Their devices have read their queues to the end. */
async function readToEnd(...people: Person[]): Promise<void> {
  for (const person of people) await readQueueToEnd(hostile, person);
}

async function travel(milliseconds: number, ...people: Person[]): Promise<void> {
  moveClock(milliseconds);
  await readToEnd(...people);
}

/** Number of requests that have posted envelopes: of everybody, or of the holder of a token. */
const posts = (token?: string) =>
  hostile.requests.filter(
    ({ path, method, credential }) =>
      method === 'POST' && path.endsWith('/envelopes') && (token === undefined || credential === token),
  ).length;

/** The lines about possibly missing messages in a conversation. */
async function linesOf(from: Person, to: Person): Promise<Message[]> {
  const { id } = await conversationWith(from, to);
  const { messages } = await callEngine(from.engine, 'messages.list', { conversationId: id, limit: 200 });
  return messages.filter(({ event }) => event?.type === 'missing');
}

const has = (person: Person, text: string, ...others: Person[]) =>
  eventually(
    async () => {
      // Failed requests and answers are retried after minutes.
      await travel(MINUTE, ...others, person);
      return textsOf(person);
    },
    (texts) => texts.includes(text),
  );

test('a withheld message arrives again from its author’s device, at its place, once', async () => {
  const [ann, ben] = await newPair();
  await withhold(ben, () => write(ann, ben, 'withheld'));
  await write(ann, ben, 'after it');
  await waitFor(ben, 'after it');
  expect(await textsOf(ben)).not.toContain('withheld');
  await readToEnd(ben);
  await travel(3 * MINUTE, ben);
  await has(ben, 'withheld', ann);
  const { id } = await conversationWith(ben, ann);
  expect(await callEngine(ben.engine, 'conversations.get', { id })).toMatchObject({
    unread: 2,
    last: { summary: { text: 'after it' } },
  });
  const { messages } = await callEngine(ben.engine, 'messages.list', { conversationId: id, limit: 200 });
  expect(messages.map(({ text }) => text)).toEqual(['hello Ben', 'hello Ann', 'withheld', 'after it']);
  // The withheld message arrives too; it is the same message.
  hostile.answerTruthfully();
  await travel(25 * HOUR, ann, ben);
  expect((await textsOf(ben)).filter((text) => text === 'withheld')).toHaveLength(1);
  expect(await linesOf(ben, ann)).toEqual([]);
});

test('a message sealed for one of two computers, because a key was hidden, reaches both', async () => {
  type Keys = { deviceKeys: string[]; sealKeys: { deviceId: string }[] };
  let before: unknown = null;
  let shown: 'all' | 'before' | 'one key' = 'all';
  const ofLaptop = ({ deviceKeys, sealKeys }: Keys, { deviceId }: Person) => {
    const isShown = (_: unknown, index: number) => sealKeys[index]?.deviceId === deviceId;
    return { deviceKeys: deviceKeys.filter(isShown), sealKeys: sealKeys.filter(isShown) };
  };
  const [ann, laptop] = await newPair();
  hostile.lie(({ path, status, body }) => {
    if (status !== 200 || !path.toLowerCase().endsWith(`/keys/${laptop.address}`)) return undefined;
    if (shown === 'all') before ??= body;
    if (shown === 'before') return before;
    return shown === 'one key' ? { ...(body as Keys), ...ofLaptop(body as Keys, laptop) } : undefined;
  });
  moveClock(2 * MINUTE);
  await write(ann, laptop, 'to one');
  expect(before).not.toBeNull();
  const desktop = await link(laptop);
  moveClock(2 * MINUTE);
  // So the new computer knows that Ben has accepted Ann.
  await write(laptop, ann, 'from Ben');
  await waitFor(desktop, 'from Ben');
  await write(ann, laptop, 'to both');
  for (const computer of [laptop, desktop]) await waitFor(computer, 'to both');

  // A relay restored from a backup shows the old state, and then the key of the computer that is on.
  shown = 'before';
  moveClock(2 * MINUTE);
  expect((await write(ann, laptop, 'waited')).state).toBe('queued');
  shown = 'one key';
  await eventually(
    async () => {
      await callEngine(ann.engine, 'connection.retry', {});
      return (await messagesOf(ann)).find(({ text }) => text === 'waited')?.state;
    },
    (state) => state === 'sent',
  );
  await waitFor(laptop, 'waited');
  await readToEnd(desktop);
  expect(await textsOf(desktop)).not.toContain('waited');

  hostile.answerTruthfully();
  moveClock(2 * MINUTE);
  await write(ann, laptop, 'to both again');
  for (const computer of [laptop, desktop]) await waitFor(computer, 'to both again');
  await readToEnd(desktop);
  await travel(3 * MINUTE, desktop);
  await has(desktop, 'waited', ann);
  const { id } = await conversationWith(desktop, ann);
  const { messages } = await callEngine(desktop.engine, 'messages.list', { conversationId: id, limit: 200 });
  expect(messages.map(({ text }) => text)).toEqual(['from Ben', 'to both', 'waited', 'to both again']);
});

test('a withheld message of an own computer arrives from that computer, in chats and groups', async () => {
  const [laptop, ben] = await newPair();
  const desktop = await link(laptop);
  const made = await newGroup(laptop, 'Heron');
  moveClock(2 * MINUTE);
  const inGroup = (text: string) => writeIn(laptop, made.id, text);
  await write(laptop, ben, 'to Ben');
  await inGroup('to the group');
  for (const text of ['to Ben', 'to the group']) await waitFor(desktop, text);
  await withhold(desktop, () => write(laptop, ben, 'withheld'));
  await withhold(desktop, () => inGroup('withheld, too'));
  await write(laptop, ben, 'after it');
  await inGroup('after that');
  for (const text of ['after it', 'after that']) await waitFor(desktop, text);
  await readToEnd(desktop);
  await travel(3 * MINUTE, desktop);
  await has(desktop, 'withheld', laptop);
  await has(desktop, 'withheld, too', laptop);
  const textsIn = async (conversationId: string) => {
    const { messages } = await callEngine(desktop.engine, 'messages.list', { conversationId, limit: 200 });
    return messages.flatMap(({ text, event }) => (event ? [] : text));
  };
  expect(await textsIn((await conversationWith(desktop, ben)).id)).toEqual([
    'to Ben',
    'withheld',
    'after it',
  ]);
  const group = (await callEngine(desktop.engine, 'conversations.list', {})).find(
    ({ kind }) => kind === 'group',
  );
  expect(await textsIn(group?.id ?? '')).toEqual(['to the group', 'withheld, too', 'after that']);
  // Ben, who received no request, has each message once.
  expect(await textsOf(ben)).toEqual(expect.arrayContaining(['withheld', 'after it']));
  await travel(25 * HOUR, desktop);
  await travel(HOUR, desktop);
  expect(await linesOf(desktop, ben)).toEqual([]);
});

test('a failed and discarded message is not missed: its author’s device reports that it has none', async () => {
  const [ann, ben] = await newPair();
  hostile.babble(
    (path) => path.endsWith('/envelopes'),
    (_request, response) => {
      const problem = { type: '', title: '', status: 403, code: 'forbidden', detail: '', requestId: '' };
      response.writeHead(403, { 'content-type': 'application/problem+json' });
      response.end(JSON.stringify(problem));
    },
  );
  const { id, state } = await write(ann, ben, 'never sent');
  expect(state).toBe('failed');
  await callEngine(ann.engine, 'messages.discard', { id });
  hostile.answerTruthfully();
  await write(ann, ben, 'after it');
  await waitFor(ben, 'after it');
  await readToEnd(ben);
  const sentCount = () => hostile.sent.length;
  const before = sentCount();
  await travel(3 * MINUTE, ben);
  await eventually(
    async () => {
      await readToEnd(ben, ann);
      return sentCount();
    },
    (count) => count >= before + 2,
  );
  await travel(25 * HOUR, ben);
  await travel(HOUR, ben);
  expect(await linesOf(ben, ann)).toEqual([]);
});

test('a message missing for a day is shown as one line, which disappears when it arrives', async () => {
  const [ann, ben] = await newPair();
  await withhold(ben, () => write(ann, ben, 'withheld'));
  await withhold(ben, () => write(ann, ben, 'withheld, too'));
  await write(ann, ben, 'after it');
  await waitFor(ben, 'after it');
  await ann.engine.close();
  await readToEnd(ben);
  await travel(3 * MINUTE, ben);
  await travel(23 * HOUR, ben);
  expect(await linesOf(ben, ann)).toEqual([]);
  // The day is counted by the engine, which may have read its queue to the end later than requested.
  const [line, ...others] = await eventually(
    async () => {
      await travel(HOUR, ben);
      return linesOf(ben, ann);
    },
    ({ length }) => length > 0,
  );
  expect(others).toEqual([]);
  expect(line).toMatchObject({ event: { type: 'missing', who: { handle: 'ann' } } });
  // Not a message: no notification, and the list shows the newest message.
  const conversation = await conversationWith(ben, ann);
  expect(conversation).toMatchObject({ unread: 1, last: { summary: { text: 'after it' } } });
  await ben.engine.close();
  await ben.engine.start();
  await readToEnd(ben);
  expect(await linesOf(ben, ann)).toHaveLength(1);
  await ann.engine.start();
  await has(ben, 'withheld', ann);
  await has(ben, 'withheld, too', ann);
  expect(await linesOf(ben, ann)).toEqual([]);
});

test('two alternating devices of a person cause no request, and a removed device causes no report', async () => {
  const [ann, ben] = await newPair();
  const phone = await link(ann);
  for (const turn of [1, 2, 3]) {
    await write(ann, ben, `laptop ${turn}`);
    await waitFor(ben, `laptop ${turn}`);
    await write(phone, ben, `phone ${turn}`);
    await waitFor(ben, `phone ${turn}`);
  }
  await readToEnd(ben);
  const before = posts(ben.engine.token);
  await travel(3 * MINUTE, ben);
  await travel(3 * MINUTE, ben);
  expect(posts(ben.engine.token)).toBe(before);
  await withhold(ben, () => write(phone, ben, 'withheld'));
  await write(phone, ben, 'after it');
  await waitFor(ben, 'after it');
  await phone.engine.close();
  await readToEnd(ben);
  await travel(3 * MINUTE, ben);
  const removed = (await callEngine(ann.engine, 'devices.list', {})).find(({ isThis }) => !isThis);
  await callEngine(ann.engine, 'devices.revoke', { id: removed?.id ?? '' });
  await write(ann, ben, 'without the phone');
  await waitFor(ben, 'without the phone');
  await travel(25 * HOUR, ben);
  await travel(HOUR, ben);
  expect(await linesOf(ben, ann)).toEqual([]);
});

test('missing messages of a blocked person are neither requested nor reported', async () => {
  const [ann, ben] = await newPair();
  await withhold(ben, () => write(ann, ben, 'withheld'));
  await write(ann, ben, 'after it');
  await waitFor(ben, 'after it');
  await ann.engine.close();
  await readToEnd(ben);
  await travel(3 * MINUTE, ben);
  await travel(25 * HOUR, ben);
  await eventually(
    () => linesOf(ben, ann),
    ({ length }) => length === 1,
  );
  const { id } = await conversationWith(ben, ann);
  await callEngine(ben.engine, 'conversations.block', { id });
  await readToEnd(ben);
  expect(await linesOf(ben, ann)).toEqual([]);
  await ann.engine.start();
  const before = posts();
  const unread = await write(ann, ben, 'to one who does not read it');
  // Ann's app has just started: it may first report the cause of its wait.
  await eventually(
    () => messagesOf(ann),
    (all) => all.some((each) => each.id === unread.id && each.state === 'sent'),
  );
  // Ann also answers the request from before the block. After its end, Ben would count from this number.
  await eventually(
    async () => {
      await travel(MINUTE, ann);
      return posts() - before;
    },
    (count) => count >= 2,
  );
  await readToEnd(ben);
  await callEngine(ben.engine, 'conversations.unblock', { id });
  await write(ann, ben, 'to one who reads it');
  await waitFor(ben, 'to one who reads it');
  await readToEnd(ben);
  await travel(3 * MINUTE, ben, ann, ben);
  await travel(25 * HOUR, ben);
  expect(await linesOf(ben, ann)).toEqual([]);
  expect(await textsOf(ben)).not.toContain('to one who does not read it');
});

test('nothing is missed after an absence longer than the relay’s retention', async () => {
  const [ann, ben] = await newPair();
  await write(ann, ben, 'before');
  await waitFor(ben, 'before');
  await readToEnd(ben);
  await ben.engine.close();
  await write(ann, ben, 'too old when Ben comes back');
  await ann.engine.close();
  moveClock(100 * DAY);
  await ben.engine.start();
  await readToEnd(ben);
  await ann.engine.start();
  await readToEnd(ann);
  await write(ann, ben, 'after it');
  await waitFor(ben, 'after it');
  await readToEnd(ben);
  await travel(3 * MINUTE, ben, ann, ben);
  await travel(25 * HOUR, ben);
  await travel(HOUR, ben);
  expect(await linesOf(ben, ann)).toEqual([]);
  expect(await textsOf(ben)).not.toContain('too old when Ben comes back');
});

test('a requested message is not marked as written without knowledge of a removal', async () => {
  const ann = await newEngine('ann');
  const [dora, eve] = [await newPerson(hostile.relay), await newPerson(hostile.relay)];
  const made = await newGroup(ann, 'Heron');
  const { groupId } = made.group;
  await joinAs(dora, groupId);
  await joinAs(eve, groupId);
  await callEngine(ann.engine, 'groups.details', { conversationId: made.id });
  const place = await placeAt(dora, groupId);
  await callEngine(ann.engine, 'groups.removeMember', { conversationId: made.id, address: eve.address });
  const late = encodeTime(Date.now() + 20 * MINUTE);
  const target = await targetOf(hostile, dora.token, ann.address);
  const numbered = (seq: number): InboxEnvelope => {
    const body = { ...groupBody(dora.address, groupId, place, `number ${seq}`), seq, sentAt: late };
    return forge(dora.address, target, { channel: 'group', body }, dora.signer, { groupId });
  };
  const deliver = (...envelopes: InboxEnvelope[]) =>
    hostile.deliver(target.deviceId, envelopes, async () => undefined);
  await travel(21 * MINUTE, ann);
  await deliver(numbered(1), numbered(3));
  await readToEnd(ann);
  await travel(3 * MINUTE, ann);
  await travel(MINUTE, ann);
  await deliver(numbered(2));
  const all = await waitFor(ann, 'number 2');
  const unaware = (text: string) => all.find((message) => message.text === text)?.roster?.unaware.length ?? 0;
  expect([unaware('number 1'), unaware('number 2'), unaware('number 3')]).toEqual([1, 0, 1]);
});
