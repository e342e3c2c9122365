/**
 * Gaps in received messages, as traces: the accepted messages, the ends of the queue, and the results.
 */

const MINUTE = 60;
const DAY = 24 * 3_600;
const RETENTION = 30 * DAY;

/** The contents of a receipt about one device. `upTo`: null if it names no number. */
export interface GapStatement {
  from: number;
  upTo: number | null;
  missing: number[];
}

/** An event, `at` seconds after the beginning. `end` and `says` are expected results. */
export type GapEvent =
  /** A message with this number of that device was accepted. */
  | { at: number; device: string; took: number }
  /** Its author has reported that these numbers carry nothing. */
  | { at: number; device: string; skipped: number[] }
  /**
   * The queue was read to its end: the numbers to request, by device, and the devices about which the person
   * is warned.
   */
  | { at: number; end: { ask: Record<string, number[]>; reported: string[] } }
  /** The device was removed or has ended, or its owner was blocked or has left. */
  | { at: number; device: string; forgotten: true }
  /** The app begins again, with its state. */
  | { at: number; begins: true }
  /** The possible receipt for a device. */
  | { at: number; device: string; says: GapStatement };

const took = (at: number, ...numbers: number[]): GapEvent[] =>
  numbers.map((number) => ({ at, device: 'a', took: number }));
const end = (at: number, ask: number[] = [], reported: string[] = []): GapEvent => ({
  at,
  end: { ask: ask.length > 0 ? { a: ask } : {}, reported },
});
const saysFrom = (from: number, at: number, upTo: number | null, ...missing: number[]): GapEvent => ({
  at,
  device: 'a',
  says: { from, upTo, missing },
});
const says = (at: number, upTo: number | null, ...missing: number[]) => saysFrom(1, at, upTo, ...missing);
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

export function gapVectors() {
  return { retentionSeconds: RETENTION, counted: counted(), traces: traces(), answers: answers() };
}

function counted() {
  const is = (kind: string, signer: 'device' | 'bot' | null, isForOne: boolean, isCounted: boolean) => ({
    kind,
    signer,
    isForOne,
    isCounted,
  });
  return [
    is('text', 'device', false, true),
    is('delete', 'device', false, true),
    is('text', 'bot', false, false),
    is('text', null, false, false),
    is('picture', 'device', true, false),
    ...['receipt', 'hello', 'own.read', 'own.later'].map((kind) => is(kind, 'device', false, false)),
  ];
}

function traces(): { why: string; events: GapEvent[] }[] {
  const withheld = [...took(0, 1, 3), end(0), end(2 * MINUTE, [2])];
  return [
    { why: 'nothing is missing', events: [...took(0, 1, 2, 3), end(0), end(DAY), says(DAY, 3)] },
    { why: 'nothing has come', events: [end(0), end(DAY)] },
    {
      why: 'the first that comes is not the first of all',
      events: [...took(0, 7, 8), end(0), end(DAY), saysFrom(7, DAY, 8)],
    },
    {
      why: 'what is older than the first that came',
      events: [...took(0, 7), ...took(1, 5), end(2), end(DAY), saysFrom(7, DAY, 7)],
    },
    {
      why: 'what is not counted',
      events: [...took(0, 0), end(0), ...took(1, 1, 0, 2), end(DAY), says(DAY, 2)],
    },
    {
      why: 'one is withheld',
      events: [...withheld, end(DAY), end(DAY + 2 * MINUTE, [], ['a']), says(DAY + 2 * MINUTE, 3, 2)],
    },
    {
      why: 'it comes within two minutes',
      events: [...took(0, 1, 3), end(0), ...took(MINUTE, 2), end(2 * MINUTE), end(2 * DAY)],
    },
    {
      why: 'it comes after it was asked for',
      events: [...withheld, ...took(3 * MINUTE, 2), end(2 * DAY), says(2 * DAY, 3)],
    },
    {
      why: 'it comes after the missing messages were reported',
      events: [...withheld, end(2 * DAY, [], ['a']), ...took(2 * DAY + 1, 2), end(2 * DAY + 2)],
    },
    {
      why: 'its author says that there is nothing',
      events: [...withheld, { at: 3 * MINUTE, device: 'a', skipped: [2] }, end(2 * DAY), says(2 * DAY, 3)],
    },
    { why: 'what came once comes again', events: [...took(0, 1, 2, 3, 2, 1), end(0), end(DAY)] },
    {
      why: 'a computer that slept reads first',
      events: [...took(0, 1, 3), end(0), ...took(8 * 3_600, 2), end(8 * 3_600)],
    },
    {
      why: 'a computer that slept before the end of its queue waits for two minutes',
      events: [...took(0, 1, 3), end(8 * 3_600), end(8 * 3_600 + MINUTE), end(8 * 3_600 + 2 * MINUTE, [2])],
    },
    {
      why: 'the clock is set back, and the two minutes begin again',
      events: [...took(DAY, 1, 3), end(DAY), end(10), end(MINUTE), end(10 + 2 * MINUTE, [2])],
    },
    {
      why: 'a receipt ends before what may be on its way',
      events: [...took(0, 1, 2, 4), end(0), says(0, 2), ...took(1, 3), says(1, 4)],
    },
    {
      why: 'the first is followed by a gap',
      events: [
        ...took(0, 1, 5),
        end(0),
        says(0, 1),
        end(2 * MINUTE, [2, 3, 4]),
        says(2 * MINUTE, 5, 2, 3, 4),
      ],
    },
    {
      why: 'no more than twenty are asked for at a time',
      events: [
        ...took(0, 1, 43),
        end(0),
        end(2 * MINUTE, range(2, 21)),
        says(2 * MINUTE, 21, ...range(2, 21)),
        end(3 * MINUTE, range(22, 41)),
        end(4 * MINUTE, [42]),
        says(4 * MINUTE, 21, ...range(2, 21)),
      ],
    },
    {
      why: 'no more than two hundred are remembered: the highest',
      events: [
        ...took(0, 1, 1_000_000),
        end(0),
        end(2 * MINUTE, range(999_800, 999_819)),
        saysFrom(999_800, 2 * MINUTE, 999_819, ...range(999_800, 999_819)),
        { at: 3 * MINUTE, device: 'a', skipped: range(999_800, 999_999) },
        saysFrom(999_800, 4 * MINUTE, 1_000_000),
      ],
    },
    {
      why: 'after a pause longer than the relay keeps envelopes',
      events: [
        ...took(0, 1, 2),
        end(0),
        { at: RETENTION + 1, begins: true },
        ...took(RETENTION + 1, 90),
        end(RETENTION + 2),
        end(RETENTION + DAY),
        saysFrom(90, RETENTION + DAY, 90),
      ],
    },
    {
      why: 'after a pause that is shorter',
      events: [
        ...took(0, 1, 2),
        end(0),
        { at: RETENTION, begins: true },
        ...took(RETENTION, 4),
        end(RETENTION),
        end(RETENTION + 2 * MINUTE, [3]),
      ],
    },
    {
      why: 'two devices of a person count each for itself',
      events: [
        ...took(0, 1, 2),
        { at: 0, device: 'b', took: 1 },
        { at: 0, device: 'b', took: 3 },
        end(0),
        { at: 2 * MINUTE, end: { ask: { b: [2] }, reported: [] } },
        { at: 2 * MINUTE, device: 'a', says: { from: 1, upTo: 2, missing: [] } },
        { at: 2 * MINUTE, device: 'b', says: { from: 1, upTo: 3, missing: [2] } },
        { at: 2 * DAY, end: { ask: {}, reported: ['b'] } },
      ],
    },
    {
      why: 'the device is removed while something of it is missing',
      events: [...withheld, { at: DAY, device: 'a', forgotten: true }, end(2 * DAY), end(3 * DAY)],
    },
    {
      why: 'a member comes back after leaving: what went on meanwhile is not missed',
      events: [
        ...withheld,
        { at: DAY, device: 'a', forgotten: true },
        ...took(2 * DAY, 40, 41),
        end(2 * DAY),
        end(3 * DAY),
        saysFrom(40, 3 * DAY, 41),
      ],
    },
    {
      why: 'a device that was set up again has another id and counts from 1',
      events: [...took(0, 1, 2, 3), { at: 10, device: 'b', took: 1 }, end(10), end(DAY)],
    },
    {
      why: 'a device whose disk was put back counts again what it has counted',
      events: [
        ...took(0, 1, 2, 3, 4),
        end(0),
        ...took(DAY, 3, 4, 5),
        end(DAY),
        end(2 * DAY),
        says(2 * DAY, 5),
      ],
    },
  ];
}

