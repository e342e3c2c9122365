/** A chart of ratios: bars for each as a share of its goal, and a line at the goal. Plain SVG, readable on light and dark pages. */
import { isReached } from './compare.mjs';

const WIDTH = 720;
/** Heights of the name of a ratio, and of a bar with the space below it. */
const NAME = 26;
const ROW = 18;
const BAR = 14;
/** The goal is at this place, so that bars beyond it are seen. */
const GOAL_AT = 480;

/**
 * @param {string} title
 * @param {{ name: string, goal: object, values: ({ median: number } | undefined)[] }[]} ratios with goals, and a value for each
 *   machine that has one
 * @returns {string} SVG
 */
export function chartOf(title, ratios) {
  let top = 0;
  const rows = ratios.flatMap(({ name, goal, values }) => {
    const wanted = 'atLeast' in goal ? goal.atLeast : goal.atMost;
    const sign = 'atLeast' in goal ? '≥' : '≤';
    const medians = values.flatMap((value) => value?.median ?? []);
    const texts = medians.map((median) => median.toPrecision(3)).join(', ');
    const begin = top;
    top += NAME + medians.length * ROW;
    return [
      `  <text x="0" y="${begin + 20}">${escaped(name)}: ${texts} (goal ${sign} ${wanted})</text>`,
      ...medians.map((median, index) => {
        const length = Math.max(1, Math.min(WIDTH, (median / wanted) * GOAL_AT));
        const color = isReached({ median, goal }) ? '#2f7d5b' : '#b8502e';
        return `  <rect x="0" y="${begin + NAME + index * ROW}" width="${length.toFixed(0)}" height="${BAR}" rx="3" fill="${color}"/>`;
      }),
    ];
  });
  const height = top + 8;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" font-family="system-ui, sans-serif" font-size="13" fill="#7a7a7a">
  <title>${escaped(title)}</title>
${rows.join('\n')}
  <line x1="${GOAL_AT}" y1="0" x2="${GOAL_AT}" y2="${height}" stroke="#7a7a7a" stroke-dasharray="4 4"/>
</svg>
`;
}

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
