/** A random history of a person: chats, a group, and all stored data of their messages. */
import fc from 'fast-check';
import { HistoryRecord } from '../../src/archive/history-records.ts';
import type { Context } from '../../src/engine/context.ts';
import { HistoryMerge, type MergeRules, numberingFor, OWN_HISTORY } from '../../src/engine/history/merge.ts';
import { HistoryReader } from '../../src/engine/history/read.ts';
import type { MessageBody } from '../../src/messaging/sending/outgoing.ts';
import { encodeBase64Url, encodeTime } from '../../src/protocol/encoding.ts';
import { type CachedDevice, DEVICE, digestOf, idOf, openDevice, receiveBody } from './cached-device.ts';
import { BEGINNING, DAY, RosterChain, rosterFixture } from './rosters.ts';

const MINUTE = 60_000;
const BEGUN = BEGINNING + 10 * DAY;
/** After all acts. */
export const LATER = BEGUN + 10 * DAY;

const people = [rosterFixture('ann', 0x10), rosterFixture('ben', 0x20), rosterFixture('cat', 0x30)];
export const [ann, ben, cat] = people as [(typeof people)[0], (typeof people)[0], (typeof people)[0]];
export const chain = new RosterChain(people, ann)
  .add(ann, { kind: 'change', join: 'open' })
  .add(ben, { kind: 'join' })
  .add(cat, { kind: 'join' });

/** `on` is a place among the messages of the chat. */
export type Act = { chat: 'ben' | 'cat' | 'group'; by: number } & (
  | { is: 'text'; text: string; expires: number | null }
  | { is: 'late'; text: string }
  | { is: 'unsent'; text: string }
  | { is: 'file'; name: string; size: number }
  | { is: 'reaction'; on: number; emoji: string[] }
  | { is: 'edit'; on: number; text: string }
  | { is: 'delete'; on: number }
  | { is: 'pin'; on: number; pinned: boolean }
  | { is: 'timer'; seconds: number }
  | { is: 'read' }
  | { is: 'mark'; mark: 'pinned' | 'archived' | 'muted' | 'blocked'; value: boolean }
  | { is: 'nickname'; name: string }
  | { is: 'draft'; text: string }
);

const on = fc.nat({ max: 6 });
const text = fc
  .string({ minLength: 1, maxLength: 20, unit: 'grapheme' })
  .filter((each) => each.trim() !== '');
const place = {
  chat: fc.constantFrom('ben' as const, 'cat' as const, 'group' as const),
  by: fc.nat({ max: 1 }),
};
const kinds = [
  [
    6,
    fc.record({
      ...place,
      is: fc.constant('text' as const),
      text,
      expires: fc.option(fc.constantFrom(86_400, 30 * 86_400), { freq: 3 }),
    }),
  ],
  [2, fc.record({ ...place, is: fc.constant('late' as const), text })],
  [1, fc.record({ ...place, is: fc.constant('unsent' as const), text })],
  [
    2,
    fc.record({
      ...place,
      is: fc.constant('file' as const),
      name: fc.constantFrom('a.jpg', 'notes.pdf'),
      size: fc.nat({ max: 100_000 }),
    }),
  ],
  [
    2,
    fc.record({
      ...place,
      is: fc.constant('reaction' as const),
      on,
      emoji: fc.uniqueArray(fc.constantFrom('👍', '❤️'), { maxLength: 2 }),
    }),
  ],
  [2, fc.record({ ...place, is: fc.constant('edit' as const), on, text })],
  [1, fc.record({ ...place, is: fc.constant('delete' as const), on })],
  [1, fc.record({ ...place, is: fc.constant('pin' as const), on, pinned: fc.boolean() })],
  [1, fc.record({ ...place, is: fc.constant('timer' as const), seconds: fc.constantFrom(0, 86_400) })],
  [1, fc.record({ ...place, is: fc.constant('read' as const) })],
  [
    1,
    fc.record({
      ...place,
      is: fc.constant('mark' as const),
      mark: fc.constantFrom('pinned' as const, 'archived' as const, 'muted' as const, 'blocked' as const),
      value: fc.boolean(),
    }),
  ],
  [1, fc.record({ ...place, is: fc.constant('nickname' as const), name: fc.constantFrom('Benny', 'Kitty') })],
  [1, fc.record({ ...place, is: fc.constant('draft' as const), text })],
] as const;
export const acts: fc.Arbitrary<Act[]> = fc.array(
  fc.oneof(...kinds.map(([weight, arbitrary]) => ({ weight, arbitrary: arbitrary as fc.Arbitrary<Act> }))),
  { minLength: 1, maxLength: 40 },
);

