/** Records of a chat for an export. */
import { expect, test } from 'vitest';
import { HistoryRecord, type MessageRecord } from '../../../src/archive/history-records.ts';
import type { Message } from '../../../src/bridge/shapes/message.ts';
import type { MessageBody } from '../../../src/messaging/sending/outgoing.ts';
import { encodeBase64Url } from '../../../src/protocol/encoding.ts';
import { type CachedDevice, receiveBody } from '../../support/cached-device.ts';
import { ben, HistoryWriter, LATER, mergeInto, openAnn, recordsOf } from '../../support/history.ts';
import { oneMessage, proceduresOf } from './records.ts';

test('records of a chat are read page by page in its order, without disappearing messages and other chats', async () => {
  let clock = LATER;
  const ann = openAnn(() => clock);
  const writer = new HistoryWriter(ann, (at) => {
    clock = at;
  });
  const text = (chat: 'ben' | 'cat', words: string, expires: number | null = null) =>
    writer.do({ is: 'text', chat, by: 1, text: words, expires });
  for (let number = 0; number < 150; number++) text('ben', `Message ${number}`);
  text('cat', 'In another chat');
  text('ben', 'Disappears', 86_400);
  text('ben', 'The last one');
  clock = LATER;
  const { own } = ann.context;
  const procedures = proceduresOf(ann);
  const conversationId = String(own.find(ben.address)?.id);
  const records: HistoryRecord[] = [];
  let after: Awaited<ReturnType<(typeof procedures)['messages.records']>>['next'] = null;
  do {
    const page: Awaited<ReturnType<(typeof procedures)['messages.records']>> = await procedures[
      'messages.records'
    ]({ conversationId, after });
    records.push(...page.records.map((record) => HistoryRecord.parse(record)));
    after = page.next;
  } while (after !== null);
  const [account, ...rest] = records;
  expect(account).toMatchObject({ type: 'account', version: 1 });
  expect(rest.map((record) => (record.type === 'message' ? record.body?.text : null))).toEqual([
    ...Array.from({ length: 150 }, (_, number) => `Message ${number}`),
    'The last one',
  ]);
  ann.close();
});

test('exported records are imported once, marked, and change nothing that is here', async () => {
  const [source, target] = [openAnn(() => LATER), openAnn(() => LATER)];
  const writer = new HistoryWriter(source, () => undefined);
  for (const words of ['One', 'Two'])
    writer.do({ is: 'text', chat: 'ben', by: 1, text: words, expires: null });
  writer.do({ is: 'edit', chat: 'ben', by: 1, on: 0, text: 'One, edited' });
  const chat = String(source.context.own.find(ben.address)?.id);
  const { records } = await proceduresOf(source)['messages.records']({ conversationId: chat, after: null });
  const [account, ...rest] = records as [object, ...object[]];
  const imports = proceduresOf(target);

  expect(() => imports['messages.import']({ records: rest as never, line: 2 })).toThrow('not_asked_now');
  for (const [changes, code] of [
    [{ address: ben.address }, 'import_of_other'],
    [{ version: 2 }, 'import_newer'],
    [{ type: 'message' }, 'import_unknown'],
  ] as const) {
    const begin = () => imports['messages.beginImport']({ account: { ...account, ...changes } as never });
    expect(begin).toThrow(expect.objectContaining({ code }));
  }
  imports['messages.beginImport']({ account: account as never });
  const broken = [rest[0], { ...rest[1], sender: 'ben' }];
  expect(() => imports['messages.import']({ records: broken as never, line: 2 })).toThrow(
    expect.objectContaining({ code: 'import_unknown', parameters: { line: 3 } }),
  );
  // The record before the broken one is here.
  expect(imports['messages.import']({ records: rest as never, line: 2 })).toEqual({
    added: 1,
    withoutChat: 0,
  });
  expect(imports['messages.import']({ records: rest as never, line: 2 })).toEqual({
    added: 0,
    withoutChat: 0,
  });
  const forged = rest.map((record) => ({ ...record, edits: [], deletedBy: ben.address }));
  expect(imports['messages.import']({ records: forged as never, line: 2 })).toEqual({
    added: 0,
    withoutChat: 0,
  });

  const found = target.context.own.find(ben.address);
  target.context.conversations.setState(found?.id ?? 0, 'accepted');
  const { messages } = (await imports['messages.list']({
    conversationId: String(found?.id),
    limit: 10,
  })) as { messages: Message[] };
  expect(messages.map(({ text, trust }) => [text, trust])).toEqual([
    ['One, edited', 'imported'],
    ['Two', 'imported'],
  ]);
  expect(messages.map(({ can }) => Object.values(can).some(Boolean))).toEqual([false, false]);
  // A file creates no accepted contacts.
  expect(found?.state).toBe('request');
  source.close();
  target.close();
});

