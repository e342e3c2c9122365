/**
 * `npm test`: installs missing packages, then runs the checks and the quick tests. `npm test -- unit` runs the named
 * suites. `npm run test:all` adds the slow tests: files that end in .slow.test.ts or .slow.spec.ts.
 *
 *   typecheck, lint, unit, integration    need only the packages
 *   components                            Chromium, against scenes and gallery: no relay, no engine
 *   e2e                                   Chromium, against the real app
 *   packaged                              the packed app in Chromium, and the protocol on BoringSSL: only where it is named
 *   electron                              Electron, where it can run, or the packaged app in WAXWING_ELECTRON. Where
 *                                         it cannot, that is a failure with WAXWING_NEEDS_ELECTRON=1
 *
 * Two lanes of suites run side by side: one of Node and one of Chromium. Each mostly waits, and together they keep two cores
 * busy. Outputs are printed in order, not mixed.
 *
 *   --all                                 with the slow tests
 *   --report FILE                         writes the outcome as JSON: { passed, skipped, failures: [{ name, why }] }
 *
 * The end names each failed test with its reason. The last line counts all tests: N passed, N failed.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build, buildPages } from './build.mjs';
import { chromium } from './chromium.mjs';
import { electronBinary, obstacleToElectron } from './electron.mjs';
import { ofPlaywright, ofVitest } from './outcomes.mjs';
import { environment } from './project.mjs';
import { proxies } from './proxies.mjs';
import { python } from './python.mjs';
import { run } from './run.mjs';
import { secretService } from './secret-service.mjs';
import { Sections } from './sections.mjs';
import { setUp } from './setup.mjs';
import { temporaryFolder } from './temporary-folder.mjs';

/** In the order in which their outputs are printed. */
const SUITES = ['typecheck', 'lint', 'unit', 'components', 'integration', 'e2e', 'packaged', 'electron'];
/** One lane after another would leave the cores idle for almost half of the time. */
const LANES = [
  ['typecheck', 'lint', 'unit', 'integration', 'packaged'],
  ['components', 'e2e', 'electron'],
];

setUp();
const { values: options, positionals: named } = parseArgs({
  allowPositionals: true,
  options: { all: { type: 'boolean', default: false }, report: { type: 'string' } },
});
const unknown = named.filter((name) => !SUITES.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`There is no suite called ${unknown.join(', ')}. There are: ${SUITES.join(', ')}.\n`);
  process.exit(1);
}
const wanted = named.length > 0 ? named : SUITES.filter((name) => name !== 'packaged');
const folder = temporaryFolder();
const lanes = LANES.map((lane) => lane.filter((name) => wanted.includes(name))).filter(
  ({ length }) => length > 0,
);
const sections = new Sections(
  SUITES.filter((name) => wanted.includes(name)),
  lanes.length > 1 ? folder : null,
);
/** Generated cases for each property: test/support/runs.ts. */
const runsOfRing = { WAXWING_TEST_RUNS: process.env.WAXWING_TEST_RUNS ?? (options.all ? 'all' : 'quick') };
const total = { passed: 0, skipped: 0, failures: [] };

function add({ passed = 0, skipped = 0, failures = [] }) {
  total.passed += passed;
  total.skipped += skipped;
  total.failures.push(...failures);
}

/** A failure without a report: its name and output. */
const failure = (name, why) => ({ failures: [{ name, why }] });

async function check(name, command, args) {
  const code = await run(command, args, { stdio: sections.stdio(name) });
  add(
    code === 0
      ? { passed: 1 }
      : failure([command, ...args].join(' '), `It ended with ${code}. Its output is above.`),
  );
}

