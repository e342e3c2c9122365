/**
 * What our app makes of contents, rights, repeats and times that an independent client sends, and what it sends itself:
 * docs/protocol.md §4.
 */
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { utf8 } from '../../interop/bytes.ts';
import type { Calls, Group, GroupResults, Keys, Me } from '../../interop/calls.ts';
import { createApiKey, createGroup, mintToken } from '../../interop/credentials.ts';
import { createDevice, referenceTo } from '../../interop/device.ts';
import { groupText, sealForGroup } from '../../interop/group.ts';
import { only } from '../../interop/only.ts';
import { type Body, encodeBody, encodePayload } from '../../interop/payload.ts';
import { seal } from '../../interop/sealing.ts';
import { callEngine, eventually } from '../../support/engine.ts';
import { ROOMY_RATES } from '../../support/rates.ts';
import { TestRelay } from '../../support/relay.ts';
import { WithApp } from './with-app.ts';

const DAY = 86_400_000;
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
const timesAgo = (milliseconds: number) => new Date(Date.now() - milliseconds).toISOString();

/** What the app shows of a payload of any bytes. */
function shownOfPayload(payload: ReturnType<typeof encodePayload>) {
  return pair.shownBy(async () => {
    const { ada, grace } = pair;
    const { deviceKeys } = await ada.keysOf(grace);
    const route = { from: ada.address, toAddress: grace, recipientDeviceKey: only(deviceKeys) };
    await pair.post([await seal(payload, route)]);
  });
}

describe('the app shows', () => {
  const shown: [string, () => object, (string | null)[]][] = [
    ['a text of 16,384 bytes', () => text('é'.repeat(8192)), ['text', 'é'.repeat(8192), 'verified']],
    [
      'a text with fields that nobody knows',
      () => ({ ...text(), mood: 'glad' }),
      ['text', 'Hello', 'verified'],
    ],
    ['a text with a malformed fallback', () => ({ ...text(), fallback: 7 }), ['text', 'Hello', 'verified']],
    [
      'the fallback of an unknown kind',
      () => ({ ...text(), kind: 'hologram', fallback: 'A hologram' }),
      ['newer', 'A hologram', 'verified'],
    ],
    [
      'the fallback of a text that is too long',
      () => ({ ...text('x'.repeat(16_385)), fallback: 'A long text' }),
      ['newer', 'A long text', 'verified'],
    ],
    [
      'the fallback of a kind that is reserved',
      () => ({ ...text(), kind: 'own.set', fallback: 'A setting' }),
      ['newer', 'A setting', 'verified'],
    ],
    [
      'an invitation to a group',
      () => ({ ...text(), kind: 'invite', group: 'abc', name: 'Tea', fallback: 'You are invited' }),
      ['invite', '', 'verified'],
    ],
    [
      'the fallback of an invitation whose name has 82 bytes',
      () => ({ ...text(), kind: 'invite', group: 'abc', name: 'é'.repeat(41), fallback: 'You are invited' }),
      ['newer', 'You are invited', 'verified'],
    ],
    [
      'a text with a time of writing before it was sealed',
      () => ({ ...text(), writtenAt: timesAgo(DAY) }),
      ['text', 'Hello', 'verified'],
    ],
    [
      'a text with a time of writing that is none',
      () => ({ ...text(), writtenAt: 'yesterday' }),
      ['text', 'Hello', 'verified'],
    ],
    ['a text that names itself number 0', () => ({ ...text(), seq: 0 }), ['text', 'Hello', 'verified']],
  ];
  it.each(shown)('§4: %s', async (_, body, expected) => {
    expect(await shownOf(body())).toEqual([expected]);
  });
});

describe('the app keeps and shows nowhere', () => {
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
  it.each(hidden)('§4: %s, and counts nothing as unread', async (_, body) => {
    const { unread } = await pair.conversation();
    expect(await shownOf(body())).toEqual([]);
    // The message that ends the wait is unread, and nothing else.
    expect((await pair.conversation()).unread).toBe(unread + 1);
  });
});

