/**
 * Contents that this version does not know, and words that nobody signed: what they do in the app, and what they do not.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Conversation } from '../../../../src/bridge/shapes.ts';
import { openCache } from '../../../../src/engine/cache/database.ts';
import { encodeTime } from '../../../../src/protocol/encoding.ts';
import { membersHash } from '../../../../src/protocol/members-hash.ts';
import type { InboxEnvelope } from '../../../../src/protocol/schemas/inbox.ts';
import { callEngine, eventually } from '../../../support/engine.ts';
import {
  directBody,
  forge,
  groupBody,
  type Target,
  targetOf,
} from '../../../support/hostile-relay/forgery.ts';
import {
  type Honest,
  messagesOf,
  newHonest,
  textsOf,
  waitFor,
  write,
} from '../../../support/hostile-relay/people.ts';
import { HostileRelay } from '../../../support/hostile-relay/proxy.ts';
import { newPerson, type Person } from '../../../support/person.ts';

const DAY = 24 * 3_600_000;

let hostile: HostileRelay;
let ann: Honest;
let ben: Honest;
/** Accepted by Ben. She allows unsigned messages of programs and bots. */
let dora: Person;
let target: Target;
let counter = 0;
beforeAll(async () => {
  hostile = await HostileRelay.start();
  [ann, ben] = [await newHonest(hostile, 'ann'), await newHonest(hostile, 'ben')];
  dora = await newStranger(['api', 'bots']);
  target = await targetOf(hostile, dora.token, ben.address);
  await write(ann, ben, 'from Ann');
  await waitFor(ben, 'from Ann');
  show(fromDora({ text: 'from Dora' }));
  await waitFor(ben, 'from Dora');
  for (const { id } of await chats()) await callEngine(ben.engine, 'conversations.accept', { id });
});
afterAll(async () => {
  for (const { engine } of [ann, ben]) await engine[Symbol.asyncDispose]();
  await hostile[Symbol.asyncDispose]();
});

async function newStranger(unsigned: [] | ['api', 'bots'] = []): Promise<Person> {
  const person = await newPerson(hostile.relay);
  const deviceList = person.nextList([person.device], { unsigned });
  const sealKeys = [person.device.statement(person.address, hostile.relay.now())];
  await hostile.relay.call('putDevices', { token: person.token, body: { deviceList, sealKeys } });
  person.list = deviceList;
  return person;
}

/** A direct message of Dora, signed by her device. */
function fromDora(fields: object): InboxEnvelope {
  const body = { ...directBody(dora.address, ben.address, ''), ...fields };
  return forge(dora.address, target, { channel: 'direct', body }, dora.signer);
}

function show(...envelopes: InboxEnvelope[]): void {
  for (const envelope of envelopes) hostile.invent(target.deviceId, envelope);
}

/** Shows Ben envelopes, and once he has dealt with all of them lets Ann write. Returns the texts that came before. */
async function settle(...envelopes: InboxEnvelope[]): Promise<string[]> {
  show(...envelopes);
  await callEngine(ben.engine, 'connection.retry', {});
  await eventually(
    async () => hostile.unacknowledged(target.deviceId),
    (left) => left === 0,
  );
  const truth = `the truth, number ${++counter}`;
  await write(ann, ben, truth);
  await waitFor(ben, truth);
  return (await textsOf(ben)).filter((text) => !text.startsWith('the truth'));
}

const chats = () => callEngine(ben.engine, 'conversations.list', {});
async function chatWith(address: string): Promise<Conversation | undefined> {
  const all = await chats();
  return all.find((chat) => chat.kind === 'direct' && chat.peer.address.toLowerCase() === address);
}

/** Bodies that were kept for a later version. Ben's engine is closed meanwhile. */
async function kept(change = (): string => ''): Promise<Record<string, unknown>[]> {
  await ben.engine.close();
  const db = openCache(ben.engine.folder.path, ben.engine.key);
  const rows = db.prepare<[], { body: string }>('SELECT body FROM unknown_contents ORDER BY id').all();
  const sql = change();
  if (sql !== '') db.exec(sql);
  db.close();
  await ben.engine.start();
  return rows.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
}

test('a reaction, which this version does not know, looks like no message: no bubble, not unread, no change of order', async () => {
  await settle();
  const before = { chats: await chats(), texts: await textsOf(ben) };
  show(fromDora({ kind: 'reaction', emoji: ['x'] }), fromDora({ kind: 'hello' }));
  await callEngine(ben.engine, 'connection.retry', {});
  await eventually(
    async () => hostile.unacknowledged(target.deviceId),
    (left) => left === 0,
  );
  expect({ chats: await chats(), texts: await textsOf(ben) }).toEqual(before);
  expect(await kept()).toMatchObject([{ kind: 'reaction', emoji: ['x'], sender: dora.address }]);
});

