/** Histories read from one cache and merged into another. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HistoryRecord, type MessageRecord } from '../../../../src/archive/history-records.ts';
import { Conversation } from '../../../../src/bridge/shapes/conversation.ts';
import { Message } from '../../../../src/bridge/shapes/message.ts';
import { removeConversation, removeMessages } from '../../../../src/engine/erasing.ts';
import { IMPORT, OWN_HISTORY } from '../../../../src/engine/history/merge.ts';
import { makeInvite, openInvites } from '../../../../src/engine/invites/own-invites.ts';
import { findMessages } from '../../../../src/engine/search/find-messages.ts';
import { namesOf, toConversation } from '../../../../src/engine/views/conversations.ts';
import { toMessages } from '../../../../src/engine/views/messages.ts';
import { inviteKey } from '../../../../src/messaging/contents/kinds/own.ts';
import type { MessageBody } from '../../../../src/messaging/sending/outgoing.ts';
import { type AddressTrust, hashOf, NOTHING_KNOWN } from '../../../../src/messaging/trust/address-trust.ts';
import { findSealingProblem, judgeShown } from '../../../../src/messaging/trust/judge.ts';
import { type DeviceList, signDeviceList } from '../../../../src/protocol/device-list.ts';
import { encodeBase64Url, encodeTime } from '../../../../src/protocol/encoding.ts';
import type { Wallet } from '../../../../src/protocol/wallet.ts';
import { type CachedDevice, DEVICE, idOf, receiveBody } from '../../../support/cached-device.ts';
import {
  type Act,
  acts,
  ann,
  ben,
  cat,
  HistoryWriter,
  LATER,
  mergeInto,
  openAnn,
  recordsOf,
  seenIn,
} from '../../../support/history.ts';
import { firstList, fixedDevice, fixedWallet } from '../../../support/identities.ts';
import { LONG_TEST_LIMIT } from '../../../support/limits.ts';
import { runs } from '../../../support/runs.ts';

const CASES = runs({ quick: 10, all: 300, nightly: 3_000 });

const messagesIn = (all: readonly HistoryRecord[]): MessageRecord[] =>
  all.filter((record) => record.type === 'message').filter(({ event }) => event === null);

/** A cache with these acts, and an empty one, at the same time afterwards. */
function twoCaches(all: readonly Act[]) {
  let clock = LATER;
  const now = () => clock;
  const [source, target] = [openAnn(now), openAnn(now)];
  const writer = new HistoryWriter(source, (at) => {
    clock = at;
  });
  for (const act of all) writer.do(act);
  clock = LATER;
  const { context } = source;
  removeMessages(context, context.lifetimes.ended(LATER, 1_000));
  return {
    source,
    target,
    [Symbol.dispose]: () => {
      source.close();
      target.close();
    },
  };
}

test('an imported message is replaced by the message itself, and is not added beside it', () => {
  using caches = twoCaches([
    { is: 'text', chat: 'ben', by: 1, text: 'a word of Ben', expires: null },
    { is: 'text', chat: 'ben', by: 0, text: 'a word of Ann', expires: null },
    { is: 'file', chat: 'ben', by: 1, name: 'a.jpg', size: 3_000 },
    { is: 'reaction', chat: 'ben', by: 0, on: 0, emoji: ['👍'] },
  ]);
  const { source, target } = caches;
  const records = recordsOf(source.context);
  mergeInto(target.context, records, IMPORT);
  const copies = recordsOf(target.context);
  const shown = (all: readonly HistoryRecord[]) =>
    messagesIn(all).map(({ trust, body, reactions }) => ({ trust, body, reactions }));
  expect(shown(copies).map(({ trust }) => trust)).toEqual(['imported', 'imported', 'imported']);
  mergeInto(target.context, records);
  expect(shown(recordsOf(target.context))).toEqual(shown(records));
  expect(target.context.files.ids()).toHaveLength(1);

  mergeInto(target.context, records, IMPORT);
  mergeInto(target.context, copies);
  expect(shown(recordsOf(target.context))).toEqual(shown(records));
});