describe('the app sets aside', () => {
  it('§4: a signed body that does not name its list', async () => {
    const { list: _, ...body } = text();
    expect(await shownOf(body)).toEqual([]);
  });

  it('§4: a payload of version 1, or with an unknown way of signing', async () => {
    for (const at of [9, 10]) {
      const payload = encodePayload(text(), pair.ada.device);
      payload[at] = at === 9 ? 1 : 2;
      expect(await shownOfPayload(payload)).toEqual([]);
    }
  });

  it('§4: a direct payload with the label of a group, and one whose body is no JSON', async () => {
    const { ada } = pair;
    expect(await shownOfPayload(encodeBody(utf8(JSON.stringify(text())), 'SEALEDGRP', ada.device))).toEqual(
      [],
    );
    expect(await shownOfPayload(encodeBody(utf8('{'), 'SEALEDMSG', ada.device))).toEqual([]);
  });

  const malformed: [string, object][] = [
    ['an id of 15 bytes', { id: 'A'.repeat(20) }],
    ['a time without milliseconds', { sentAt: '2026-11-20T20:00:00Z' }],
    ['a number that is not whole', { seq: 1.5 }],
    ['a number below 0', { seq: -1 }],
    ['a kind of 33 characters', { kind: 'k'.repeat(33), fallback: 'Long' }],
    ['an empty kind', { kind: '', fallback: 'Empty' }],
    ['a list without a hash', { list: { sequence: 1 } }],
    ['a list with number 0', { list: { sequence: 0, hash: 'A'.repeat(43) } }],
    ['a peer in capitals', { peer: `0x${'AB'.repeat(20)}` }],
  ];
  it.each(malformed)('§4: a body with %s', async (_, changed) => {
    expect(await shownOf({ ...text(), ...changed })).toEqual([]);
  });

  it('§4: what was signed by a device that had ended when the relay received it', async () => {
    await using other = await WithApp.start(relay.url);
    const { ada, grace } = other;
    const short = await createDevice('app');
    short.listed.validUntil = new Date(Date.now() + 2000).toISOString();
    await ada.certify([], [ada.device, short]);
    const early = await other.shownBy(() => other.write(ada.text(grace, 'in time'), { device: short }));
    await setTimeout(Math.max(0, Date.parse(short.listed.validUntil) - Date.now()) + 50);
    const late = await other.shownBy(() => other.write(ada.text(grace, 'too late'), { device: short }));
    expect([early, late].flat().map(([, shown]) => shown)).not.toContain('too late');
  });
});

describe('a repeat and a time', () => {
  it('§4: of the same sender and id count once, whatever they say', async () => {
    const body = text('first');
    expect(await shownOf(body)).toEqual([['text', 'first', 'verified']]);
    expect(await shownOf({ ...body, text: 'second' })).toEqual([]);
  });

  it.each([
    ['44 days old', 44 * DAY, true],
    ['46 days old, at a relay that keeps 30', 46 * DAY, false],
    ['23 hours ahead', -23 * (DAY / 24), true],
    ['25 hours ahead', -25 * (DAY / 24), false],
  ])('§4: of a message that is %s counts as it should', async (_, ago, counts) => {
    const shown = await shownOf({ ...text('from another time'), sentAt: timesAgo(ago) });
    expect(shown).toHaveLength(counts ? 1 : 0);
  });
});

