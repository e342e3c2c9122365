/** The report of the benchmarks: docs/benchmarks.md and its charts. */
import { chartOf } from './chart.mjs';
import { isReached } from './compare.mjs';

const INTRODUCTION = `# Benchmarks

Made by \`npm run bench\`. Ratios count: each is to something measured in the same run on the same machine, in turns with it. Absolute
figures are of that machine only. Each value is the median of the rounds, with the least and the greatest. A benchmark that ran on
several kinds of processors has a column for each, the last one first.
`;

/**
 * @param {import('./results.mjs').Results} results
 * @returns {{ page: string, charts: [name: string, svg: string][] }}
 */
export function pageOf(results) {
  const charts = [];
  const sections = Object.entries(results).map(([name, ofMachines]) => {
    const [{ title, measured }] = ofMachines;
    const rows = measured.map((each) => ({
      ...each,
      values: ofMachines.map((result) => valueIn(result, each)),
    }));
    const withGoal = rows.filter(({ unit, goal }) => unit === null && goal !== null);
    if (withGoal.length > 0) charts.push([name, chartOf(title, withGoal)]);
    const chart = withGoal.length > 0 ? `\n![Ratios and goals of ${name}](benchmarks/${name}.svg)\n` : '';
    const machines = ofMachines.map(({ machine, date }) => `- ${machine}, measured on ${date}`);
    return `## ${name}

${title}. Source: [bench/${name}.ts](../bench/${name}.ts).

${machines.join('\n')}
${chart}
| | ${ofMachines.map(({ processors }) => processors).join(' | ')} | goal |
| --- | ${ofMachines.map(() => '---:').join(' | ')} | --- |
${rows.map(rowOf).join('\n')}
`;
  });
  return { page: `${INTRODUCTION}\n${sections.join('\n')}`, charts };
}

/** The same ratio or figure in a result; undefined if that has none. */
function valueIn({ measured }, { name, unit }) {
  return measured.find((other) => other.name === name && other.unit === unit);
}

function rowOf({ name, values, goal }) {
  const cells = values.map((value) => (value ? cellOf(value, goal) : ''));
  return `| ${name} | ${cells.join(' | ')} | ${goal === null ? '' : goalText(goal)} |`;
}

function cellOf({ unit, median, least, most }, goal) {
  const value = unit === null ? `**${shown(median)}**` : `${shown(median)} ${unit}`;
  const spread = least === most ? '' : ` (${shown(least)} to ${shown(most)})`;
  return `${value}${spread}${goal === null || isReached({ median, goal }) ? '' : ', missed'}`;
}

function goalText(goal) {
  return 'atLeast' in goal ? `at least ${goal.atLeast}` : `at most ${goal.atMost}`;
}

/** Three significant digits; whole numbers from 100. */
export function shown(value) {
  return Math.abs(value) >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)));
}