test('a received message replaces its imported copy, and keeps its file', () => {
  using caches = twoCaches([{ is: 'file', chat: 'ben', by: 1, name: 'a.jpg', size: 3_000 }]);
  const { source, target } = caches;
  const records = recordsOf(source.context);
  mergeInto(target.context, records, IMPORT);
  const [id = 0] = target.context.files.ids();
  target.context.files.setDownloaded(id, 'image/jpeg');
  const [body] = messagesIn(records).map((record) => record.body as MessageBody);
  if (!body) throw new Error('no message');
  target.context.transaction(() => receiveBody(target, body, LATER));
  expect(messagesIn(recordsOf(target.context)).map(({ trust }) => trust)).toEqual(['verified']);
  expect(target.context.files.ids()).toEqual([id]);
});

test('a received message that replaces an unread imported copy is counted once', () => {
  using caches = twoCaches([{ is: 'text', chat: 'ben', by: 1, text: 'a word of Ben', expires: null }]);
  const { source, target } = caches;
  const records = recordsOf(source.context);
  mergeInto(target.context, records, IMPORT);
  target.db.prepare('UPDATE conversations SET last_read_id = -1000, unread = 1').run();
  const [body] = messagesIn(records).map((record) => record.body as MessageBody);
  if (!body) throw new Error('no message');
  target.context.transaction(() => receiveBody(target, body, LATER));
  expect(target.context.own.find(ben.address)?.unread).toBe(1);
});

test('an imported message with another text than the received one stays', () => {
  using caches = twoCaches([{ is: 'text', chat: 'ben', by: 1, text: 'a word of Ben', expires: null }]);
  const { source, target } = caches;
  const records = recordsOf(source.context);
  const changed = records.map((record) =>
    record.type === 'message' ? { ...record, digest: encodeBase64Url(new Uint8Array(32)) } : record,
  );
  mergeInto(target.context, changed, IMPORT);
  const [body] = messagesIn(records).map((record) => record.body as MessageBody);
  if (!body) throw new Error('no message');
  target.context.transaction(() => receiveBody(target, body, LATER));
  expect(messagesIn(recordsOf(target.context)).map(({ trust }) => trust)).toEqual(['imported', 'verified']);
});

test('a deletion and an edit that arrive while only imported copies are here count for the messages', () => {
  const words = ['deleted later', 'edited later'];
  using caches = twoCaches(
    words.map((text) => ({ is: 'text', chat: 'ben', by: 1, text, expires: null }) as const),
  );
  const { source, target } = caches;
  const records = recordsOf(source.context);
  mergeInto(target.context, records, IMPORT);
  const [deleted, edited] = messagesIn(records).map(({ sender, id, digest }) => ({ sender, id, digest }));
  const soon = Math.max(...messagesIn(records).map(({ sentAt }) => sentAt)) + 60_000;
  const receive = (number: number, content: object) => {
    const frame = { id: idOf(number), sentAt: encodeTime(soon + number), seq: number };
    const body = { ...frame, sender: ben.address, peer: ann.address, ...content } as unknown as MessageBody;
    target.context.transaction(() => receiveBody(target, body, soon));
  };
  receive(101, { kind: 'delete', targets: [deleted] });
  receive(102, { kind: 'edit', target: edited, text: 'the new text' });
  const shown = () =>
    messagesIn(recordsOf(target.context)).map(({ body, deletedBy, edits }) => ({
      text: edits.at(-1)?.text ?? body.text,
      isDeleted: deletedBy !== null,
    }));
  const changed = [
    { text: undefined, isDeleted: true },
    { text: 'the new text', isDeleted: false },
  ];
  expect(shown()).toEqual(changed);
  mergeInto(target.context, records);
  expect(shown()).toEqual(changed);
});

