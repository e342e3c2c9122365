/** A chart of ratios: a bar for each as a share of its goal, and a line at the goal. Plain SVG, readable on light and dark pages. */
import { isReached } from './compare.mjs';

const WIDTH = 720;
const ROW = 44;
const BAR = 14;
/** The goal is at this place, so that bars beyond it are seen. */
const GOAL_AT = 480;

/**
 * @param {string} title
 * @param {{ name: string, median: number, goal: object }[]} measured ratios with goals
 * @returns {string} SVG
 */
export function chartOf(title, measured) {
  const height = measured.length * ROW + 24;
  const rows = measured.map((each, index) => {
    const { name, median, goal } = each;
    const wanted = 'atLeast' in goal ? goal.atLeast : goal.atMost;
    const length = Math.max(1, Math.min(WIDTH, (median / wanted) * GOAL_AT));
    const top = index * ROW + 8;
    const sign = 'atLeast' in goal ? '≥' : '≤';
    return `  <text x="0" y="${top + 12}">${escaped(name)}: ${median.toPrecision(3)} (goal ${sign} ${wanted})</text>
  <rect x="0" y="${top + 18}" width="${length.toFixed(0)}" height="${BAR}" rx="3" fill="${isReached(each) ? '#2f7d5b' : '#b8502e'}"/>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" font-family="system-ui, sans-serif" font-size="13" fill="#7a7a7a">
  <title>${escaped(title)}</title>
${rows.join('\n')}
  <line x1="${GOAL_AT}" y1="0" x2="${GOAL_AT}" y2="${height}" stroke="#7a7a7a" stroke-dasharray="4 4"/>
</svg>
`;
}

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
