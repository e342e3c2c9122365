/**
 * A relay restored from a backup, with real engines and a program on it: their clients return the lost data, and
 * everyone continues without any action. Engines and relay run in this process, on a clock that the test advances.
 */
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Group } from '../../../src/bridge/shapes/group.ts';
import type { Message } from '../../../src/bridge/shapes/message.ts';
import { openCache } from '../../../src/engine/cache/database.ts';
import { Engine } from '../../../src/engine/engine.ts';
import { toChecksumAddress, toWireAddress } from '../../../src/protocol/address.ts';
import { type Bot, newBot } from '../../support/bots.ts';
import {
  type Callable,
  callEngine,
  eventually,
  linkEngines,
  openChat,
  setUp,
  temporaryFolder,
} from '../../support/engine.ts';
import { newPerson } from '../../support/person.ts';
import { ROOMY_RATES } from '../../support/rates.ts';
import { TestRelay } from '../../support/relay.ts';
import { backUp, restore } from '../../support/restore.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let resources: AsyncDisposableStack;
let relay: TestRelay;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], shouldAdvanceTime: true });
  resources = new AsyncDisposableStack();
  resources.defer(() => void vi.useRealTimers());
  relay = resources.use(await new TestRelay({ admin: true, limits: { rates: ROOMY_RATES } }).start());
});
afterEach(() => resources.disposeAsync());

function travel(milliseconds: number): void {
  vi.setSystemTime(Date.now() + milliseconds);
}

/** A computer with the app, which can be closed and opened again. */
class Computer implements Callable {
  readonly #folder = resources.use(temporaryFolder());
  readonly #key = randomBytes(32);
  #engine: Engine | null = null;

  constructor() {
    this.open();
    resources.defer(() => this.close());
  }