const STRANGER = `0x${'5'.repeat(40)}`;

test('a record that is not imported adds no chat and no contact', async () => {
  using made = await oneMessage();
  const { account, message, target } = made;
  const imports = proceduresOf(target);
  imports['messages.beginImport']({ account: account as never });
  const to = { conversation: STRANGER, sender: STRANGER };
  const stranger = { ...message, ...to, body: { ...message.body, sender: STRANGER } };
  const lifetime = { expires: 60, beganAt: null, endsAt: LATER + 60_000 };
  const ignored = [
    { ...message, ...to },
    { ...stranger, lifetime },
    { ...stranger, event: { type: 'joined', address: STRANGER } },
    { ...stranger, state: 'unsent' },
  ];
  expect(imports['messages.import']({ records: ignored as never, line: 2 })).toEqual({
    added: 0,
    withoutChat: 0,
  });
  expect(target.context.contacts.find(STRANGER)).toBeNull();
  expect(target.context.own.find(STRANGER)).toBeNull();
  expect(imports['messages.import']({ records: [stranger] as never, line: 6 })).toEqual({
    added: 1,
    withoutChat: 0,
  });
  expect(target.context.own.find(STRANGER)?.state).toBe('request');
});

test('messages of a group that is not here are left out, and counted', async () => {
  using made = await oneMessage();
  const { account, message, target } = made;
  const imports = proceduresOf(target);
  imports['messages.beginImport']({ account: account as never });
  const groupId = 'A'.repeat(22);
  const { peer: _, ...body } = message.body as { peer?: unknown };
  const roster = { epoch: 1, hash: 'A'.repeat(43) };
  const inGroup = { ...message, conversation: groupId, body: { ...body, groupId, roster } };
  const records = [inGroup, message, inGroup];
  expect(imports['messages.import']({ records: records as never, line: 2 })).toEqual({
    added: 1,
    withoutChat: 2,
  });
});

test('a chat that was accepted and deleted returns as accepted', async () => {
  using made = await oneMessage();
  const { account, message, target } = made;
  const { contacts, conversations, own } = target.context;
  conversations.ensure(contacts.ensure(ben.address, LATER).id, 'accepted', LATER);
  conversations.remove(own.find(ben.address)?.id ?? 0);
  const imports = proceduresOf(target);
  imports['messages.beginImport']({ account: account as never });
  imports['messages.import']({ records: [message] as never, line: 2 });
  expect(own.find(ben.address)?.state).toBe('accepted');
});

test('an imported message has no device, no pin, and no mentions that are none', async () => {
  using made = await oneMessage();
  const { account, message, target } = made;
  const imports = proceduresOf(target);
  imports['messages.beginImport']({ account: account as never });
  expect(message).toMatchObject({ deviceId: expect.any(String), pin: { pinned: true } });
  for (const mentions of [5, {}, [null], [{ at: -1, length: 1, address: ben.address }]]) {
    const edits = message.edits.map((edit) => ({ ...edit, mentions }));
    const wrong = [{ ...message, edits }];
    expect(() => imports['messages.import']({ records: wrong as never, line: 2 })).toThrow(
      expect.objectContaining({ code: 'import_unknown' }),
    );
  }
  imports['messages.import']({ records: [message] as never, line: 2 });
  const [found] = recordsOf(target.context).filter((record) => record.type === 'message');
  expect(found).toMatchObject({ trust: 'imported', deviceId: null, suite: null, pin: null });
});

test('forged numbers use up few numbers, and the history can still be read and restored', async () => {
  using made = await oneMessage();
  const { account, message, target } = made;
  const imports = proceduresOf(target);
  for (let number = 0; number < 20; number++) {
    imports['messages.beginImport']({ account: { ...account, lastArrival: 2 ** 50 } as never });
    const id = encodeBase64Url(new Uint8Array(16).fill(number + 1));
    const ends = { arrival: -(2 ** 50), place: -(2 ** 50), late: number % 2 };
    const forged = { ...message, ...ends, id, body: { ...message.body, id } };
    expect(imports['messages.import']({ records: [forged] as never, line: 2 })).toEqual({
      added: 1,
      withoutChat: 0,
    });
  }
  const records = recordsOf(target.context);
  for (const record of records) expect(HistoryRecord.safeParse(record).error).toBeUndefined();
  using restored = disposable(openAnn(() => LATER));
  expect(mergeInto(restored.context, records).added).toBe(20);
});