test('what was kept is judged again by a version that knows it, and once', async () => {
  await settle(fromDora({ kind: 'hologram', text: 'not yet' }));
  // As if the version that kept it had known no invitations.
  const invite = { ...directBody(dora.address, ben.address, ''), kind: 'invite', group: 'g', name: 'Birds' };
  await kept(
    () => `UPDATE unknown_contents SET kinds = 'text', body = '${JSON.stringify(invite)}'
            WHERE body LIKE '%hologram%'`,
  );
  const shown = await eventually(
    () => messagesOf(ben),
    (all) => all.some(({ kind }) => kind === 'invite'),
  );
  expect(shown.filter(({ kind }) => kind === 'invite')).toMatchObject([{ fields: { name: 'Birds' } }]);
  expect((await chatWith(dora.address))?.unread).toBeGreaterThan(0);
  expect(await kept()).not.toContainEqual(expect.objectContaining({ kind: 'invite' }));
  expect((await messagesOf(ben)).filter(({ kind }) => kind === 'invite')).toHaveLength(1);
});

test('a stranger makes this device keep nothing that it does not know, and opens no conversation with it', async () => {
  const eve = await newStranger();
  const count = (await kept()).length;
  const body = { ...directBody(eve.address, ben.address, ''), kind: 'hologram' };
  await settle(forge(eve.address, target, { channel: 'direct', body }, eve.signer));
  expect(await kept()).toHaveLength(count);
  expect(await chatWith(eve.address)).toBeUndefined();
});

test('a text that is too long or has control characters is shown as what its sender says instead, or kept', async () => {
  const fallback = 'a text that is too long';
  const texts = await settle(
    fromDora({ text: 'x'.repeat(16_385), fallback }),
    fromDora({ text: 'escape \u001b[2J' }),
  );
  expect(texts.filter((text) => text === fallback)).toHaveLength(1);
  expect(texts.filter((text) => text.startsWith('xxx') || text.startsWith('escape'))).toEqual([]);
  expect((await messagesOf(ben)).find(({ text }) => text === fallback)?.kind).toBe('newer');
});

test('an invitation or hello that nobody signed does not count, though its sender allows programs', async () => {
  const unsigned = (fields: object) =>
    forge(
      dora.address,
      target,
      { channel: 'direct', body: { ...directBody(dora.address, ben.address, ''), ...fields } },
      null,
      { via: 'api_key' },
    );
  const before = (await messagesOf(ben)).filter(({ kind }) => kind === 'invite').length;
  const texts = await settle(
    unsigned({ kind: 'invite', group: 'g', name: 'Birds', fallback: 'an unsigned invitation' }),
    unsigned({ kind: 'hologram', fallback: 'an unsigned hologram' }),
    unsigned({ text: 'an unsigned text' }),
  );
  expect(texts.filter((text) => text.includes('unsigned'))).toEqual(['an unsigned text']);
  expect((await messagesOf(ben)).filter(({ kind }) => kind === 'invite')).toHaveLength(before);
});

test('one bot token: the relay writes in its name neither directly nor in groups of others', async () => {
  const made = await callEngine(ann.engine, 'groups.create', {
    name: 'Ours',
    description: '',
    password: null,
  });
  if (made.kind !== 'group') throw new Error('this is no group');
  const { groupId } = made.group;
  await callEngine(ben.engine, 'groups.join', { groupId, password: null });
  const join = { token: dora.token, params: { id: groupId }, body: {} };
  await hostile.relay.call('joinGroup', join);
  const { body: own } = await hostile.relay.call('createGroup', {
    token: dora.token,
    body: { name: 'Dora’s' },
  });
  await callEngine(ben.engine, 'groups.join', { groupId: own.id, password: null });

  const inGroup = (id: string, members: string[], text: string, via: 'group_token' | 'api_key') =>
    forge(
      dora.address,
      target,
      { channel: 'group', body: groupBody(dora.address, id, membersHash(members), text) },
      null,
      { via },
    );
  const all = [ann.address, ben.address, dora.address];
  const direct = { channel: 'direct' as const, body: directBody(dora.address, ben.address, 'bot, direct') };
  const texts = await settle(
    forge(dora.address, target, direct, null, { via: 'group_token' }),
    inGroup(groupId, all, 'bot, in Ann’s group', 'group_token'),
    inGroup(own.id, [ben.address, dora.address], 'bot, in her own group', 'group_token'),
    inGroup(groupId, all, 'program, in Ann’s group', 'api_key'),
  );
  expect(texts.filter((text) => /^(bot|program),/.test(text)).toSorted()).toEqual([
    'bot, in her own group',
    'program, in Ann’s group',
  ]);
  // Nor by naming another creator later.
  hostile.lie(({ method, path, status, body }) =>
    method === 'GET' && path.endsWith(`/groups/${groupId}`) && status === 200
      ? { ...(body as object), creator: dora.address }
      : undefined,
  );
  const chat = (await chats()).find((each) => each.kind === 'group' && each.group.groupId === groupId);
  await callEngine(ben.engine, 'groups.details', { conversationId: chat?.id ?? '' });
  expect(await settle(inGroup(groupId, all, 'bot, under another creator', 'group_token'))).not.toContain(
    'bot, under another creator',
  );
  hostile.tellTruth();
});