test(
  'a random history merged into an empty cache is the same history',
  () => {
    fc.assert(
      fc.property(acts, (all) => {
        using caches = twoCaches(all.filter(({ is }) => is !== 'unsent'));
        const { source, target } = caches;
        mergeInto(target.context, recordsOf(source.context));
        expect(seenIn(target.context)).toEqual(seenIn(source.context));
        // Merging again, and merging a copy of the copy, changes nothing.
        const merged = recordsOf(target.context);
        expect(mergeInto(target.context, recordsOf(source.context)).added).toBe(0);
        expect(mergeInto(target.context, merged).added).toBe(0);
        expect(recordsOf(target.context)).toEqual(merged);
      }),
      { numRuns: CASES },
    );
  },
  LONG_TEST_LIMIT,
);

const text = (chat: 'ben' | 'group', by: number, words: string): Act => ({
  is: 'text',
  chat,
  by,
  text: words,
  expires: null,
});

/** Texts of a chat, in the order of its timeline. */
function textsOf({ context }: CachedDevice, name: string): string[] {
  const chat = context.own.find(name);
  return context.timelines.before(chat?.id ?? 0, null, 100).map(({ body }) => String(body.text));
}

test('a history older than new messages is shown before them and is read', () => {
  using caches = twoCaches([
    text('ben', 1, 'one'),
    text('ben', 0, 'two'),
    { is: 'read', chat: 'ben', by: 0 },
  ]);
  const { source, target } = caches;
  const live = new HistoryWriter(target, () => undefined, 1_000);
  live.do(text('ben', 1, 'new'));
  mergeInto(target.context, recordsOf(source.context));
  expect(textsOf(target, ben.address)).toEqual(['one', 'two', 'new']);
  expect(target.context.own.find(ben.address)).toMatchObject({ unread: 1 });
  const chat = target.context.own.find(ben.address);
  expect(target.context.timelines.firstReceivedAfter(chat?.id ?? 0, chat?.lastReadId ?? 0)).toBeGreaterThan(
    0,
  );
});

test('messages that are missing between others get their place', () => {
  using caches = twoCaches([
    text('ben', 1, 'one'),
    text('ben', 0, 'two'),
    text('ben', 1, 'three'),
    text('ben', 0, 'four'),
  ]);
  const { source, target } = caches;
  const records = recordsOf(source.context);
  const isMissing = (record: HistoryRecord) =>
    record.type === 'message' && ['two', 'three'].includes(String(record.body.text));
  mergeInto(
    target.context,
    records.filter((record) => !isMissing(record)),
  );
  mergeInto(target.context, records);
  expect(textsOf(target, ben.address)).toEqual(['one', 'two', 'three', 'four']);
});

test('an old history changes nothing newer', () => {
  using caches = twoCaches([
    text('ben', 1, 'first'),
    text('ben', 1, 'second'),
    { is: 'nickname', chat: 'ben', by: 0, name: 'Benny' },
  ]);
  const { source } = caches;
  const old = recordsOf(source.context);
  const writer = new HistoryWriter(source, () => undefined, 1_000);
  const { context } = source;
  const [first, second] = context.timelines.before(context.own.find(ben.address)?.id ?? 0, null, 10);
  context.transaction(() => {
    removeMessages(
      context,
      [first].flatMap((each) => each ?? []),
    );
    context.annotations.addEdit(
      second?.id ?? 0,
      { text: 'edited', mentions: [] },
      { sentAt: encodeTime(LATER), id: idOf(1), sender: ben.address },
    );
  });
  context.own.mark('nickname', ben.address, 'Benjamin');
  writer.do({ is: 'draft', chat: 'ben', by: 0, text: 'a draft' });
  const before = seenIn(context);
  expect(mergeInto(context, old).added).toBe(0);
  expect(seenIn(context)).toEqual(before);
  // A chat that the person opens again returns.
  expect(mergeInto(context, old, { isOwn: false, bringsBack: true }).added).toBe(1);
  expect(textsOf(source, ben.address)).toEqual(['first', 'second']);
});