test('an imported message of a bot stays when it is imported again', async () => {
  using made = await oneMessage();
  const { message, target } = made;
  const writer = new HistoryWriter(target, () => undefined);
  writer.do({ is: 'text', chat: 'group', by: 0, text: 'By a bot', expires: null });
  const posted = recordsOf(target.context).find(
    (record): record is MessageRecord => record.type === 'message' && record.body.text === 'By a bot',
  );
  const id = encodeBase64Url(new Uint8Array(16).fill(9));
  const ofBot = { ...(posted ?? message), id, trust: 'imported', state: 'received', deviceId: null };
  const record = HistoryRecord.parse({ ...ofBot, body: { ...posted?.body, id } });
  expect(mergeInto(target.context, [record]).added).toBe(1);
});

test('a signed reply does not show an imported message as the one that it quotes', async () => {
  using made = await oneMessage();
  const { account, message, target } = made;
  const procedures = proceduresOf(target);
  const replyTo = { sender: message.sender, id: message.id, digest: message.digest };
  const copy = (number: number, fields: object) => ({
    ...message.body,
    ...{ id: encodeBase64Url(new Uint8Array(16).fill(number)), seq: number },
    ...fields,
  });
  const forged = { ...message, edits: [], body: { ...message.body, text: 'Forged' } };
  const answered = copy(50, { text: 'Imported reply', replyTo });
  const answer = { ...message, id: answered.id, arrival: message.arrival + 1, edits: [], body: answered };
  procedures['messages.beginImport']({ account: account as never });
  procedures['messages.import']({ records: [forged, answer] as never, line: 2 });
  const { context } = target;
  const receive = (body: object) =>
    context.transaction(() => receiveBody(target, body as MessageBody, LATER));
  const quotes = async () => {
    const conversationId = String(context.own.find(ben.address)?.id);
    const { messages } = (await procedures['messages.list']({ conversationId, limit: 10 })) as {
      messages: Message[];
    };
    return messages.flatMap(({ text, replyTo: quote }) =>
      quote ? [[text, quote.is, quote.summary?.text]] : [],
    );
  };
  receive(copy(60, { text: 'Signed reply', replyTo }));
  expect(await quotes()).toEqual([
    ['Imported reply', 'here', 'Forged'],
    ['Signed reply', 'missing', undefined],
  ]);
  receive(message.body);
  expect(await quotes()).toContainEqual(['Signed reply', 'here', 'One']);
});

test('an imported invitation counts neither as sent nor as received', async () => {
  using made = await oneMessage();
  const { account, message, target } = made;
  const imports = proceduresOf(target);
  const group = encodeBase64Url(new Uint8Array(16).fill(7));
  const invite = { ...message, edits: [], body: { ...message.body, kind: 'invite', group } };
  const id = encodeBase64Url(new Uint8Array(16).fill(8));
  const [sender, peer] = [target.own, ben.address];
  const own = {
    ...invite,
    id,
    sender,
    state: 'sent',
    trust: 'self',
    body: { ...invite.body, id, sender, peer },
  };
  imports['messages.beginImport']({ account: account as never });
  expect(imports['messages.import']({ records: [invite, own] as never, line: 2 })).toEqual({
    added: 2,
    withoutChat: 0,
  });
  expect(target.context.messages.invitationsTo(group, 10)).toEqual([]);
  expect(target.context.messages.sentInvitations(group, 10)).toEqual([]);
});

test('a record that is nested deeply is refused by its line', async () => {
  using made = await oneMessage();
  const { account, message, target } = made;
  const imports = proceduresOf(target);
  imports['messages.beginImport']({ account: account as never });
  const deep = JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`);
  const setting = { type: 'setting', key: 'x/y', value: deep, sentAt: message.body.sentAt, id: message.id };
  for (const record of [
    { ...message, body: { ...message.body, deep } },
    { ...setting, deviceId: message.id, by: null },
  ])
    expect(() => imports['messages.import']({ records: [record] as never, line: 2 })).toThrow(
      expect.objectContaining({ code: 'import_unknown', parameters: { line: 2 } }),
    );
});

/** A cache that closes at the end of a block. */
function disposable(device: CachedDevice) {
  return Object.assign(device, { [Symbol.dispose]: () => device.close() });
}
