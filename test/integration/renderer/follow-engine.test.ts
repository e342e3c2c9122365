/** Queries of a page after an event: counted on a real engine, and at a relay that also counts. */
import { randomBytes } from 'node:crypto';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Bridge, EventName, Input, Output, ProcedureName } from '../../../src/bridge/contract.ts';
import type { Answer } from '../../../src/bridge/failure.ts';
import { makePageBridge } from '../../../src/bridge/page-bridge.ts';
import type { Conversation, GroupConversation } from '../../../src/bridge/shapes/conversation.ts';
import { openAccount } from '../../../src/engine/identity/account.ts';
import { walletFromPhrase } from '../../../src/protocol/wallet.ts';
import { callBridge, queryKey } from '../../../src/renderer/bridge.ts';
import { followEngine } from '../../../src/renderer/follow-engine.ts';
import {
  callEngine,
  eventually,
  openChat,
  setUp,
  setUpWithPhrase,
  TestEngine,
} from '../../support/engine.ts';
import { HostileRelay } from '../../support/hostile-relay/proxy.ts';
import { WAIT_LIMIT } from '../../support/limits.ts';

let relay: HostileRelay;
let ann: TestEngine;
let phrase: string;
let ben: TestEngine;
let direct: Conversation;
let group: GroupConversation;

beforeAll(async () => {
  relay = await HostileRelay.start();
  [ann, ben] = await Promise.all([new TestEngine(relay.url).start(), new TestEngine(relay.url).start()]);
  ({ phrase } = await setUpWithPhrase(ann, 'ann'));
  await setUp(ben, 'ben');
  direct = await openChat(ann, 'ben');
  const made = await callEngine(ann, 'groups.create', {
    name: 'Birds',
    description: '',
    join: { mode: 'open' },
  });
  if (made.kind !== 'group') throw new Error('this is no group');
  group = made;
});
afterAll(async () => {
  await ann[Symbol.asyncDispose]();
  await ben[Symbol.asyncDispose]();
  await relay[Symbol.asyncDispose]();
});

/** A page of Ann's with everything open: the list, both conversations, and both panels. */
class OpenPage {
  readonly client = new QueryClient({
    defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY, retry: false } },
  });
  readonly emit: (name: EventName, payload: unknown) => void;
  /** Names of the calls since it was settled. */
  calls: string[] = [];
  #stops: (() => void)[] = [];

  constructor(engine: TestEngine) {
    const { bridge, emit } = makePageBridge((name, input) => {
      this.calls.push(name);
      return engine.call(name, input) as Promise<Answer<unknown>>;
    });
    this.emit = (name, payload) => emit(name, payload);
    this.#stops.push(engine.handle.onEvent((name: EventName, payload) => emit(name, payload)));
    vi.stubGlobal('window', { waxwing: bridge satisfies Bridge });
    this.#stops.push(followEngine(this.client, pause));
  }

  show<P extends ProcedureName>(name: P, input: Input<P>): void {
    const query = { queryKey: queryKey(name, input), queryFn: () => callBridge(name, input) };
    this.#stops.push(new QueryObserver(this.client, query).subscribe(() => undefined));
  }

  shown<P extends ProcedureName>(name: P, input: Input<P>): Output<P> | undefined {
    return this.client.getQueryData(queryKey(name, input));
  }

  /** Waits for all earlier events, and for the answers to the calls that they caused. */
  async settled(): Promise<void> {
    await engineAnswers();
    await becomes(() => this.client.isFetching() === 0);
  }

  close(): void {
    for (const stop of this.#stops) stop();
    this.client.clear();
  }
}

/** Lengths of the pauses between refreshments, in milliseconds, since the start of the test. */
let pauses: number[] = [];
/** Pauses that have begun, in the test that ends them itself. */
let paused: (() => void)[] | null = null;

/** A timer that ends at once, or by {@link endPauses}. */
function pause(end: () => void, ms: number): void {
  pauses.push(ms);
  if (paused) paused.push(end);
  else end();
}

function endPauses(): void {
  for (const end of paused?.splice(0) ?? []) end();
}