test('a mark of a verified handle that was lost on one computer is lost after a merge, until a look-up', () => {
  using caches = twoCaches([text('ben', 1, 'one')]);
  const { source, target } = caches;
  const profile = { address: ben.address, handle: 'ben', displayName: 'Ben', verified: true };
  source.context.contacts.saveProfile(profile);
  source.context.contacts.loseHandleOf(ben.address);
  const handleIn = ({ context }: CachedDevice) => context.contacts.find(ben.address)?.handleVerified;
  // The relay shows the mark to the new computer, before and after the history.
  target.context.contacts.ensure(ben.address, LATER);
  target.context.contacts.saveProfile(profile);
  expect(handleIn(target)).toBe(true);
  mergeInto(target.context, recordsOf(source.context));
  target.context.contacts.saveProfile(profile);
  expect(handleIn(target)).toBe(false);
  target.context.contacts.saveProfile(profile, true);
  expect(handleIn(target)).toBe(true);
});

test('a handle of a history is not verified until the relay confirms it', () => {
  using caches = twoCaches([text('ben', 1, 'one')]);
  const { source, target } = caches;
  const profile = { address: ben.address, handle: 'ben', displayName: 'Ben', verified: true };
  source.context.contacts.saveProfile(profile);
  mergeInto(target.context, recordsOf(source.context));
  const { contacts } = target.context;
  expect(contacts.find(ben.address)).toMatchObject({ handle: 'ben', handleVerified: false });
  expect(contacts.profile(ben.address)).toMatchObject({ handleVerified: false });
  contacts.saveProfile(profile);
  expect(contacts.find(ben.address)).toMatchObject({ handle: 'ben', handleVerified: true });
});

test.each(['accepted', 'request'] as const)(
  'a deleted chat that was %s does not return without messages',
  (state) => {
    using caches = twoCaches([text('ben', 1, 'one'), text('ben', 1, 'two')]);
    const { source, target } = caches;
    const { context } = source;
    const chat = context.own.find(ben.address)?.id ?? 0;
    context.conversations.setState(chat, state);
    const records = recordsOf(context);
    removeConversation(context, chat, () => undefined);
    mergeInto(context, records).end();
    expect(context.own.find(ben.address)).toBeNull();
    // On another computer it returns, and so does one that was deleted and begun again at its source.
    mergeInto(target.context, records).end();
    expect(target.context.own.find(ben.address)).toMatchObject({ state });
    expect(textsOf(target, ben.address)).toEqual(['one', 'two']);
    context.conversations.ensure(context.contacts.ensure(ben.address, LATER).id, 'accepted', LATER);
    using other = twoCaches([]);
    mergeInto(other.target.context, recordsOf(context)).end();
    expect(other.target.context.own.find(ben.address)).toMatchObject({ state: 'accepted' });
  },
);

test('an unsent message returns as failed, with a number of the new device', () => {
  using caches = twoCaches([{ is: 'unsent', chat: 'ben', by: 0, text: 'not sent' }]);
  const { source, target } = caches;
  const next =
    target.context.contacts.lastSeq(target.context.contacts.ensure(ben.address, LATER).address) + 1;
  mergeInto(target.context, recordsOf(source.context));
  const chat = target.context.own.find(ben.address);
  expect(target.context.timelines.before(chat?.id ?? 0, null, 1)).toMatchObject([
    { state: 'failed', digest: null, body: { text: 'not sent', seq: next } },
  ]);
  expect(target.context.contacts.lastSeq(ben.address)).toBe(next);
});

test('a merged history is found by search, and is deleted for everyone where it is deleted', () => {
  using caches = twoCaches([text('ben', 1, 'hidden treasure'), text('group', 1, 'a map')]);
  const { source, target } = caches;
  const before = recordsOf(source.context);
  mergeInto(target.context, before);
  const find = (words: string) =>
    findMessages(
      target.context.searchIndex,
      { terms: [words], conversationIds: null, senders: null, has: [], after: null, before: null },
      Number.MAX_SAFE_INTEGER,
      10,
    ).found;
  // As the background does it.
  target.context.transaction(() => undefined);
  expect(find('treas')).toHaveLength(1);
  const writer = new HistoryWriter(source, () => undefined, 1_000);
  writer.adopt('ben', recordsOf(source.context));
  writer.do({ is: 'delete', chat: 'ben', by: 1, on: 0 });
  mergeInto(target.context, recordsOf(source.context));
  expect(find('treas')).toHaveLength(0);
  expect(find('map')).toHaveLength(1);
});