describe('what nobody signed', () => {
  let ofApi: WithApp;
  let calls: Calls;
  beforeAll(async () => {
    ofApi = await WithApp.start(relay.url);
    await ofApi.ada.certify(['api', 'bots']);
    await ofApi.meet();
    calls = (await createApiKey(ofApi.ada)).calls;
  });
  afterAll(() => ofApi[Symbol.asyncDispose]());

  const unsigned = (content = 'Hello') => {
    const { list: _, ...body } = ofApi.ada.text(ofApi.grace, content);
    return { ...body, seq: 0 };
  };
  const shown = (body: object, how: object = { signed: false, calls }) =>
    ofApi.shownBy(() => ofApi.write(body as Body, how));

  it('§4: may be a text', async () => {
    expect(await shown(unsigned('21 degrees'))).toEqual([['text', '21 degrees', 'api']]);
  });

  it.each(['attachment', 'poll'])(
    '§4: may be of the reserved kind %s, whose fallback is shown',
    async (kind) => {
      expect(await shown({ ...unsigned(), kind, fallback: 'For later' })).toEqual([
        ['newer', 'For later', 'api'],
      ]);
    },
  );

  it.each(['hologram', 'invite', 'accept', 'own.set'])('§4: may not be of kind %s', async (kind) => {
    const body = { ...unsigned(), kind, group: 'abc', name: 'Tea', fallback: 'Not allowed' };
    expect(await shown(body)).toEqual([]);
  });

  it('§4: does not stand in the way of a signed message with the same id, which stands in the way of both', async () => {
    const body = ofApi.ada.text(ofApi.grace, 'by both');
    expect(await shown(body)).toEqual([['text', 'by both', 'api']]);
    const signed = await shown(body, {});
    expect(signed).toEqual([['text', 'by both', 'verified']]);
    expect(await shown(body)).toEqual([]);
    expect(await shown(body, {})).toEqual([]);
  });

  it('§4: opens no conversation that the recipient has not accepted, and accepts none', async () => {
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
    await ada.certify(['api', 'bots']);
    group = await createGroup(ada);
    await callEngine(engine, 'groups.join', { groupId: group.id, password: null });
    group = await ada.session.expect<Group>(200, 'GET', `/groups/${group.id}`);
    token = (await mintToken(ada, group.id)).calls;
  });
  afterAll(() => inGroup[Symbol.asyncDispose]());

  const post = async (body: object, calls: Calls, signed: boolean) => {
    const envelopes = await sealForGroup(group, body as Body, signed ? inGroup.ada.device : null);
    await calls.expect<GroupResults>(200, 'POST', `/groups/${group.id}/envelopes`, { envelopes });
  };
  let markers = 0;
  /** What a post made the app show. */
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

  it('§4: a text that a device signed is shown, and the fallback of an unknown kind', async () => {
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

  it('§4: a text of a token is shown, and no kind that may not be unsigned', async () => {
    const body = groupText(group, group.creator, 'From a bot');
    expect(await shownBy(body, token)).toEqual([['text', 'From a bot', 'bot']]);
    const unknown = { ...groupText(group, group.creator, ''), kind: 'hologram', fallback: 'A hologram' };
    expect(await shownBy(unknown, token)).toEqual([]);
  });

  it("§4: a text of a member's API key is shown", async () => {
    const { calls } = await createApiKey(inGroup.ada);
    const body = groupText(group, inGroup.ada.address, 'From a program');
    expect(await shownBy(body, calls)).toEqual([['text', 'From a program', 'api']]);
  });

  it('§4: the body must name the group that it came in', async () => {
    const { ada } = inGroup;
    const body = { ...groupText(group, ada.address, 'Elsewhere', ada), groupId: 'another_group' };
    expect(await shownBy(body, ada.session, true)).toEqual([]);
  });
});

describe('what the app sends', () => {
  it('§4: is signed, counts up, and names its own device list by number and hash', async () => {
    const { ada, grace } = pair;
    await pair.answer('one');
    await pair.answer('two');
    const first = await pair.next(({ body }) => body.text === 'one');
    const second = await pair.next(({ body }) => body.text === 'two');
    const keys = await ada.session.expect<Keys>(200, 'GET', `/keys/${grace}`);
    for (const { body, header, signed } of [first, second]) {
      expect(signed).toBe(true);
      expect(body.list).toEqual(referenceTo(grace, keys.deviceList));
      expect(header).toMatchObject({
        automated: false,
        senderListSequence: keys.deviceList.sequence,
        recipientListSequence: ada.list?.sequence,
      });
      expect(body).not.toHaveProperty('fallback');
    }
    expect(second.body.seq).toBe(first.body.seq + 1);
  });

  it('§4: is an invitation with a fallback to somebody who is invited to a group', async () => {
    const { ada, engine } = pair;
    const made = await callEngine(engine, 'groups.create', { name: 'Tea', description: '', password: null });
    if (made.kind !== 'group') throw new Error('not a group');
    const { groupId: id } = made.group;
    const addresses = [ada.wallet.address];
    await callEngine(engine, 'groups.invite', { conversationId: made.id, addresses });
    const { as, body } = await pair.next((message) => message.as !== 'text');
    expect([as, body.group, body.name]).toEqual(['invite', id, 'Tea']);
    expect(body.fallback).toMatch(/./);
    await ada.session.expect(200, 'POST', `/groups/${id}/members`, {});
  });

  it('§5: is sealed by the newest list, and its statements name the list that they were made for', async () => {
    const keys = await pair.ada.session.expect<Keys>(200, 'GET', `/keys/${pair.grace}`);
    expect(only(keys.sealKeys)).toMatchObject({ pq: null, listSequence: keys.deviceList.sequence });
    const me = await pair.ada.session.expect<Me>(200, 'GET', '/me');
    expect(me.quotas.devices).toBe(16);
  });
});