function answers() {
  const now = '2026-11-20T20:00:00.000Z';
  const ago = (seconds: number) => new Date(Date.parse(now) - seconds * 1_000).toISOString();
  const message = (sentAt: string, more: object = {}) => ({
    sentAt,
    isForAsker: true,
    resealedAt: null,
    ...more,
  });
  const is = (
    why: string,
    asked: number[],
    sent: Record<number, object>,
    answer: { reseal: number[]; skip: number[] },
    more: object = {},
  ) => ({ why, now, retentionSeconds: RETENTION, resealed: 0, asked, sent, answer, ...more });
  const fresh = message(ago(60));
  return [
    is('it is sealed again', [2], { 2: fresh }, { reseal: [2], skip: [] }),
    is('there is no such message', [2], {}, { reseal: [], skip: [2] }),
    is(
      'it was not for the one who asks',
      [2],
      { 2: message(ago(60), { isForAsker: false }) },
      { reseal: [], skip: [2] },
    ),
    is('it is 30 days old', [2], { 2: message(ago(30 * DAY)) }, { reseal: [2], skip: [] }),
    is('it is older', [2], { 2: message(ago(30 * DAY + 1)) }, { reseal: [], skip: [2] }),
    is(
      'it is 15 days old, at a relay that keeps a day',
      [2],
      { 2: message(ago(15 * DAY)) },
      { reseal: [2], skip: [] },
      {
        retentionSeconds: DAY,
      },
    ),
    is(
      'it is older, and would be refused as a replay',
      [2],
      { 2: message(ago(15 * DAY + 1)) },
      { reseal: [], skip: [2] },
      {
        retentionSeconds: DAY,
      },
    ),
    is(
      'it was sealed again an hour ago',
      [2],
      { 2: message(ago(60), { resealedAt: ago(3_600) }) },
      { reseal: [], skip: [] },
    ),
    is(
      'it was sealed again a day ago',
      [2],
      { 2: message(ago(2 * DAY), { resealedAt: ago(DAY) }) },
      { reseal: [2], skip: [] },
    ),
    is('a number twice', [2, 2], { 2: fresh }, { reseal: [2], skip: [] }),
    is('of some there is nothing', [2, 3, 4], { 3: fresh }, { reseal: [3], skip: [2, 4] }),
    is(
      '99 were sealed again today',
      [2, 3, 4],
      { 2: fresh, 3: fresh },
      { reseal: [2], skip: [4] },
      { resealed: 99 },
    ),
    is('100 were sealed again today', [2], { 2: fresh }, { reseal: [], skip: [] }, { resealed: 100 }),
  ];
}