  open(): void {
    const sealingWorker = new URL('../../../src/engine/sealing/worker.ts', import.meta.url);
    const fileWorker = new URL('../../../src/engine/files/worker.ts', import.meta.url);
    const relays = { embedded: null, fixed: relay.url };
    const cache = openCache(this.#folder.path, this.#key);
    this.#engine = new Engine(cache, { sealingWorker, fileWorker, relays }, () => undefined);
  }

  async close(): Promise<void> {
    await this.#engine?.close();
    this.#engine = null;
  }

  async call(name: string, input: unknown): Promise<unknown> {
    if (!this.#engine) throw new Error('this computer is off');
    return this.#engine.call(name, input);
  }
}

async function newComputer(handle: string): Promise<Computer> {
  const computer = new Computer();
  await setUp(computer, handle);
  return computer;
}

/** Collects a program's messages, for as long as the test runs. */
function listen({ client }: Bot): string[] {
  const texts: string[] = [];
  const stop = new AbortController();
  const done = (async () => {
    for await (const { text } of client.messages({ signal: stop.signal })) texts.push(text ?? '');
  })();
  resources.defer(async () => {
    stop.abort();
    await done;
  });
  return texts;
}

async function conversationIn(computer: Computer, isWanted: (name: string) => boolean): Promise<string> {
  const all = await eventually(
    () => callEngine(computer, 'conversations.list', {}),
    (list) => list.some((each) => isWanted(nameOf(each))),
  );
  return all.find((each) => isWanted(nameOf(each)))?.id ?? '';
}

function nameOf(conversation: { kind: string } & object): string {
  const { group, peer } = conversation as { group?: { name: string }; peer?: { address: string } };
  return group?.name ?? peer?.address ?? '';
}

const messagesOf = async (computer: Computer, conversationId: string): Promise<Message[]> => {
  const page = await callEngine(computer, 'messages.list', { conversationId, limit: 200 });
  return page.messages.filter(({ text }) => text !== null && text !== '');
};
const textsOf = async (computer: Computer, conversationId: string) =>
  (await messagesOf(computer, conversationId)).map(({ text }) => text);
const send = (computer: Computer, conversationId: string, text: string) =>
  callEngine(computer, 'messages.send', { conversationId, text });

/** Waits until a conversation has exactly these texts, in any order. */
const has = (computer: Computer, conversationId: string, texts: string[]) =>
  eventually(
    async () => (await textsOf(computer, conversationId)).toSorted(),
    (found) => JSON.stringify(found) === JSON.stringify(texts.toSorted()),
  );
const stateOf = async (computer: Computer, conversationId: string, wanted: string) =>
  (await messagesOf(computer, conversationId)).find(({ text }) => text === wanted);

test('a restored backup breaks no account: lists, keys, names, mail and new accounts recover', async () => {
  const laptop = await newComputer('ann');
  const ben = await newComputer('ben');
  const bot = await newBot(relay, { handle: 'robot' });
  const received = listen(bot);
  const annAddress = (await callEngine(laptop, 'app.state', {})).me?.address ?? '';
  const benAddress = (await callEngine(ben, 'app.state', {})).me?.address ?? '';
  const chat = { ann: (await openChat(laptop, 'ben')).id, ben: '' };
  await send(laptop, chat.ann, 'a1');
  chat.ben = await conversationIn(ben, (name) => name === annAddress);
  await callEngine(ben, 'conversations.accept', { id: chat.ben });
  const group = await callEngine(ben, 'groups.create', {
    name: 'Team',
    description: '',
    join: { mode: 'open' },
  });
  const groupId = group.kind === 'group' ? group.group.groupId : '';
  const team = {
    ben: group.id,
    ann: (await callEngine(laptop, 'groups.join', { groupId, password: null })).id,
  };
  await bot.client.joinGroup(groupId);
  travel(2 * MINUTE);
  await send(ben, team.ben, 'g1');
  await has(laptop, team.ann, ['g1']);
  await eventually(
    async () => received.length,
    (count) => count === 1,
  );
  const backup = await backUp(relay);

  // Changes after the backup: another computer, unlocked access, another name, other keys, messages, and Cat.
  const desktop = new Computer();
  await linkEngines(laptop, desktop);
  await callEngine(laptop, 'developer.unlock', {});
  const wanted = { name: 'script', entitlements: ['directory:read' as const], days: null };
  const { secret } = await callEngine(laptop, 'developer.createKey', wanted);
  const late = await callEngine(ben, 'groups.create', {
    name: 'Late',
    description: '',
    join: { mode: 'open' },
  });
  await callEngine(laptop, 'profile.save', { handle: 'ann_after', displayName: 'Ann After' });
  travel(25 * HOUR);
  await send(laptop, chat.ann, 'a2');
  await has(ben, chat.ben, ['a1', 'a2']);
  await send(ben, chat.ben, 'b1');
  await send(ben, team.ben, 'g2');
  const onDesktop = await conversationIn(desktop, (name) => name === benAddress);
  const teamOnDesktop = await conversationIn(desktop, (name) => name === 'Team');
  await has(laptop, chat.ann, ['a1', 'a2', 'b1']);
  await has(desktop, onDesktop, ['a2', 'b1']);
  for (const [computer, id] of [
    [laptop, team.ann],
    [ben, team.ben],
  ] as const)
    await has(computer, id, ['g1', 'g2']);
  await has(desktop, teamOnDesktop, ['g2']);
  const cat = await newComputer('cat');
  const catChat = (await openChat(cat, 'ben')).id;
  await send(cat, catChat, 'c1');
  const catAddress = (await callEngine(cat, 'app.state', {})).me?.address ?? '';
  const benToCat = await conversationIn(ben, (name) => name === catAddress);
  await callEngine(ben, 'conversations.accept', { id: benToCat });
  // Changes of the group: a name, and a member.
  await callEngine(ben, 'groups.change', { conversationId: team.ben, name: 'New team' });
  const teamOfCat = (await callEngine(cat, 'groups.join', { groupId, password: null })).id;
  await callEngine(ben, 'groups.details', { conversationId: team.ben });
  const device = await newPerson(relay);
  const published = async (address: string) => {
    const params = { address: toWireAddress(address) };
    await device.login();
    return (await relay.call('getKeys', { token: device.token, params })).body;
  };
  const before = await eventually(
    () => published(annAddress),
    ({ sealKeys, deviceList }) =>
      sealKeys.length === 2 && sealKeys.every(({ listSequence }) => listSequence === deviceList.sequence),
  );
  expect(before).toMatchObject({
    deviceList: { sequence: 3, unsigned: ['api'] },
    profile: { handle: 'ann_after', displayName: 'Ann After' },
  });
  await Promise.all([laptop.close(), desktop.close()]);
  const [benBefore, catBefore] = [await published(benAddress), await published(catAddress)];

  await restore(relay, backup);
  travel(20 * MINUTE);
  expect(await published(annAddress)).toMatchObject({
    deviceList: { sequence: 1 },
    profile: { handle: 'ann', displayName: 'ann' },
  });
  // Cat's lost account, and the mail between Cat and Ben.
  await eventually(
    () => callEngine(cat, 'connection.get', {}),
    ({ state }) => state === 'online',
  );
  await eventually(
    () => callEngine(ben, 'connection.get', {}),
    ({ state }) => state === 'online',
  );
  // The app does not seal to older keys than those seen before, and this test's clock is stopped while a
  // message waits for newer ones.
  for (const [address, { sealKeys }] of [
    [benAddress, benBefore],
    [catAddress, catBefore],
  ] as const) {
    await eventually(
      () => published(address).catch(() => null),
      (shown) => (shown?.sealKeys[0]?.sequence ?? -1) >= (sealKeys[0]?.sequence ?? 0),
    );
  }
  await send(cat, catChat, 'c2');
  await has(ben, benToCat, ['c1', 'c2']);
  await send(ben, benToCat, 'c3');
  await has(cat, catChat, ['c1', 'c2', 'c3']);
  expect((await published(catAddress)).profile).toMatchObject({ handle: 'cat', displayName: 'cat' });

  // Ann's computers are off. Ben's messages to Ann wait; the others in the group have theirs.
  await send(ben, chat.ben, 'b2');
  const waiting = await eventually(
    () => stateOf(ben, chat.ben, 'b2'),
    (message) => message?.problem !== null,
  );
  expect(waiting).toMatchObject({ state: 'queued', problem: { code: 'keys_withheld' } });
  await send(ben, team.ben, 'g3');
  await eventually(
    async () => received,
    (texts) => texts.includes('g3'),
  );

  // Ben's app is paused until both are back: it would send everything that waits for both to the first of them.
  await ben.close();
  for (const computer of [laptop, desktop]) computer.open();
  const after = await eventually(
    () => published(annAddress),
    ({ sealKeys, profile }) => sealKeys.length === 2 && profile?.displayName === 'Ann After',
  );
  expect(after).toMatchObject({ deviceList: before.deviceList, profile: { handle: 'ann_after' } });
  expect(after.sealKeys).toEqual(before.sealKeys);
  ben.open();
  // Access is unlocked as before; keys and groups that were created since are lost.
  expect(await callEngine(laptop, 'developer.get', {})).toMatchObject({ unlocked: true, keys: [] });
  await relay.refuse('unauthorized', 'getMe', { token: secret });
  await eventually(
    () => callEngine(ben, 'conversations.get', { id: late.id }),
    (each) => each.kind === 'group' && !each.group.joined,
  );
  await expect(send(ben, late.id, 'into nothing')).rejects.toMatchObject({ code: 'group_left' });

  travel(2 * MINUTE);
  await send(ben, chat.ben, 'b3');
  await send(ben, team.ben, 'g4');
  await has(laptop, chat.ann, ['a1', 'a2', 'b1', 'b2', 'b3']);
  await has(desktop, onDesktop, ['a2', 'b1', 'b2', 'b3']);
  await send(desktop, onDesktop, 'a3');
  await send(laptop, team.ann, 'g5');
  await bot.client.send('@ann_after', 'beep');
  await has(ben, chat.ben, ['a1', 'a2', 'b1', 'b2', 'b3', 'a3']);
  await has(laptop, chat.ann, ['a1', 'a2', 'b1', 'b2', 'b3', 'a3']);
  await has(ben, team.ben, ['g1', 'g2', 'g3', 'g4', 'g5']);
  await has(laptop, team.ann, ['g1', 'g2', 'g3', 'g4', 'g5']);
  await has(desktop, teamOnDesktop, ['g2', 'g3', 'g4', 'g5']);
  // Ben, the owner, has restored its name and its member, although Cat had joined before.
  await has(cat, teamOfCat, ['g3', 'g4', 'g5']);
  for (const [computer, id] of [
    [laptop, team.ann],
    [cat, teamOfCat],
  ] as const) {
    const { group: shown } = (await callEngine(computer, 'conversations.get', { id })) as { group: object };
    expect(shown).toMatchObject({ name: 'New team', memberCount: 4, joined: true });
  }
  for (const computer of [laptop, desktop]) {
    const { address } = bot.identity;
    const fromBot = await conversationIn(computer, (name) => name === toChecksumAddress(address));
    await has(computer, fromBot, ['beep']);
  }
  await eventually(
    async () => received.toSorted(),
    (texts) => texts.join() === 'g1,g2,g3,g4,g5',
  );
});

test('mail missing in a backup arrives again from its author’s computer, and is not reported as missing', async () => {
  const [ann, ben] = [await newComputer('ann'), await newComputer('ben')];
  const annAddress = (await callEngine(ann, 'app.state', {})).me?.address ?? '';
  const toBen = (await openChat(ann, 'ben')).id;
  await send(ann, toBen, 'a1');
  const toAnn = await conversationIn(ben, (name) => name === annAddress);
  await send(ben, toAnn, 'b1');
  await has(ann, toBen, ['a1', 'b1']);
  const backup = await backUp(relay);
  await ben.close();
  await send(ann, toBen, 'a2');
  await eventually(
    () => stateOf(ann, toBen, 'a2'),
    (message) => message?.state === 'sent',
  );
  await restore(relay, backup);
  ben.open();
  await send(ann, toBen, 'a3');
  await has(ben, toAnn, ['a1', 'b1', 'a3']);
  const read = async () => {
    for (const computer of [ben, ann]) await callEngine(computer, 'connection.retry', {});
  };
  await eventually(
    async () => {
      travel(MINUTE);
      await read();
      return textsOf(ben, toAnn);
    },
    (texts) => texts.includes('a2'),
  );
  travel(25 * HOUR);
  await send(ann, toBen, 'a4');
  await eventually(
    async () => {
      await read();
      return textsOf(ben, toAnn);
    },
    (texts) => texts.includes('a4'),
  );
  expect(await textsOf(ben, toAnn), 'where it was').toEqual(['a1', 'b1', 'a2', 'a3', 'a4']);
  const { messages } = await callEngine(ben, 'messages.list', { conversationId: toAnn, limit: 200 });
  expect(messages.filter(({ event }) => event !== null)).toEqual([]);
});

test('a group whose removed member left at a restored relay continues when its owner and members confirm', async () => {
  const [ann, ben, cat] = [await newComputer('ann'), await newComputer('ben'), await newComputer('cat')];
  const catAddress = (await callEngine(cat, 'app.state', {})).me?.address ?? '';
  const created = await callEngine(ann, 'groups.create', {
    name: 'Team',
    description: '',
    join: { mode: 'open' },
  });
  const groupId = created.kind === 'group' ? created.group.groupId : '';
  const join = async (computer: Computer) =>
    (await callEngine(computer, 'groups.join', { groupId, password: null })).id;
  const team = { ann: created.id, ben: await join(ben), cat: await join(cat) };
  const groupOf = async (computer: Computer, id: string) => {
    const { group } = (await callEngine(computer, 'conversations.get', { id })) as { group: Group };
    return group;
  };
  const members = (computer: Computer, id: string, count: number) =>
    eventually(
      () => groupOf(computer, id),
      ({ memberCount }) => memberCount === count,
    );
  travel(2 * MINUTE);
  await send(ann, team.ann, 'g1');
  for (const [computer, id] of [
    [ben, team.ben],
    [cat, team.cat],
  ] as const) {
    await has(computer, id, ['g1']);
    await members(computer, id, 3);
  }
  const backup = await backUp(relay);
  await cat.close();
  await callEngine(ann, 'groups.removeMember', { conversationId: team.ann, address: catAddress });
  await members(ben, team.ben, 2);
  for (const computer of [ann, ben]) await computer.close();
  await restore(relay, backup);
  cat.open();
  await callEngine(cat, 'groups.leave', { conversationId: team.cat });
  await cat.close();
  for (const computer of [ann, ben]) computer.open();

  const stopped = (computer: Computer, id: string) =>
    eventually(
      async () => {
        travel(2 * MINUTE);
        await callEngine(computer, 'groups.details', { conversationId: id });
        return groupOf(computer, id);
      },
      ({ problem }) => problem?.code === 'roster_replaced',
    );
  const goOn = (computer: Computer, id: string) =>
    callEngine(computer, 'groups.goOn', { conversationId: id });
  expect(await stopped(ben, team.ben)).toMatchObject({ canGoOn: true });
  await expect(goOn(ben, team.ben)).rejects.toMatchObject({ code: 'roster_unconfirmed' });
  await stopped(ann, team.ann);
  await goOn(ann, team.ann);
  await goOn(ben, team.ben);
  await send(ann, team.ann, 'g2');
  await send(ben, team.ben, 'g3');
  await has(ben, team.ben, ['g1', 'g2', 'g3']);
  await has(ann, team.ann, ['g1', 'g2', 'g3']);
  for (const [computer, id] of [
    [ann, team.ann],
    [ben, team.ben],
  ] as const) {
    expect(await groupOf(computer, id)).toMatchObject({ memberCount: 2, problem: null, joined: true });
  }
});
