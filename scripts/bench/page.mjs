/** The report of the benchmarks: docs/benchmarks.md and its charts. */
import { chartOf } from './chart.mjs';
import { isReached } from './compare.mjs';

const INTRODUCTION = `# Benchmarks

Made by \`npm run bench\`. Ratios count: each is to something measured in the same run on the same machine, in turns with it. Absolute
figures are of that machine only. Each value is the median of the rounds, with the least and the greatest.
`;

/**
 * @param {Record<string, { title: string, machine: string, date: string, measured: object[] }>} figures by benchmark
 * @returns {{ page: string, charts: [name: string, svg: string][] }}
 */
export function pageOf(figures) {
  const charts = [];
  const sections = Object.entries(figures).map(([name, { title, machine, date, measured }]) => {
    const withGoal = measured.filter(({ unit, goal }) => unit === null && goal !== null);
    if (withGoal.length > 0) charts.push([name, chartOf(title, withGoal)]);
    const chart = withGoal.length > 0 ? `\n![Ratios and goals of ${name}](benchmarks/${name}.svg)\n` : '';
    return `## ${name}

${title}. Measured on ${date}: ${machine}. Source: [bench/${name}.ts](../bench/${name}.ts).
${chart}
| | median | spread | goal |
| --- | ---: | ---: | --- |
${measured.map(rowOf).join('\n')}
`;
  });
  return { page: `${INTRODUCTION}\n${sections.join('\n')}`, charts };
}

function rowOf(each) {
  const { name, unit, median, least, most, goal } = each;
  const value = unit === null ? `**${shown(median)}**` : `${shown(median)} ${unit}`;
  const spread = least === most ? '' : `${shown(least)} to ${shown(most)}`;
  return `| ${name} | ${value} | ${spread} | ${goal === null ? '' : goalText(each)} |`;
}

function goalText(each) {
  const { goal } = each;
  const limit = 'atLeast' in goal ? `at least ${goal.atLeast}` : `at most ${goal.atMost}`;
  return isReached(each) ? limit : `${limit}: missed`;
}

/** Three significant digits; whole numbers from 100. */
export function shown(value) {
  return Math.abs(value) >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)));
}