test.each<[string, (record: MessageRecord) => Partial<MessageRecord>]>([
  ['another sender', () => ({ sender: cat.address })],
  [
    'another sender in the body, too',
    ({ body }) => ({ sender: cat.address, body: { ...body, sender: cat.address } }),
  ],
  ['a message to someone else', ({ body }) => ({ body: { ...body, peer: cat.address } })],
  ['an own message as received', () => ({ trust: 'self' })],
  ['a body without its fields', () => ({ body: {} })],
  ['a chat with another person', () => ({ conversation: cat.address })],
  ['an unknown group', () => ({ conversation: idOf(99) })],
  ['an ended lifetime', () => ({ lifetime: { expires: 30, beganAt: 0, endsAt: LATER } })],
])('a record with %s is not merged', (_, change) => {
  using caches = twoCaches([text('ben', 1, 'text')]);
  const { source, target } = caches;
  const records = recordsOf(source.context).map((record) =>
    record.type === 'message' ? { ...record, ...change(record) } : record,
  );
  expect(mergeInto(target.context, records).added).toBe(0);
});

test('times and lifetimes of a record are limited by the clock', () => {
  using caches = twoCaches([text('ben', 1, 'text')]);
  const { source, target } = caches;
  const far = LATER + 1_000 * 86_400_000;
  const records = recordsOf(source.context).map((record) =>
    record.type === 'message'
      ? {
          ...record,
          storedAt: far,
          receivedAt: far,
          late: 0,
          lifetime: { expires: 60, beganAt: far, endsAt: far },
        }
      : record,
  );
  mergeInto(target.context, records);
  const chat = target.context.own.find(ben.address);
  expect(target.context.timelines.before(chat?.id ?? 0, null, 1)).toMatchObject([
    { storedAt: LATER, receivedAt: LATER, lifetime: { expires: 60, beganAt: LATER, endsAt: LATER + 60_000 } },
  ]);
});

test('a record that anyone may have written changes no person, setting or stored message', () => {
  using caches = twoCaches([
    text('ben', 1, 'text'),
    { is: 'mark', chat: 'cat', by: 0, mark: 'blocked', value: true },
  ]);
  const { source, target } = caches;
  mergeInto(target.context, recordsOf(source.context), { isOwn: false, bringsBack: true });
  expect(textsOf(target, ben.address)).toEqual(['text']);
  expect(target.context.own.find(cat.address)?.state).not.toBe('blocked');
});

test('a restored backup opens no invite link again, and a linked computer gets the open ones', () => {
  using caches = twoCaches([]);
  const { source, target } = caches;
  const invite = makeInvite(source.context);
  const records = recordsOf(source.context);
  expect(records).toContainEqual(expect.objectContaining({ key: inviteKey(invite?.token ?? '') }));
  mergeInto(target.context, records);
  expect(openInvites(target.context)).toEqual([]);
  mergeInto(target.context, records, OWN_HISTORY, DEVICE);
  expect(openInvites(target.context)).toEqual([invite]);
});

test('a deletion that arrived before its message erases it when the history brings it', () => {
  using caches = twoCaches([text('ben', 1, 'one'), text('ben', 1, 'two')]);
  const { source, target } = caches;
  const records = recordsOf(source.context);
  mergeInto(
    target.context,
    records.filter(({ type }) => type !== 'message'),
  );
  const [first] = records.filter((record): record is MessageRecord => record.type === 'message');
  const chat = target.context.own.find(ben.address);
  const { id, digest } = first as MessageRecord;
  const body = { sender: ben.address, id: idOf(77), sentAt: encodeTime(LATER), kind: 'delete' };
  target.context.transaction(() =>
    target.context.pending.add(
      chat?.id ?? 0,
      { sender: ben.address, id },
      {
        ...{
          channel: 'direct',
          proof: 'signed',
          bot: null,
          manages: false,
          receivedAt: LATER,
          isRequested: false,
        },
        body: { ...body, targets: [{ sender: ben.address, id, digest }] },
      },
      LATER,
    ),
  );
  mergeInto(target.context, records);
  expect(textsOf(target, ben.address)).toEqual(['undefined', 'two']);
});

