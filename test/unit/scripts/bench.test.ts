/** The comparison of benchmarks with the last report, and the report. */
import { expect, test } from 'vitest';
// @ts-expect-error: a script of plain JavaScript
import { worsened } from '../../../scripts/bench/compare.mjs';
// @ts-expect-error: a script of plain JavaScript
import { generation } from '../../../scripts/bench/machine.mjs';
// @ts-expect-error: a script of plain JavaScript
import { pageOf } from '../../../scripts/bench/page.mjs';

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

test('the report marks a missed goal, and its chart has no markup of a title', () => {
  const measured = [ratio('reached', 0.4, { atLeast: 0.3 }), ratio('small', 0.1, { atLeast: 0.3 })];
  const { page, charts } = pageOf({
    sealing: { title: 'A <b> & more', machine: 'a machine', date: '2026-11-26', measured },
  });
  expect(page).toContain('| reached | **0.4** |  | at least 0.3 |');
  expect(page).toContain('| small | **0.1** |  | at least 0.3: missed |');
  expect(charts.map(([name]: [string]) => name)).toEqual(['sealing']);
  expect(charts[0]?.[1]).toContain('<title>A &lt;b&gt; &amp; more</title>');
});
