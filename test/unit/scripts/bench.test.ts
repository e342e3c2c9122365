/** The comparison of benchmarks with the last report, and the report. */
import { expect, test } from 'vitest';
// @ts-expect-error: a script of plain JavaScript
import { worsened } from '../../../scripts/bench/compare.mjs';
// @ts-expect-error: a script of plain JavaScript
import { generation } from '../../../scripts/bench/machine.mjs';
// @ts-expect-error: a script of plain JavaScript
import { pageOf } from '../../../scripts/bench/page.mjs';
// @ts-expect-error: a script of plain JavaScript
import { lastOn, withResult } from '../../../scripts/bench/results.mjs';

const ratio = (name: string, median: number, goal: object | null = null, unit: string | null = null) => ({
  ...{ name, unit, median, goal, isLessBetter: goal !== null && 'atMost' in goal },
  ...{ least: median, most: median },
});

test('a ratio that is worse by more than a tenth is reported, where more and where less is better', () => {
  const before = [
    ratio('send', 0.3, { atLeast: 0.3 }),
    ratio('index', 1.2, { atMost: 1.5 }),
    ratio('open', 0.5),
    ratio('same', 0.5),
    ratio('time', 100, null, 'ms'),
    { ...ratio('memory', 0.5), isLessBetter: true },
    { ...ratio('wait', 0.5), isLessBetter: true },
  ];
  const after = [
    ratio('send', 0.26, { atLeast: 0.3 }),
    ratio('index', 1.4, { atMost: 1.5 }),
    ratio('open', 0.4),
    ratio('same', 0.46),
    ratio('time', 900, null, 'ms'),
    { ...ratio('memory', 0.6), isLessBetter: true },
    { ...ratio('wait', 0.3), isLessBetter: true },
    ratio('new', 0.1),
  ];
  expect(worsened(before, after).map(({ ratio }: { ratio: string }) => ratio)).toEqual([
    'send',
    'index',
    'open',
    'memory',
  ]);
  expect(worsened(after, before).map(({ ratio }: { ratio: string }) => ratio)).toEqual(['wait']);
});

test('processors of one name are distinguished by family and model', () => {
  const info = 'processor\t: 0\ncpu family\t: 26\nmodel\t\t: 2\nmodel name\t: AMD EPYC\nstepping\t: 1\n';
  expect(generation(info)).toBe(' (family 26, model 2)');
  expect(generation('')).toBe('');
  expect(generation('Processor\t: ARMv7\n')).toBe('');
});

const result = (processors: string, measured: object[]) => ({
  ...{ title: 'A <b> & more', processors, machine: `${processors}, linux`, date: '2026-11-26' },
  measured,
});

test('the report marks a missed goal, and its chart has no markup of a title', () => {
  const measured = [ratio('reached', 0.4, { atLeast: 0.3 }), ratio('small', 0.1, { atLeast: 0.3 })];
  const { page, charts } = pageOf({ sealing: [result('a processor', measured)] });
  expect(page).toContain('- a processor, linux, measured on 2026-11-26');
  expect(page).toContain('| reached | **0.4** | at least 0.3 |');
  expect(page).toContain('| small | **0.1**, missed | at least 0.3 |');
  expect(charts.map(([name]: [string]) => name)).toEqual(['sealing']);
  expect(charts[0]?.[1]).toContain('<title>A &lt;b&gt; &amp; more</title>');
});

test('the report has a column for each kind of processors, also without an older figure', () => {
  const newer = result('new', [ratio('send', 0.4, { atLeast: 0.3 }), ratio('added', 0.5)]);
  const older = result('old', [ratio('send', 0.2, { atLeast: 0.3 }), ratio('removed', 0.5)]);
  const { page, charts } = pageOf({ sending: [newer, older] });
  expect(page).toContain('| | new | old | goal |');
  expect(page).toContain('| send | **0.4** | **0.2**, missed | at least 0.3 |');
  expect(page).toContain('| added | **0.5** |  |  |');
  expect(page).not.toContain('removed');
  expect(charts[0]?.[1].match(/<rect /g)).toHaveLength(2);
});

test('results of other processors are kept, and only those of the same ones are compared', () => {
  const all = ['one', 'two', 'one'].map((processors, index) =>
    result(processors, [ratio('send', index + 1)]),
  );
  const results = all.reduce((before, each) => withResult(before, 'sending', each), {});
  expect(results).toEqual({ sending: [all[2], all[1]] });
  expect(lastOn(results, 'sending', 'two')).toBe(all[1]);
  expect(lastOn(results, 'sending', 'three')).toBeUndefined();
  expect(lastOn(results, 'sealing', 'two')).toBeUndefined();
});

test('the report has at most three kinds of processors: the last ones', () => {
  const results = ['one', 'two', 'three', 'four'].reduce(
    (before, processors) => withResult(before, 'sending', result(processors, [])),
    {} as Record<string, { processors: string }[]>,
  );
  expect(results.sending?.map(({ processors }) => processors)).toEqual(['four', 'three', 'two']);
});
