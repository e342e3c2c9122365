/** The values of a run of bench/app.ts, and their places and goals in its report. */
import { median } from '../process.ts';
import { type Goal, type Report, ratios } from '../report.ts';
import { partsOf, reactAlone } from './bundle.ts';

/** Measured values of each round, by name: milliseconds, MiB, or messages a second. */
export class Rounds {
  readonly #values = new Map<string, number[]>();

  add(name: string, value: number): void {
    this.#values.set(name, [...this.of(name), value]);
  }

  of(name: string): number[] {
    return this.#values.get(name) ?? [];
  }
}

/** Numbers of messages. */
export interface Counts {
  large: number;
  small: number;
  received: number;
}

/** A ratio of two measured values, and its goal. */
type Row = [name: string, some: string, other: string, goal: Goal];
type Figure = [name: string, unit: string, value: string];

const rows = ({ large, small, received }: Counts): Row[] => [
  ['start of the process, of an empty Node process', 'process', 'node process', { atMost: 45 }],
  ['cold start to the list of chats, of an empty page', 'list', 'empty', { atMost: 30 }],
  [
    'cold start to the list of chats, of a static page with as many bytes',
    'list',
    'same bytes',
    { atMost: 18 },
  ],
  [`cold start to a chat of ${large}, of an empty page`, 'chat', 'empty', { atMost: 38 }],
  [`opening a chat of ${large}, of an empty page`, 'open large', 'empty', { atMost: 6 }],
  [`opening a chat of ${large}, of one of ${small}`, 'open large', 'open small', { atMost: 1.5 }],
  [`from key to screen in a chat of ${large}, of a bare field`, 'key app', 'key bare', { atMost: 3 }],
  [
    `work of the page for a key in a chat of ${large}, of a bare field`,
    'work app',
    'work bare',
    { atMost: 3.5 },
  ],
  [
    `receiving ${received} into the open chat, of receiving beside an empty page`,
    'rate open',
    'rate alone',
    { atLeast: 0.35 },
  ],
  [
    `longest frame while receiving ${received}, of an empty page meanwhile`,
    'frame open',
    'frame empty',
    { atMost: 20 },
  ],
  ['heap of the page with the list of chats, of an empty page', 'heap idle', 'heap empty', { atMost: 14 }],
  [
    `heap of the page after receiving ${received}, of an empty page`,
    'heap loaded',
    'heap empty',
    { atMost: 40 },
  ],
  [
    'process of the page with the list of chats, of an empty page',
    'page idle',
    'page empty',
    { atMost: 1.8 },
  ],
  [
    `process of the page after receiving ${received}, of an empty page`,
    'page loaded',
    'page empty',
    { atMost: 2.3 },
  ],
  [
    'host and engine after their start, of an empty Node process',
    'engine idle',
    'node memory',
    { atMost: 4.8 },
  ],
  [
    `host and engine after receiving ${received}, of an empty Node process`,
    'engine loaded',
    'node memory',
    { atMost: 9.5 },
  ],
];

const figures = ({ large, small, received }: Counts): Figure[] => [
  ['start of the process', 'ms', 'process'],
  ['start of an empty Node process', 'ms', 'node process'],
  ['cold start to the list of chats', 'ms', 'list'],
  [`cold start to a chat of ${large}`, 'ms', 'chat'],
  ['an empty page', 'ms', 'empty'],
  ['a static page with as many bytes', 'ms', 'same bytes'],
  [`opening a chat of ${large}`, 'ms', 'open large'],
  [`opening a chat of ${small}`, 'ms', 'open small'],
  ['from key to screen', 'ms', 'key app'],
  ['from key to screen, bare field', 'ms', 'key bare'],
  ['work of the page for a key', 'ms of processor time', 'work app'],
  ['work of the page for a key, bare field', 'ms of processor time', 'work bare'],
  [`receiving ${received} into the open chat`, 'a second', 'rate open'],
  [`receiving ${received} beside an empty page`, 'a second', 'rate alone'],
  ['longest frame while receiving', 'ms', 'frame open'],
  ['longest frame of an empty page meanwhile', 'ms', 'frame empty'],
  ['heap of the page with the list of chats', 'MiB', 'heap idle'],
  [`heap of the page after receiving ${received}`, 'MiB', 'heap loaded'],
  ['process of the page with the list of chats', 'MiB', 'page idle'],
  [`process of the page after receiving ${received}`, 'MiB', 'page loaded'],
  ['process of an empty page', 'MiB', 'page empty'],
  ['host and engine after their start', 'MiB', 'engine idle'],
  [`host and engine after receiving ${received}`, 'MiB', 'engine loaded'],
  ['an empty Node process', 'MiB', 'node memory'],
];

/** Of parts of the build, with gzip, as ratios to React alone. */
const BUDGETS: Record<string, number> = {
  'scripts of the first load': 6.5,
  'styles of the first load': 0.22,
  'emoji, loaded later': 1.4,
  'short names of emoji, loaded later': 0.27,
  'reader of QR codes, loaded later': 0.24,
  'reader of ZIP files, loaded later': 0.4,
  'all fonts': 8.5,
  'programs of Electron and all threads': 10.5,
};

/**
 * Adds all ratios and figures to a report.
 * @param out the build
 */
export async function reportAll(report: Report, rounds: Rounds, counts: Counts, out: string): Promise<void> {
  for (const [name, some, other, goal] of rows(counts)) {
    const [measured, base] = [rounds.of(some), rounds.of(other)];
    // Values without rounds in common are compared with the middle one.
    const values =
      measured.length === base.length
        ? ratios(measured, base)
        : measured.map((value) => value / median(base));
    report.ratio(name, values, goal);
  }
  const react = await reactAlone();
  const parts = partsOf(out);
  for (const { name, gzip } of parts) {
    const budget = BUDGETS[name];
    if (budget === undefined) throw new Error(`The part '${name}' has no budget.`);
    report.ratio(`${name}, of React alone`, [gzip / react.gzip], { atMost: budget });
  }
  for (const [name, unit, value] of figures(counts)) report.figure(name, unit, rounds.of(value));
  for (const { name, size, gzip } of [...parts, react]) {
    report.figure(name, 'KiB', [size / 1024]);
    report.figure(`${name}, with gzip`, 'KiB', [gzip / 1024]);
  }
}
