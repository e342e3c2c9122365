/**
 * Contents and rights of an independent client in our app, and the app's own messages: docs/protocol.md §4.
 * Tests that apply to programs on the library as well are in user-contents.test.ts.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Calls, Group, GroupResults, Keys, Me } from '../../interop/by-hand/calls.ts';
import { createApiKey, createGroup, createToken } from '../../interop/by-hand/credentials.ts';
import { groupText, joinGroup, sealForGroup } from '../../interop/by-hand/group.ts';
import { only } from '../../interop/by-hand/only.ts';
import { nameOfList } from '../../interop/device-list.ts';
import type { Body } from '../../interop/payload.ts';
import type { Ticket } from '../../interop/ticket.ts';
import { callEngine, eventually } from '../../support/engine.ts';
import { ROOMY_RATES } from '../../support/rates.ts';
import { TestRelay } from '../../support/relay.ts';
import { WithApp } from './with-app.ts';

const relay = new TestRelay({ limits: { rates: ROOMY_RATES } });
let pair: WithApp;

beforeAll(async () => {
  await relay.start();
  pair = await WithApp.start(relay.url);
  await pair.meet();
});
afterAll(async () => {
  await pair[Symbol.asyncDispose]();
  await relay[Symbol.asyncDispose]();
});

const text = (content = 'Hello') => pair.ada.text(pair.grace, content);
const shownOf = (body: object, how: Parameters<WithApp['write']>[1] = {}) =>
  pair.shownBy(() => pair.write(body as Body, how));

describe('the app stores and shows nowhere', () => {
  const hidden: [string, () => object][] = [
    ['an unknown kind without a fallback', () => ({ ...text(), kind: 'hologram' })],
    ['an unknown kind with an empty fallback', () => ({ ...text(), kind: 'hologram', fallback: '' })],
    ['a text with a control character', () => text('bell \u0007')],
    ['a text that is none', () => ({ ...text(), text: 5 })],
    [
      'an invitation without a fallback and without a group',
      () => ({ ...text(), kind: 'invite', name: 'Tea' }),
    ],
    ['a hello with evidence', () => pair.ada.hello(pair.grace)],
    [
      'a hello with nine lists',
      () => ({ ...pair.ada.hello(pair.grace), lists: Array(9).fill(pair.ada.list) }),
    ],
  ];
  it.each(hidden)('§7: %s, and counts nothing as unread', async (_, body) => {
    const { unread } = await pair.conversation();
    expect(await shownOf(body())).toEqual([]);
    // The message that ends the wait is unread, and nothing else.
    expect((await pair.conversation()).unread).toBe(unread + 1);
  });
});

describe('unsigned messages', () => {
  it('§7: opens no conversation that the recipient has not accepted, and accepts none', async () => {
    await using stranger = await WithApp.start(relay.url);
    await stranger.ada.certify(['api']);
    const key = await createApiKey(stranger.ada);
    await stranger.write(stranger.ada.text(stranger.grace, 'May I?'), { signed: false, calls: key.calls });
    const [conversation] = await eventually(
      () => callEngine(stranger.engine, 'conversations.list', {}),
      (all) => all.length > 0,
    );
    expect(conversation?.state).toBe('request');
  });
});

describe('in a group that the app is in', () => {
  let group: Group;
  let token: Calls;
  let inGroup: WithApp;
  beforeAll(async () => {
    inGroup = await WithApp.start(relay.url);
    const { ada, engine } = inGroup;
    await ada.certify(['api']);
    group = await createGroup(ada, [], { unsignedBots: true });
    await callEngine(engine, 'groups.join', { groupId: group.id, password: null });
    group = await ada.session.expect<Group>(200, 'GET', `/groups/${group.id}`);
    token = (await createToken(ada, group.id)).calls;
  });
  afterAll(() => inGroup[Symbol.asyncDispose]());

  const post = async (body: object, calls: Calls, signed: boolean) => {
    const envelopes = await sealForGroup(calls, group, body as Body, signed ? inGroup.ada.device : null);
    await calls.expect<GroupResults>(200, 'POST', `/groups/${group.id}/envelopes`, { envelopes });
  };
  let markers = 0;
  /** Messages that the app shows after a post. */
  const shownBy = async (body: object, calls: Calls, signed = false) => {
    const { ada } = inGroup;
    const all = async () => {
      const conversations = await callEngine(inGroup.engine, 'conversations.list', {});
      const id = only(conversations.filter(({ kind }) => kind === 'group')).id;
      const page = { conversationId: id, limit: 200 };
      const { messages } = await callEngine(inGroup.engine, 'messages.list', page);
      return messages
        .filter(({ event }) => event === null)
        .map(({ kind, text: shown, trust }) => [kind, shown, trust]);
    };
    const before = (await all()).length;
    await post(body, calls, signed);
    markers += 1;
    const marker = `marker ${markers}`;
    await post(groupText(group, ada.address, marker, ada), ada.session, true);
    const after = await eventually(all, (messages) => messages.some(([, shown]) => shown === marker));
    return after.slice(before).filter(([, shown]) => shown !== marker);
  };

  it('§7: a text that a device signed is shown, and the fallback of an unknown kind', async () => {
    const { ada } = inGroup;
    const body = groupText(group, ada.address, 'Hello', ada);
    expect(await shownBy(body, ada.session, true)).toEqual([['text', 'Hello', 'verified']]);
    const unknown = { ...groupText(group, ada.address, '', ada), kind: 'hologram', fallback: 'A hologram' };
    expect(await shownBy(unknown, ada.session, true)).toEqual([['newer', 'A hologram', 'verified']]);
    const invite = {
      ...unknown,
      id: text().id,
      kind: 'invite',
      group: 'abc',
      name: 'Tea',
      fallback: 'Direct only',
    };
    expect(await shownBy(invite, ada.session, true)).toEqual([['newer', 'Direct only', 'verified']]);
  });

  it('§7: an unsigned text of a token is shown, and no kind that requires a signature', async () => {
    const body = groupText(group, String(group.creator), 'From a bot');
    expect(await shownBy(body, token)).toEqual([['text', 'From a bot', 'token']]);
    const unknown = {
      ...groupText(group, String(group.creator), ''),
      kind: 'hologram',
      fallback: 'A hologram',
    };
    expect(await shownBy(unknown, token)).toEqual([]);
  });

  it("§7: a text of a member's API key is shown", async () => {
    const { calls } = await createApiKey(inGroup.ada);
    const body = groupText(group, inGroup.ada.address, 'From a program');
    expect(await shownBy(body, calls)).toEqual([['text', 'From a program', 'api']]);
  });

  it('§7: the body must name the group of its envelope', async () => {
    const { ada } = inGroup;
    const body = { ...groupText(group, ada.address, 'Elsewhere', ada), groupId: 'another_group' };
    expect(await shownBy(body, ada.session, true)).toEqual([]);
  });
});