/** The record of a contact with a state of trust. */
function contactWith(trust: AddressTrust, address = ben.address): HistoryRecord {
  return {
    ...{ type: 'contact', address, handle: null, displayName: null, handleVerified: false },
    ...{ markLost: false, firstSeenAt: LATER, hadChat: false, timer: null, profile: null, trust },
  };
}

test.each([1, 29, 2 ** 40])(
  'a timer of %s seconds in a history does not prevent showing its chat, and all chats',
  (seconds) => {
    using caches = twoCaches([text('ben', 1, 'text'), { is: 'timer', chat: 'ben', by: 1, seconds: 86_400 }]);
    const { source, target } = caches;
    const { context } = target;
    const records = recordsOf(source.context).map((record) => {
      if (record.type === 'contact' && record.timer)
        return { ...record, timer: { ...record.timer, seconds } };
      if (record.type === 'message' && record.event)
        return { ...record, event: { ...record.event, seconds } };
      return record;
    });
    mergeInto(
      context,
      records.flatMap((record) => HistoryRecord.safeParse(record).data ?? []),
    );
    const chat = context.own.find(ben.address);
    if (!chat) throw new Error('the chat is missing');
    expect(textsOf(target, ben.address)).toContain('text');
    expect(Conversation.safeParse(toConversation(context, chat, namesOf(context))).error).toBeUndefined();
    const messages = context.timelines.before(chat.id, null, 10);
    expect(Message.array().safeParse(toMessages(context, chat, messages)).error).toBeUndefined();
  },
);

test('a profile of a history under an invalid id does not prevent merging another one', () => {
  const device = openAnn(() => LATER);
  const contacts = ['!', 'AAAAAAAAAAAAAAAAAAAAAA', 'A'].map((id, index) => ({
    ...contactWith(NOTHING_KNOWN),
    trust: null,
    profile: {
      ...{ name: `Ben ${index}`, about: null, picture: null },
      version: { sentAt: encodeTime(LATER - 1), id, sender: ben.address },
    },
  }));
  mergeInto(
    device.context,
    contacts.flatMap((record) => HistoryRecord.safeParse(record).data ?? []),
  );
  expect(device.context.faces.get(ben.address)?.name).toBe('Ben 1');
  device.close();
});

test('a chat whose history names the lowest read position is in the next backup, too', () => {
  using caches = twoCaches([text('ben', 1, 'text')]);
  const { source, target } = caches;
  const records = recordsOf(source.context).map((record) =>
    record.type === 'conversation' ? { ...record, readUpTo: -(2 ** 50) } : record,
  );
  mergeInto(target.context, records);
  const read = recordsOf(target.context).filter(({ type }) => type === 'conversation');
  expect(read.length).toBeGreaterThan(0);
});

test('a device list that its wallet did not sign is refused, also from a backup', () => {
  const [list] = ben.lists;
  const [strange] = cat.lists;
  if (!list || !strange) throw new Error('a person of the test has no list');
  const device = openAnn(() => LATER);
  mergeInto(device.context, [contactWith({ ...NOTHING_KNOWN, list: { ...list, devices: strange.devices } })]);
  expect(device.context.contacts.trust(ben.address)).toBeNull();
  mergeInto(device.context, [contactWith({ ...NOTHING_KNOWN, list })]);
  expect(device.context.contacts.trust(ben.address)?.list).toEqual(list);
  device.close();
});

const HASH = encodeBase64Url(new Uint8Array(32));
const invented: [string, (deviceId: string, hash: string) => Partial<AddressTrust>][] = [
  ['a newer list', (id) => ({ claims: { [id]: { sequence: 4_000_000_000, hash: null } } })],
  ['a newer seal key', (id) => ({ sealKeys: { [id]: { sequence: 2 ** 40, hash: HASH, notBefore: LATER } } })],
  ['an earlier list', () => ({ earlier: [{ sequence: 1, hash: HASH }], list: null })],
  ['a rejection', (_id, hash) => ({ rejected: [{ sequence: 1, hash }], list: null })],
];