const becomes = (matches: () => boolean) => vi.waitUntil(matches, { timeout: WAIT_LIMIT });
/** An engine answers in order: with this answer, all earlier calls are answered. */
const engineAnswers = () => callEngine(ann, 'connection.get', {});
const groupReads = () => relay.requests.filter(({ path }) => path.endsWith(`/groups/${group.group.groupId}`));

let page: OpenPage;
beforeEach(async () => {
  [pauses, paused] = [[], null];
  page = new OpenPage(ann);
  if (direct.kind !== 'direct') throw new Error('this is a group');
  page.show('conversations.list', {});
  page.show('conversations.get', { id: direct.id });
  page.show('conversations.get', { id: group.id });
  page.show('people.details', { address: direct.peer.address });
  page.show('groups.details', { conversationId: group.id });
  page.show('groups.invitedCount', { conversationId: group.id });
  await page.settled();
  page.calls = [];
});
afterEach(() => {
  page.close();
  vi.unstubAllGlobals();
});

test('saving a draft fetches its conversation only, and calls no relay', async () => {
  const reads = groupReads().length;
  for (const text of ['d', 'dr', 'draft']) {
    page.calls = [];
    await callBridge('conversations.saveDraft', { id: group.id, text });
    await page.settled();
    expect(page.calls).toEqual(['conversations.saveDraft', 'conversations.get']);
  }
  expect(groupReads()).toHaveLength(reads);
  const inList = page.shown('conversations.list', {})?.find(({ id }) => id === group.id);
  expect([inList?.draft, page.shown('conversations.get', { id: group.id })?.draft]).toEqual([
    'draft',
    'draft',
  ]);
});

test('sending a message does not request the panels and the other conversations again', async () => {
  await callBridge('messages.send', { conversationId: group.id, text: 'hello' });
  await eventually(
    async () => page.shown('conversations.get', { id: group.id }),
    (conversation) => conversation?.last?.state === 'sent',
  );
  await page.settled();
  expect(new Set(page.calls)).toEqual(new Set(['messages.send', 'conversations.get']));
});

test('changes that follow each other while an answer is on its way cause one more query', async () => {
  page.show('messages.pinned', { conversationId: group.id });
  page.show('search.messages', { text: 'hello', limit: 10 });
  await page.settled();
  page.calls = [];
  for (let change = 0; change < 20; change++) {
    page.emit('messages.changed', { conversationId: group.id });
    page.emit('conversations.changed', { ids: [group.id] });
  }
  await page.settled();
  const count = (name: string) => page.calls.filter((each) => each === name).length;
  await becomes(() => count('conversations.get') >= 2);
  expect(page.calls.toSorted()).toEqual([
    ...['conversations.get', 'conversations.get', 'messages.pinned', 'messages.pinned'],
    ...['search.messages', 'search.messages'],
  ]);
});

test('many people who join a group cause two queries of its panel, and the first answer is shown', async () => {
  if (direct.kind !== 'direct') throw new Error('this is a group');
  const reads = groupReads().length;
  const own = page.shown('groups.details', { conversationId: group.id })?.members[0]?.person.address;
  for (let change = 0; change < 20; change++) {
    page.emit('people.changed', { addresses: [own, direct.peer.address] });
    page.emit('groups.changed', { conversationIds: [group.id] });
  }
  await page.settled();
  const count = (name: string) => page.calls.filter((each) => each === name).length;
  const frequent = ['groups.details', 'groups.invitedCount', 'people.details'];
  await becomes(() => frequent.every((name) => count(name) >= 2));
  await page.settled();
  expect(page.calls.toSorted()).toEqual([
    ...['groups.details', 'groups.details', 'groups.invitedCount', 'groups.invitedCount'],
    ...['people.details', 'people.details'],
  ]);
  expect(groupReads()).toHaveLength(reads + 2);
});