describe('messages of the app', () => {
  it('§7: is signed, counts up, and names its own device list by number and hash', async () => {
    const { ada, grace } = pair;
    await pair.answer('one');
    await pair.answer('two');
    const first = await pair.next(({ body }) => body.text === 'one');
    const second = await pair.next(({ body }) => body.text === 'two');
    const keys = await ada.session.expect<Keys>(200, 'GET', `/keys/${grace}`);
    for (const { body, header, signed } of [first, second]) {
      expect(signed).toBe(true);
      expect(body.list).toEqual(nameOfList(grace, keys.deviceList));
      expect(header).toMatchObject({
        automated: false,
        senderListSequence: keys.deviceList.sequence,
        recipientListSequence: ada.list?.sequence,
      });
      expect(body).not.toHaveProperty('fallback');
    }
    expect(second.body.seq).toBe(first.body.seq + 1);
  });

  it('§7: has an invitation with a fallback for an invited person', async () => {
    const { ada, engine } = pair;
    const made = await callEngine(engine, 'groups.create', {
      name: 'Tea',
      description: '',
      join: { mode: 'open' },
    });
    if (made.kind !== 'group') throw new Error('not a group');
    const { groupId: id } = made.group;
    const addresses = [ada.shownAddress];
    await callEngine(engine, 'groups.invite', { conversationId: made.id, addresses });
    const { as, body } = await pair.next((message) => message.as !== 'text');
    expect([as, body.group, body.name]).toEqual(['invite', id, 'Tea']);
    expect(body.fallback).toMatch(/./);
    await joinGroup(ada, id, { ticket: body.ticket as Ticket });
  });

  it('§5: is sealed by the newest list, and its statements name that list and a post-quantum key', async () => {
    const keys = await pair.ada.session.expect<Keys>(200, 'GET', `/keys/${pair.grace}`);
    expect(only(keys.sealKeys)).toMatchObject({
      pq: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      listSequence: keys.deviceList.sequence,
    });
    const me = await pair.ada.session.expect<Me>(200, 'GET', '/me');
    expect(me.quotas.devices).toBe(16);
  });
});