/** A runner that writes a report. A runner that fails while its report has no failure counts as one more failure. */
async function suite(name, command, args, env, read) {
  const file = join(folder, `${name}.json`);
  const code = await run(command, args(file), {
    stdio: sections.stdio(name),
    env: { ...environment, ...runsOfRing, TMPDIR: folder, ...env(file) },
  });
  let outcome;
  try {
    outcome = read(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    // Ended from outside, so the result is unknown.
    outcome = failure(name, 'The runner left no report.');
  }
  add(outcome);
  // Vitest reports no error that came outside of its tests.
  if (code !== 0 && outcome.failures.length === 0)
    add(failure(name, `The runner ended with ${code}, though no test failed. Its output is above.`));
}

/** The projects of a runner for this run: with --all each of them and its slow tests. */
const withSlow = (projects) =>
  options.all ? projects.flatMap((project) => [project, `${project}-slow`]) : projects;

const vitest = (name, projects, env = {}) =>
  suite(
    name,
    'vitest',
    (file) => [
      'run',
      ...projects.flatMap((project) => ['--project', project]),
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${file}`,
    ],
    () => env,
    ofVitest,
  );

const playwright = (name, project, env) =>
  suite(
    name,
    'playwright',
    () => [
      'test',
      ...withSlow([project]).map((each) => `--project=${each}`),
      '--reporter=list,json',
      '--pass-with-no-tests',
    ],
    (file) => ({ ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: file, PLAYWRIGHT_JSON_OUTPUT_NAME: file }),
    ofPlaywright,
  );

const NO_CHROMIUM = 'Chromium was not found. What was tried is said above.';

const runners = {
  async typecheck() {
    // The second covers src/renderer and src/browser-host/page, the last test/e2e.
    const projects = ['tsconfig.json', 'dev/tsconfig.json', 'test/components/tsconfig.json'];
    // Each thread of a checker would find out again what the others know: that takes three times the processor time.
    await Promise.all(
      projects.map((project) => check('typecheck', 'tsc', ['-p', project, '--singleThreaded'])),
    );
  },
  async lint() {
    await check('lint', 'biome', ['check', '--error-on-warnings']);
    await check('lint', 'knip', ['--production']);
  },
  unit: () => vitest('unit', withSlow(['unit'])),
  async components() {
    const path = chromium();
    if (path === null) return add(failure('components', NO_CHROMIUM));
    await buildPages();
    await playwright('components', 'components', { WAXWING_CHROMIUM: path });
  },
  async integration() {
    secretService();
    python();
    proxies();
    await build();
    await vitest(
      'integration',
      [...withSlow(['integration', 'postgres']), ...(options.all ? ['any-database-slow'] : [])],
      { WAXWING_BUILT_THREADS: '1' },
    );
  },
  async e2e() {
    secretService();
    const path = chromium();
    if (path === null) return add(failure('e2e', NO_CHROMIUM));
    await build();
    await playwright('e2e', 'e2e', { WAXWING_CHROMIUM: path });
  },
  async packaged() {
    const path = chromium();
    if (path === null) return add(failure('packaged', NO_CHROMIUM));
    await build();
    await vitest('packaged', ['packaged'], { WAXWING_CHROMIUM: path });
  },
  async electron() {
    const packaged = process.env.WAXWING_ELECTRON;
    if (packaged && !existsSync(packaged)) {
      return add(failure('electron', `There is no app at ${packaged}, which WAXWING_ELECTRON names.`));
    }
    const obstacle = packaged ? null : obstacleToElectron();
    if (obstacle !== null && process.env.WAXWING_NEEDS_ELECTRON === '1') {
      const why = `${obstacle.why}, and these tests need it: WAXWING_NEEDS_ELECTRON is set.`;
      return add(failure('electron', why));
    }
    if (obstacle !== null) {
      sections.write('electron', `${obstacle.why}, so the tests of the real app are skipped.\n`);
    }
    await build();
    await playwright(
      'electron',
      'electron',
      obstacle === null ? { WAXWING_ELECTRON: packaged || electronBinary() } : {},
    );
  },
};

// Each of these ends the suite that runs. The folder is removed in any case.
let isStopped = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    isStopped = true;
  });
}
async function runLane(lane) {
  for (const name of lane) {
    if (isStopped) break;
    sections.begin(name);
    await runners[name]();
    sections.end(name);
  }
}
await Promise.all(lanes.map(runLane));
sections.close();
for (const { name, why } of total.failures) process.stdout.write(`\nFailed: ${name}\n${why}\n`);
const failed = total.failures.length;
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
process.stdout.write(`\n${total.passed} passed, ${failed} failed${skipped}\n`);
if (options.report !== undefined) writeFileSync(options.report, JSON.stringify(total));
process.exitCode = failed > 0 || isStopped ? 1 : 0;