test.each(invented)('%s that a history invents does not stop messages to a person', (_name, inventedBy) => {
  const [list] = ben.lists;
  const deviceId = list?.devices[0]?.deviceId;
  if (!list || !deviceId) throw new Error('a person of the test has no list');
  const device = openAnn(() => LATER);
  mergeInto(device.context, [
    contactWith({ ...NOTHING_KNOWN, list, ...inventedBy(deviceId, hashOf(ben.address, list)) }),
  ]);
  const stored = device.context.contacts.trust(ben.address) ?? NOTHING_KNOWN;
  expect(stored.sealKeys).toEqual({});
  const { trust, problem } = judgeShown(ben.address, stored, { deviceList: list, sealKeys: [] }, [], LATER);
  expect(problem).toBeNull();
  expect(findSealingProblem(ben.address, trust)).toBeNull();
  device.close();
});

/** Lists of one wallet: the first one, two more that follow it, and another second one. */
function listsOf(wallet: Wallet) {
  const issued = encodeTime(LATER);
  const first = signDeviceList(wallet, { ...firstList([fixedDevice(0x51), fixedDevice(0x52)]), issued });
  const after = (list: DeviceList, device: number) =>
    signDeviceList(wallet, {
      ...firstList([fixedDevice(device)]),
      issued,
      sequence: list.sequence + 1,
      previous: hashOf(wallet.address, list),
    });
  const second = after(first, 0x51);
  return { first, second, third: after(second, 0x51), other: after(first, 0x52) };
}

type ListName = keyof ReturnType<typeof listsOf>;
test.each<[string, ListName, ListName, boolean]>([
  ['an earlier list is no fork', 'second', 'first', false],
  ['a much earlier list is no fork', 'third', 'first', false],
  ['a later list is no fork', 'first', 'second', false],
  ['the same list is no fork', 'second', 'second', false],
  ['another list with the same number is a fork', 'second', 'other', true],
  ['a list before another one than the pinned one is a fork', 'third', 'other', true],
  ['a list after another one than the pinned one is a fork', 'other', 'third', true],
])('in a history %s', (_name, pinnedName, forkName, isFork) => {
  const wallet = fixedWallet(0x50);
  const { [pinnedName]: list, [forkName]: fork } = listsOf(wallet);
  const device = openAnn(() => LATER);
  mergeInto(device.context, [contactWith({ ...NOTHING_KNOWN, list, fork }, wallet.address)]);
  expect(device.context.contacts.trust(wallet.address)).toMatchObject({ list, fork: isFork ? fork : null });
  device.close();
});

test.each(['accepted', 'request'] as const)(
  'the end of a block returns to the state in a history: %s',
  (state) => {
    using caches = twoCaches([text('ben', 1, 'one')]);
    const { source, target } = caches;
    source.context.conversations.setState(source.context.own.find(ben.address)?.id ?? 0, state);
    source.context.own.mark('blocked', ben.address, true);
    mergeInto(target.context, recordsOf(source.context));
    expect(target.context.own.find(ben.address)?.state).toBe('blocked');
    target.context.own.unblock(ben.address);
    expect(target.context.own.find(ben.address)?.state).toBe(state);
  },
);

test('a block that ended after a history was read does not return', () => {
  using caches = twoCaches([text('ben', 1, 'one')]);
  const { source, target } = caches;
  source.context.own.mark('blocked', ben.address, true);
  const records = recordsOf(source.context);
  const { sentAt } = source.context.ownRegisters.get(`blocked/${ben.address}`) ?? { sentAt: '' };
  const later = { sentAt: encodeTime(Date.parse(sentAt) + 1), id: idOf(7) };
  const key = `blocked/${ben.address}`;
  const file = { source: null, deviceId: idOf(3), by: null };
  target.context.transaction(() => target.context.own.merge(key, null, later, file));
  mergeInto(target.context, records);
  expect(target.context.own.find(ben.address)?.state).toBe('accepted');
});
