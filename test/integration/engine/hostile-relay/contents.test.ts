/**
 * Contents that this version does not know, and unsigned texts: their effects in the app.
 * Tests that apply to programs as well are in test/integration/messaging/hostile-relay/contents.test.ts.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Conversation } from '../../../../src/bridge/shapes/conversation.ts';
import { openCache } from '../../../../src/engine/cache/database.ts';
import { inviteTo } from '../../../../src/messaging/contents/kinds/invite.ts';
import type { InboxEnvelope } from '../../../../src/protocol/schemas/inbox.ts';
import { callEngine, eventually } from '../../../support/engine.ts';
import { directBody, forge, type Target, targetOf } from '../../../support/hostile-relay/forgery.ts';
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
import { TestRoster } from '../../../support/relay-rosters.ts';

let hostile: HostileRelay;
let ann: Honest;
let ben: Honest;
/** Accepted by Ben. She allows unsigned messages of programs. */
let dora: Person;
let target: Target;
let counter = 0;
beforeAll(async () => {
  hostile = await HostileRelay.start();
  [ann, ben] = [await newHonest(hostile, 'ann'), await newHonest(hostile, 'ben')];
  dora = await newStranger(['api']);
  target = await targetOf(hostile, dora.token, ben.address);
  await write(ann, ben, 'from Ann');
  await waitFor(ben, 'from Ann');
  hostile.invent(target.deviceId, fromDora({ text: 'from Dora' }));
  await waitFor(ben, 'from Dora');
  for (const { id } of await chats()) await callEngine(ben.engine, 'conversations.accept', { id });
});
afterAll(() => hostile[Symbol.asyncDispose]());

async function newStranger(unsigned: [] | ['api'] = []): Promise<Person> {
  const person = await newPerson(hostile.relay);
  return person.publishDevices([person.device], { unsigned });
}

/** A direct message of Dora, signed by her device. */
function fromDora(fields: object): InboxEnvelope {
  const body = { ...directBody(dora.address, ben.address, ''), ...fields };
  return forge(dora.address, target, { channel: 'direct', body }, dora.signer);
}

/** Delivers envelopes to Ben, and waits until all were processed. */
async function judged(...envelopes: InboxEnvelope[]): Promise<void> {
  const invented = hostile.deliver(target.deviceId, envelopes, async () => undefined);
  await callEngine(ben.engine, 'connection.retry', {});
  await invented;
}

/** Delivers envelopes to Ben, and makes Ann write after he has judged all of them. Returns the texts that came before. */
async function settle(...envelopes: InboxEnvelope[]): Promise<string[]> {
  await judged(...envelopes);
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

/** Bodies that are stored for a later version. Ben's engine is closed while they are read and changed. */
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

test('an unknown reaction shows nothing: no bubble, no unread count, no new order', async () => {
  await settle();
  const before = { chats: await chats(), texts: await textsOf(ben) };
  await judged(fromDora({ kind: 'reaction', emoji: ['x'] }), fromDora({ kind: 'hello' }));
  expect({ chats: await chats(), texts: await textsOf(ben) }).toEqual(before);
  expect(await kept()).toMatchObject([{ kind: 'reaction', emoji: ['x'], sender: dora.address }]);
});

test('stored unknown content is judged once by a version that knows it', async () => {
  await settle(fromDora({ kind: 'hologram', text: 'not yet' }));
  // As if stored by a version without invitations.
  const roster = await TestRoster.begin(dora, { name: 'Birds', join: 'invite' });
  const content = inviteTo({ groupId: roster.id, name: 'Birds' }, roster.ticket(dora, ben));
  const invite = { ...directBody(dora.address, ben.address, ''), ...content };
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

test('unknown content of a stranger is not stored, and opens no conversation', async () => {
  const eve = await newStranger();
  const count = (await kept()).length;
  const body = { ...directBody(eve.address, ben.address, ''), kind: 'hologram' };
  await settle(forge(eve.address, target, { channel: 'direct', body }, eve.signer));
  expect(await kept()).toHaveLength(count);
  expect(await chatWith(eve.address)).toBeUndefined();
});

test('Ben’s send-only API key accepts no one for him, opens no chat and only shows itself', async () => {
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
  // A program's message to a blocked person does not unblock them.
  await callEngine(ben.engine, 'conversations.block', { id: withEve?.id ?? '' });
  await settle(ownCopy(eve.address, 'a program answers again'));
  expect((await chatWith(eve.address))?.state).toBe('blocked');
});

test('a replayed signed copy restores no conversation', async () => {
  const message = { channel: 'direct' as const, body: directBody(dora.address, ben.address, 'once') };
  const envelope = forge(dora.address, target, message, dora.signer);
  await settle(envelope);
  const { id = '' } = (await chatWith(dora.address)) ?? {};
  await callEngine(ben.engine, 'conversations.delete', { id });
  await settle({ ...envelope, id: `${envelope.id.slice(0, -1)}A` });
  expect(await chatWith(dora.address)).toBeUndefined();
});