test('a send-only API key of Ben’s accepts nobody for him, opens no chat and changes nothing but showing itself', async () => {
  await callEngine(ben.engine, 'developer.unlock', {});
  const [eve, carl] = [await newStranger(), await newStranger()];
  const ownCopy = (peer: string, text: string) =>
    forge(ben.address, target, { channel: 'direct', body: directBody(ben.address, peer, text) }, null, {
      via: 'api_key',
    });
  const request = { channel: 'direct' as const, body: directBody(eve.address, ben.address, 'let me in') };
  const texts = await settle(
    forge(eve.address, target, request, eve.signer, { asRequest: false }),
    ownCopy(eve.address, 'a program answers'),
    ownCopy(carl.address, 'a program begins'),
  );
  expect(texts).toEqual(expect.arrayContaining(['let me in', 'a program answers', 'a program begins']));
  const [withEve, withCarl] = [await chatWith(eve.address), await chatWith(carl.address)];
  expect(withEve).toMatchObject({ state: 'request', unread: 1, peerHasWritten: true });
  expect(withCarl).toMatchObject({ state: 'request', unread: 0, peerHasWritten: false });
  const shown = (await messagesOf(ben)).filter(({ text }) => text.startsWith('a program'));
  expect(shown).toMatchObject([
    { trust: 'api', state: 'sent' },
    { trust: 'api', state: 'sent' },
  ]);
  // What a blocked person is sent by a program does not unblock them.
  await callEngine(ben.engine, 'conversations.block', { id: withEve?.id ?? '' });
  await settle(ownCopy(eve.address, 'a program answers again'));
  expect((await chatWith(eve.address))?.state).toBe('blocked');
});

test('an unsigned message does not stand in the way of the signed one whose id it bears', async () => {
  const body = directBody(dora.address, ben.address, 'the signed one');
  const forged = { ...body, text: 'the forged one' };
  const unsigned = (changed: typeof body) =>
    forge(dora.address, target, { channel: 'direct', body: changed }, null, { via: 'api_key' });
  const signed = forge(dora.address, target, { channel: 'direct', body }, dora.signer);
  const texts = await settle(unsigned(forged), signed, unsigned({ ...body, text: 'the forged one, again' }));
  expect(texts.filter((text) => /^the (forged|signed) one/.test(text))).toEqual([
    'the forged one',
    'the signed one',
  ]);
});

test('a message that is old enough to be a replay, or dated ahead, does not count', async () => {
  const at = (offset: number) => encodeTime(Date.now() + offset);
  const texts = await settle(
    fromDora({ text: '60 days old', sentAt: at(-60 * DAY) }),
    fromDora({ text: '40 days old', sentAt: at(-40 * DAY) }),
    fromDora({ text: 'of the day after tomorrow', sentAt: at(2 * DAY) }),
  );
  expect(texts.filter((text) => text.includes('da'))).toEqual(['40 days old']);
});

test('a signed copy that comes again brings no conversation back', async () => {
  const message = { channel: 'direct' as const, body: directBody(dora.address, ben.address, 'once') };
  const envelope = forge(dora.address, target, message, dora.signer);
  await settle(envelope);
  const { id = '' } = (await chatWith(dora.address)) ?? {};
  await callEngine(ben.engine, 'conversations.delete', { id });
  await settle({ ...envelope, id: `${envelope.id.slice(0, -1)}A` });
  expect(await chatWith(dora.address)).toBeUndefined();
});

test('a text of more than 16,384 bytes is refused with the limit, and control characters leave as U+FFFD', async () => {
  const conversationId = (await chatWith(ann.address))?.id ?? '';
  const send = (text: string) => callEngine(ben.engine, 'messages.send', { conversationId, text });
  await expect(send('é'.repeat(8_193))).rejects.toThrow('it has 16386 bytes, and the limit is 16384');
  expect((await send('é'.repeat(8_192))).text).toHaveLength(8_192);
  expect((await send('one\r\ntwo \u001b[2J')).text).toBe('one\ntwo \ufffd[2J');
});
