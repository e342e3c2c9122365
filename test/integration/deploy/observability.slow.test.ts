/**
 * The dashboard and the alert rules name metrics, routes and codes that a relay has.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { API_PREFIX, ENDPOINTS } from '../../../src/protocol/endpoints.ts';
import { PROBLEMS } from '../../../src/protocol/problems.ts';
import { temporaryFolder } from '../../support/engine.ts';
import { TestRelay } from '../../support/relay.ts';
import { metricsOf, startShipped } from '../../support/shipped-relay.ts';

const fileOf = (name: string) =>
  fileURLToPath(new URL(`../../../deploy/observability/${name}`, import.meta.url));
const RULES = fileOf('alerts.yml');
const DASHBOARD = fileOf('grafana-dashboard.json');
const PROMTOOL = 'promtool';

interface Dashboard {
  panels: { title: string; targets: { expr: string }[] }[];
}

/** All expressions of the dashboard and of the rules: a key followed by a text, possibly on several lines. */
function expressions(): string[] {
  const { panels } = JSON.parse(readFileSync(DASHBOARD, 'utf8')) as Dashboard;
  const rules = readFileSync(RULES, 'utf8')
    .split(/^ {6}- alert:/m)
    .slice(1);
  const ofRules = rules.map((rule) => /^ {8}expr:(.*?)^ {8}\w+:/ms.exec(rule)?.[1] ?? '');
  return [...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)), ...ofRules];
}

/** Every metric name of a relay, those of histograms in all their forms. */
async function metricNames(): Promise<Set<string>> {
  await using relay = await new TestRelay({ metrics: { port: 0 } }).start();
  await relay.call('getRelay');
  const text = await (await fetch(`http://127.0.0.1:${relay.running.metricsPort}/metrics`)).text();
  const types = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)];
  return new Set(
    types.flatMap(([, name = '', type]) =>
      type === 'histogram' ? [name, `${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ),
  );
}

const named = (pattern: RegExp) =>
  expressions().flatMap((text) => [...text.matchAll(pattern)].map(([, name]) => name));

test('each metric that the dashboard or a rule names exists', async () => {
  const known = await metricNames();
  const all = named(/\b((?:waxwing|nodejs|process)_\w+)/g);
  expect(all.length).toBeGreaterThanOrEqual(25);
  expect(all.filter((name = '') => !known.has(name))).toEqual([]);
  for (const text of expressions()) expect(text).toMatch(/\b(?:(?:waxwing|nodejs|process)_\w+|up\{)/);
  // Every metric of the relay is used in a dashboard or an alert.
  const own = [...known].filter(
    // Of a histogram, its buckets.
    (name) => name.startsWith('waxwing_') && !/_(?:sum|count)$/.test(name) && !known.has(`${name}_bucket`),
  );
  expect(own.filter((name) => !all.includes(name))).toEqual([]);
});

test.runIf(process.platform === 'linux').each(['unit', 'image'] as const)(
  'a relay started as the %s starts it has a figure for each metric of its process that a rule or the dashboard names',
  async (shipped) => {
    using folder = temporaryFolder();
    await using relay = startShipped(shipped, realpathSync(folder.path));
    const text = await metricsOf(relay);
    const figures = new Map(
      [...text.matchAll(/^(process_\w+) (\S+)$/gm)].map(([, name, value]) => [name, Number(value)]),
    );
    const wanted = new Set(named(/\b(process_\w+)/g));
    expect(wanted).toContain('process_max_fds');
    for (const name of wanted) expect(figures.get(name), name).toBeGreaterThan(0);
  },
);

test('each route and code that the dashboard or a rule selects exists', () => {
  const routes = new Set(Object.values(ENDPOINTS).map(({ path }) => API_PREFIX + path));
  expect(named(/route="([^"]*)"/g).filter((route = '') => !routes.has(route))).toEqual([]);
  const codes = named(/code="([^"]*)"/g);
  expect(codes.length).toBeGreaterThan(0);
  expect(codes.filter((code = '') => !Object.hasOwn(PROBLEMS, code))).toEqual([]);
});

const isThere = spawnSync(PROMTOOL, ['--version']).status === 0;
if (!isThere) console.warn('The alert rules are not checked by promtool: it is not installed.');

test.skipIf(!isThere)('promtool accepts the rules', () => {
  const { status, stdout, stderr } = spawnSync(PROMTOOL, ['check', 'rules', RULES], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toContain('SUCCESS: 11 rules found');
});