test('while a conversation keeps changing, it is fetched less and less often', async () => {
  [pauses, paused] = [[], []];
  const change = () => page.emit('conversations.changed', { ids: [group.id] });
  change();
  for (let time = 1; time <= 5; time++) {
    await becomes(() => pauses.length === time);
    change();
    endPauses();
  }
  await becomes(() => pauses.length === 6);
  expect(pauses).toEqual([100, 200, 400, 400, 400, 400]);
  expect(page.calls).toEqual(pauses.map(() => 'conversations.get'));
  endPauses();
  await page.settled();
  // After a pause without a change, the next one is fetched at once again.
  change();
  await becomes(() => pauses.length === 7);
  expect(pauses.at(-1)).toBe(100);
});

test('a new conversation appears in the list, and a deleted one disappears', async () => {
  const cat = `0x${'c'.repeat(40)}`;
  const { id } = await callBridge('conversations.open', { address: cat });
  await page.settled();
  expect(page.calls).toEqual(['conversations.open', 'conversations.get']);
  expect(page.shown('conversations.list', {})).toHaveLength(3);
  await callBridge('conversations.delete', { id });
  await page.settled();
  expect(page.shown('conversations.list', {})?.map((each) => each.id)).not.toContain(id);
});

test('the panel of a group follows invitations and joins', async () => {
  const { address } = (await callEngine(ben, 'app.state', {})).me ?? { address: '' };
  await callBridge('groups.invite', { conversationId: group.id, addresses: [address] });
  const details = () => page.shown('groups.details', { conversationId: group.id });
  const invited = () => page.shown('groups.invitedCount', { conversationId: group.id })?.count;
  await becomes(() => details()?.invited?.length === 1 && invited() === 1);
  const reads = groupReads().length;
  expect(await callEngine(ann, 'groups.invitedCount', { conversationId: group.id })).toEqual({ count: 1 });
  // The number is that of this device: the relay is not asked.
  expect(groupReads()).toHaveLength(reads);
  await callEngine(ben, 'groups.join', { groupId: group.group.groupId, password: null });
  // The relay does not announce joins and leaves. Another page of Ann's checks.
  await callEngine(ann, 'groups.details', { conversationId: group.id });
  await becomes(() => details()?.members.length === 2 && invited() === 0);
  await callBridge('groups.removeMember', { conversationId: group.id, address });
  await becomes(() => details()?.members.length === 1);
});

test('the details of a contact follow a new name', async () => {
  if (direct.kind !== 'direct') throw new Error('this is a group');
  const { address } = direct.peer;
  await callEngine(ben, 'profile.save', { displayName: 'Benedict' });
  await callEngine(ann, 'people.resolve', { query: '@ben' });
  await becomes(() => page.shown('people.details', { address })?.person.displayName === 'Benedict');
  await becomes(() => {
    const row = page.shown('conversations.list', {})?.find(({ id }) => id === direct.id);
    return row?.kind === 'direct' && row.peer.displayName === 'Benedict';
  });
});

/** The own handle at each place of the page that shows it. */
function ownHandles(): Record<string, string | null | undefined> {
  return {
    account: page.shown('app.state', {})?.me?.handle,
    member: page.shown('groups.details', { conversationId: group.id })?.members.find(({ isMe }) => isMe)
      ?.person.handle,
    author: page.shown('conversations.get', { id: group.id })?.last?.author.handle,
  };
}

test.each([
  ['here', (handle: string) => callEngine(ann, 'profile.save', { handle, displayName: 'ann' })],
  [
    'by a program with the same wallet',
    async (handle: string) => {
      const wallet = walletFromPhrase(phrase);
      const deviceSeed = randomBytes(32);
      const account = openAccount(
        { address: wallet.address, walletKey: wallet.privateKey, deviceSeed },
        relay.url,
      );
      await account.relay.claimHandle(handle);
      account.relay.close();
      // The list of devices requests the own account from the relay.
      await callEngine(ann, 'devices.list', {});
    },
  ],
])('each place of the own handle follows a change %s', async (where, change) => {
  await callBridge('messages.send', { conversationId: group.id, text: 'hello' });
  page.show('app.state', {});
  await page.settled();
  const handle = where === 'here' ? 'annie' : 'anna';
  expect(Object.values(ownHandles())).not.toContain(handle);
  await change(handle);
  await becomes(() => Object.values(ownHandles()).every((shown) => shown === handle));
});
