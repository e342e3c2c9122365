/**
 * A conversation of three people with two devices each: their messages and settings, in any order, repeatedly and in part
 * too late, give the same state on all devices, also after a part of it has disappeared. The parts that judge and store are
 * the engine's own.
 */
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Delivery } from '../../../src/bridge/shapes/message.ts';
import { removeMessages } from '../../../src/engine/erasing.ts';
import { deliveriesOf } from '../../../src/engine/views/deliveries.ts';
import { toMessages } from '../../../src/engine/views/messages.ts';
import type { Ref } from '../../../src/messaging/contents/fields.ts';
import { isDirect, type MessageBody } from '../../../src/messaging/sending/outgoing.ts';
import { encodeTime } from '../../../src/protocol/encoding.ts';
import type { DirectBody, GroupBody } from '../../../src/protocol/payload.ts';
import {
  type CachedDevice,
  DEVICE,
  digestOf,
  idOf,
  openDevice,
  receiveBody,
} from '../../support/cached-device.ts';
import { LONG_TEST_LIMIT } from '../../support/limits.ts';
import { BEGINNING, DAY, RosterChain, rosterFixture } from '../../support/rosters.ts';
import { runs } from '../../support/runs.ts';

const SCHEDULES = runs({ quick: 120, all: 2_000, nightly: 20_000 });
const HOUR = 3_600_000;
const NOW = BEGINNING + 10 * DAY;
/** Current time of all devices. */
let clock = NOW;

const people = [rosterFixture('ann', 0x10), rosterFixture('ben', 0x20), rosterFixture('cat', 0x30)];
const [ann, ben, cat] = people as [(typeof people)[0], (typeof people)[0], (typeof people)[0]];
/** Ann is its owner. */
const chain = new RosterChain(people, ann)
  .add(ann, { kind: 'change', join: 'open' })
  .add(ben, { kind: 'join' })
  .add(cat, { kind: 'join' });

interface Device extends CachedDevice {
  /** The peer of a direct chat that has a timer; null for Cat. */
  peer: string | null;
}

let devices: Device[];

function newDevice(own: string): Device {
  const device = openDevice(own, chain, () => clock);
  const { contacts, conversations } = device.context;
  const peer = [ann.address, ben.address].find((address) => address !== own && own !== cat.address) ?? null;
  if (peer !== null) conversations.ensure(contacts.ensure(peer, NOW).id, 'accepted', NOW);
  return { ...device, peer };
}

beforeAll(() => {
  devices = people.flatMap(({ address }) => [newDevice(address), newDevice(address)]);
});
afterAll(() => {
  for (const { close } of devices) close();
});

type DirectFrame = Pick<DirectBody, 'id' | 'sender' | 'sentAt' | 'seq'>;

interface Saying {
  delivered: number;
  read: number;
  missing: number[];
}

/** A sent control. `on` and `by` are indexes of messages and people. */
type Act = { by: number; hours: number } & (
  | { is: 'message'; text: string; replyTo: number | null; expires: number | null }
  | { is: 'timer'; seconds: number }
  | { is: 'reaction'; on: number; emoji: string[] }
  | { is: 'edit'; on: number; text: string; isOther: boolean }
  | { is: 'delete'; on: number[] }
  | { is: 'pin'; on: number; pinned: boolean }
  | { is: 'receipts'; of: number; all: Saying[] }
);