/** A cache of Ann. @param clock the current time, in milliseconds since 1970 */
export function openAnn(clock: () => number): CachedDevice {
  return openDevice(ann.address, chain, clock);
}

/** Executes all acts on a device of Ann, one per minute. */
export class HistoryWriter {
  readonly #device: CachedDevice;
  readonly #sent: Record<Act['chat'], MessageBody[]> = { ben: [], cat: [], group: [] };
  readonly #setClock: (at: number) => void;
  #count: number;

  /** @param count number of acts before: ids and times follow it */
  constructor(device: CachedDevice, setClock: (at: number) => void, count = 0) {
    this.#count = count;
    this.#device = device;
    this.#setClock = setClock;
    const { contacts, conversations } = device.context;
    for (const { address } of [ben, cat])
      conversations.ensure(contacts.ensure(address, BEGUN).id, 'accepted', BEGUN);
  }

  /** Acts on a chat's messages may be about these. */
  adopt(chat: Act['chat'], records: readonly HistoryRecord[]): void {
    const name = chat === 'group' ? chain.groupId : (chat === 'ben' ? ben : cat).address;
    for (const record of records)
      if (record.type === 'message' && record.conversation === name)
        this.#sent[chat].push(record.body as MessageBody);
  }

  do(act: Act): void {
    this.#count += 1;
    const at = BEGUN + this.#count * MINUTE;
    this.#setClock(at);
    const { context } = this.#device;
    const partner = act.chat === 'cat' ? cat : ben;
    const name = act.chat === 'group' ? chain.groupId : partner.address;
    const conversation = context.own.find(name);
    if (!conversation) throw new Error('a chat of the test is missing');
    const sender = act.by === 0 ? ann.address : partner.address;
    const frame = (sentAt = at) => ({
      ...{ id: idOf(this.#count), sender, sentAt: encodeTime(sentAt), seq: this.#count },
      ...(act.chat === 'group'
        ? { groupId: chain.groupId, roster: { epoch: chain.state.epoch, hash: chain.state.hash ?? '' } }
        : { peer: sender === ann.address ? partner.address : ann.address }),
    });
    const receive = (content: Record<string, unknown>, sentAt = at) => {
      const body = { ...frame(sentAt), ...content } as MessageBody;
      context.transaction(() => receiveBody(this.#device, body, sentAt));
      return body;
    };
    const sent = this.#sent[act.chat];
    const target = () => {
      const body = sent[('on' in act ? act.on : 0) % Math.max(1, sent.length)];
      return body && { sender: body.sender, id: body.id, digest: digestOf(body) };
    };
    const { conversations, timelines } = context;
    if (act.is === 'text')
      sent.push(
        receive({ kind: 'text', text: act.text, ...(act.expires !== null && { expires: act.expires }) }),
      );
    else if (act.is === 'late') sent.push(receive({ kind: 'text', text: act.text }, at - 5 * MINUTE));
    else if (act.is === 'file') {
      const bytes = new Uint8Array(32).fill(this.#count);
      const file = {
        key: encodeBase64Url(bytes),
        digest: encodeBase64Url(bytes),
        size: act.size,
        mediaType: 'image/jpeg',
        name: act.name,
      };
      sent.push(receive({ kind: 'attachment', files: [file] }));
    } else if (act.is === 'unsent')
      context.transaction(() =>
        context.messages.insert({
          conversationId: conversation.id,
          sender: ann.address,
          uid: Buffer.from(idOf(this.#count), 'base64url'),
          body: {
            ...frame(),
            sender: ann.address,
            ...(act.chat === 'group' ? {} : { peer: partner.address }),
            kind: 'text',
            text: act.text,
          } as MessageBody,
          sentAt: at,
          storedAt: at,
          state: 'queued',
          trust: 'self',
          seq: this.#count,
          deviceId: DEVICE,
        }),
      );
    else if (act.is === 'read') {
      const upTo = timelines.readUpTo(
        conversation.id,
        timelines.lastId(conversation.id) ?? 0,
        conversation.lastReadId,
      );
      conversations.markRead(conversation.id, upTo, timelines.countReceivedAfter(conversation.id, upTo));
    } else if (act.is === 'mark') {
      if (act.mark !== 'blocked' || act.chat === 'cat')
        context.own.mark(act.mark, name, act.value ? true : null);
    } else if (act.is === 'nickname') {
      if (act.chat !== 'group') context.own.mark('nickname', name, act.name);
    } else if (act.is === 'draft') conversations.saveDraft(conversation.id, act.text);
    else if (act.is === 'timer') {
      if (act.chat !== 'group') receive({ kind: 'timer', seconds: act.seconds });
    } else {
      const ref = target();
      if (!ref) return;
      if (act.is === 'reaction') receive({ kind: 'reaction', target: ref, emoji: act.emoji });
      if (act.is === 'edit') receive({ kind: 'edit', target: ref, text: act.text });
      if (act.is === 'delete') receive({ kind: 'delete', targets: [ref] });
      if (act.is === 'pin') receive({ kind: 'pin', target: ref, pinned: act.pinned });
    }
  }
}

/** All records of a cache, parsed again as after their storage: those of people, and messages by number. */
export function recordsOf(context: Context): HistoryRecord[] {
  const reader = new HistoryReader(context);
  const { first, last } = context.historyRows.ends();
  const records = [[reader.account()], ...reader.people(), ...reader.messages(first, last + 1)].flat();
  return records.map((record) => HistoryRecord.parse(JSON.parse(JSON.stringify(record))));
}

/** Merges records in pages of a few. @param source the own device that sent them; null for a file */
export function mergeInto(
  context: Context,
  records: readonly HistoryRecord[],
  rules: MergeRules = OWN_HISTORY,
  source: string | null = null,
): HistoryMerge {
  const account = records.find((record) => record.type === 'account');
  const merge = new HistoryMerge(
    context,
    ann.address,
    numberingFor(context, account?.lastArrival ?? 0),
    rules,
    source,
  );
  for (let at = 0; at < records.length; at += 7) merge.merge(records.slice(at, at + 7));
  return merge;
}

/** The visible content of a history, without the numbers of one cache. */
export function seenIn(context: Context): unknown {
  const reader = new HistoryReader(context);
  const withoutNumbers = (record: HistoryRecord): object => {
    const { arrival, place, ...rest } = { arrival: 0, place: 0, ...record };
    return {
      ...rest,
      ...('lastArrival' in rest && { lastArrival: 0, at: 0 }),
      ...('readUpTo' in rest && { readUpTo: 0 }),
    };
  };
  const chats = context.conversations.list().toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return {
    // Conversations are read in the order of their creation, which a merge does not repeat.
    people: [...reader.people()].flat().map(withoutNumbers).toSorted(byText),
    chats: chats.map(({ id, name, unread, last, lastReadId }) => ({
      ...{ name, unread, last: last?.body },
      timeline: timelineOf(reader, id).map(withoutNumbers),
      firstUnread: context.timelines.firstReceivedAfter(id, lastReadId) !== null,
      links: context.links
        .list(id, { messageId: Number.MAX_SAFE_INTEGER, place: 0 }, 100)
        .map(({ href }) => href),
      files: context.files.list(id, true, Number.MAX_SAFE_INTEGER, 100).length,
    })),
    ends: context.lifetimes.next(),
  };
}

function byText(a: object, b: object): number {
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1;
}

function timelineOf(reader: HistoryReader, conversationId: number): HistoryRecord[] {
  const all: HistoryRecord[] = [];
  for (
    let page = reader.timeline(conversationId, null);
    page.next;
    page = reader.timeline(conversationId, page.next)
  )
    all.push(...page.records);
  return all;
}