const place = fc.nat({ max: 3 });
const by = fc.nat({ max: 2 });
// Two days: an edit may be too late, and two acts may have the same time.
const hours = fc.nat({ max: 48 });
const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      is: fc.constant('message' as const),
      by,
      hours,
      text: fc.string({ minLength: 1, maxLength: 5 }),
      replyTo: fc.option(place),
      // From before it arrives at its author's other device, until after all others were delivered.
      expires: fc.option(fc.constantFrom(30, 86_400, 3 * 86_400), { freq: 2 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      is: fc.constant('reaction' as const),
      by,
      hours,
      on: place,
      emoji: fc.uniqueArray(fc.constantFrom('👍', '❤️', '🎂'), { maxLength: 3 }),
    }),
  },
  {
    weight: 3,
    // Usually by the author: edits by others are never valid.
    arbitrary: fc.record({
      is: fc.constant('edit' as const),
      by,
      hours,
      on: place,
      text: fc.string({ minLength: 1, maxLength: 5 }),
      isOther: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      is: fc.constant('delete' as const),
      by,
      hours,
      on: fc.uniqueArray(place, { minLength: 1, maxLength: 2 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      is: fc.constant('timer' as const),
      by: fc.nat({ max: 1 }),
      hours,
      seconds: fc.constantFrom(0, 30, 3_600, 86_400),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ is: fc.constant('pin' as const), by, hours, on: place, pinned: fc.boolean() }),
  },
  {
    weight: 2,
    // Several of one person, as their order may matter. Also of unused numbers.
    arbitrary: fc.record({
      is: fc.constant('receipts' as const),
      by,
      hours,
      of: by,
      all: fc.array(
        fc.record({
          delivered: fc.nat({ max: 9 }),
          read: fc.nat({ max: 9 }),
          missing: fc.uniqueArray(fc.integer({ min: 1, max: 9 }), { maxLength: 2 }),
        }),
        { minLength: 1, maxLength: 3 },
      ),
    }),
  },
);

/** The bodies of acts: `on: n` refers to the n-th message of all, also if it is sent later. */
function bodiesOf(acts: readonly Act[]): MessageBody[] {
  const frame = ({ by: sender, hours: at }: Act, n: number) => ({
    id: idOf(n),
    sender: people[sender]?.address ?? '',
    sentAt: encodeTime(NOW - 3 * DAY + at * HOUR),
    seq: n + 1,
    groupId: chain.groupId,
    roster: { epoch: chain.state.epoch, hash: chain.state.hash ?? '' },
  });
  const messages: GroupBody[] = [];
  const refs: Ref[] = [];
  const refTo = (on: number): Ref =>
    refs[on % Math.max(refs.length, 1)] ?? { sender: ann.address, id: idOf(999), digest: idOf(999) };
  for (const [n, each] of acts.entries()) {
    if (each.is !== 'message') continue;
    const replyTo = each.replyTo === null || refs.length === 0 ? {} : { replyTo: refTo(each.replyTo) };
    const expires = each.expires === null ? {} : { expires: each.expires };
    const body: GroupBody = { ...frame(each, n), kind: 'text', text: each.text, ...replyTo, ...expires };
    messages.push(body);
    refs.push({ sender: body.sender, id: body.id, digest: digestOf(body) });
  }
  const controls = acts.flatMap((each, n): MessageBody[] => {
    if (each.is === 'message') return [];
    if (each.is === 'timer') return [timerOf(each, frame(each, n))];
    if (each.is === 'receipts') return each.of === each.by ? [] : receiptsIn(each, frame(each, n));
    const common = { ...frame(each, n), kind: each.is };
    if (each.is === 'delete') return [{ ...common, targets: each.on.map(refTo).filter(isFirst) }];
    const target = refTo(each.on);
    if (each.is === 'reaction') return [{ ...common, target, emoji: each.emoji }];
    if (each.is === 'pin') return [{ ...common, target, pinned: each.pinned }];
    return [{ ...common, sender: each.isOther ? common.sender : target.sender, target, text: each.text }];
  });
  return [...messages, ...controls];
}

/** Between Ann and Ben. */
function timerOf({ seconds }: { seconds: number }, { id, sender, sentAt, seq }: DirectFrame): DirectBody {
  const peer = sender === ann.address ? ben.address : ann.address;
  return { id, sender, sentAt, seq, peer, kind: 'timer', seconds };
}

/** Receipts of a member for another member's messages in the group, all from one device. */
function receiptsIn(
  { of, all }: Act & { is: 'receipts' },
  { sender, sentAt, seq }: DirectFrame,
): DirectBody[] {
  const upTo = (highest: number) => (highest === 0 ? {} : { [DEVICE]: highest });
  return all.map(({ delivered, read, missing }, place) => ({
    id: idOf(100 * seq + place),
    sender,
    sentAt,
    seq,
    peer: people[of]?.address ?? '',
    kind: 'receipt',
    group: chain.groupId,
    delivered: upTo(delivered),
    read: upTo(read),
    ...(missing.length > 0 && { missing: { [DEVICE]: missing } }),
  }));
}

const isFirst = (ref: Ref, place: number, all: readonly Ref[]) =>
  all.findIndex(({ id }) => id === ref.id) === place;

function arrive(device: Device, body: MessageBody): void {
  if (isDirect(body) && body.kind !== 'receipt' && device.peer === null) return;
  device.context.transaction(() => receiveBody(device, body, NOW));
}

/** The person views the chat, and messages that have expired by a time are erased. */
function passTime({ context, conversationId }: Device, to: number): void {
  const { lifetimes } = context;
  lifetimes.shown(conversationId, Number.MAX_SAFE_INTEGER, clock, clock);
  clock = to;
  removeMessages(context, lifetimes.ended(clock, 1_000));
}

/** Delivery of a message: by all receipts together, and by each. */
interface ShownDelivery {
  uid: string;
  all: Delivery;
  byPerson: [address: string, delivery: Delivery][];
}

/** Delivery of the person's own messages, as both of their devices show it. */
function deliveriesAt({ context, conversationId, own }: Device): ShownDelivery[] {
  const conversation = context.conversations.get(conversationId);
  if (!conversation) throw new Error('no conversation');
  const deliveries = deliveriesOf(context, conversation, own);
  return context.timelines
    .before(conversationId, null, 200)
    .map((row) => ({
      uid: row.uid,
      all: deliveries.of(row),
      byPerson: [...(deliveries.byPerson(row) ?? [])].sort(),
    }))
    .sort((a, b) => (a.uid < b.uid ? -1 : 1));
}

/** The visible state of the conversation, without the counters of each device. */
function stateOf({ context, conversationId }: Device): unknown[] {
  const conversation = context.conversations.get(conversationId);
  if (!conversation) throw new Error('no conversation');
  const rows = context.timelines.before(conversationId, null, 200);
  const views = toMessages(context, conversation, rows);
  return rows
    .map((row, index) => {
      const view = views[index];
      const reactions = view?.reactions.map(({ emoji, count, people: who }) => [
        emoji,
        count,
        who.map(({ address }) => address).sort(),
      ]);
      const quote = view?.replyTo && { is: view.replyTo.is, text: view.replyTo.summary?.text ?? null };
      const versions = context.annotations.edits(row.id);
      const { kind, text, editedAt, pinned } = view ?? {};
      const deletedBy = row.deletedBy !== null;
      return {
        uid: row.uid,
        kind,
        text,
        editedAt,
        pinned,
        deletedBy,
        quote,
        versions,
        reactions: reactions?.sort(),
      };
    })
    .sort((a, b) => (a.uid < b.uid ? -1 : 1));
}

/** State of a device that receives these, some of them a day later, and deletes them again. @param early how many at once */
function after(
  device: Device,
  given: readonly MessageBody[],
  early: number,
): { timer: unknown; rows: unknown[]; deliveries: ShownDelivery[] } {
  device.db.exec('BEGIN');
  try {
    for (const body of given.slice(0, early)) arrive(device, body);
    passTime(device, NOW + DAY + HOUR);
    for (const body of given.slice(early)) arrive(device, body);
    passTime(device, NOW + 8 * DAY);
    const { contacts } = device.context;
    const timer = device.peer && (contacts.timer(device.peer)?.seconds ?? null);
    return { timer, rows: stateOf(device), deliveries: deliveriesAt(device) };
  } finally {
    clock = NOW;
    device.db.exec('ROLLBACK');
  }
}

const schedule = fc
  .tuple(fc.array(act, { minLength: 1, maxLength: 9 }), fc.infiniteStream(fc.integer({ min: 0, max: 999 })))
  .map(([acts, chance]) => ({ acts, next: () => (chance.next().value as number) / 1_000 }));

test(`in ${SCHEDULES} schedules all six devices show the same`, { timeout: LONG_TEST_LIMIT }, async () => {
  const kinds = new Set<unknown>();
  await fc.assert(
    fc.asyncProperty(schedule, async ({ acts, next }) => {
      // The runner considers a worker without answers as dead.
      await setImmediate();
      const all = bodiesOf(acts);
      // Messages that the relay withholds from everyone; references to them wait forever.
      const sent = all.filter(() => next() > 0.1);
      const states = devices.map((device) => {
        const repeated = sent.flatMap((body) => (next() < 0.3 ? [body, body] : [body]));
        const order = repeated.map((body) => ({ body, at: next() })).sort((a, b) => a.at - b.at);
        return after(
          device,
          order.map(({ body }) => body),
          Math.floor(next() * (order.length + 1)),
        );
      });
      // Compared as texts first: most are equal.
      const first = JSON.stringify(states[0]?.rows);
      for (const { rows } of states)
        if (JSON.stringify(rows) !== first) expect(rows).toEqual(states[0]?.rows);
      for (const [n, { deliveries }] of states.entries()) {
        // Both devices of one person: others are not informed.
        expect(deliveries).toEqual(states[n - (n % 2)]?.deliveries);
        for (const { byPerson } of deliveries) for (const [, delivery] of byPerson) kinds.add(delivery);
      }
      for (const { timer } of states.slice(0, 4)) expect(timer).toBe(states[0]?.timer);
      kinds.add(`timer ${(states[0]?.timer ?? null) !== null}`);
      const left = new Set(states[0]?.rows.map((row) => (row as { uid: string }).uid));
      for (const { id, expires } of sent) {
        if (expires === undefined) continue;
        expect(left).not.toContain(id);
        kinds.add('expires true');
      }
      for (const each of states[0]?.rows ?? [])
        for (const [name, value] of Object.entries(each as object))
          kinds.add(`${name} ${isSomething(value)}`);
    }),
    { numRuns: SCHEDULES },
  );
  // The schedules reach the intended cases.
  for (const name of [
    'editedAt',
    'pinned',
    'deletedBy',
    'quote',
    'reactions',
    'versions',
    'timer',
    'expires',
  ])
    expect(kinds).toContain(`${name} true`);
  for (const delivery of ['none', 'delivered', 'read']) expect(kinds).toContain(delivery);
});

const isSomething = (value: unknown) => (Array.isArray(value) ? value.length > 0 : Boolean(value));
