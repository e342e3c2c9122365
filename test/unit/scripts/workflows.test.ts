/** The workflows run only on machines of GitHub. Their text is checked here. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import playwright from '../../../playwright.config.ts';

interface Step {
  uses?: string;
  run?: string;
  if?: string;
  shell?: string;
  with?: Record<string, string>;
  env?: Record<string, string>;
  'continue-on-error'?: unknown;
}
interface Job {
  needs?: string;
  environment?: string;
  permissions?: object;
  strategy?: { matrix: { os?: string[]; include?: { os: string; app: string }[] } };
  steps: Step[];
  'continue-on-error'?: unknown;
}

const root = fileURLToPath(new URL('../../../', import.meta.url));
const read = (path: string) => readFileSync(`${root}${path}`, 'utf8');
const files = globSync('.github/{workflows,actions/*}/*.yml', { cwd: root });
const jobsOf = (name: string): Record<string, Job> => parse(read(`.github/workflows/${name}.yml`)).jobs;
const action: { runs: { steps: Step[] } } = parse(read('.github/actions/test-electron/action.yml'));
const SYSTEMS = ['macos-latest', 'ubuntu-latest', 'windows-latest'];
const TEST_ELECTRON = './.github/actions/test-electron';

test('every action is pinned by its commit, with the version beside it, and there is one of each', () => {
  const uses = files.flatMap((file) =>
    [...read(file).matchAll(/\buses: *(.+)$/gm)].map(([, used = '']) => used),
  );
  expect(uses.length).toBeGreaterThan(8);
  const others = uses.filter((used) => !used.startsWith('./'));
  for (const used of others) expect(used).toMatch(/^actions\/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  expect(new Set(others).size).toBe(new Set(others.map((used) => used.split('@')[0])).size);
  for (const used of uses.filter((each) => each.startsWith('./')))
    expect(existsSync(`${root}${used}/action.yml`)).toBe(true);
});

test('the real Electron runs on the three systems for each pushed branch', () => {
  expect(parse(read('.github/workflows/test.yml')).on).toEqual({
    push: { branches: ['**'] },
    pull_request: null,
  });
  const { electron } = jobsOf('test');
  expect(electron?.needs).toBeUndefined();
  expect(electron?.strategy?.matrix.os?.toSorted()).toEqual(SYSTEMS);
  const step = electron?.steps.find(({ uses }) => uses === TEST_ELECTRON);
  expect(step).toMatchObject({ with: { name: expect.stringContaining('runner.os') } });
  expect(step?.with).not.toHaveProperty('app');
});

test('all tests run on Linux with each push, and the quick ones on the other systems', () => {
  const { all, test: quick } = jobsOf('test');
  expect(all).toMatchObject({ 'runs-on': 'ubuntu-latest' });
  expect(all?.steps.map(({ run }) => run)).toContain('npm run test:all');
  expect(quick?.strategy?.matrix.os?.toSorted()).toEqual(['macos-latest', 'windows-latest']);
  expect(quick?.steps.map(({ run }) => run)).toContain('npm test');
});

test('each night all tests run with more cases, the fuzzer, kills under load and the packed app', () => {
  expect(parse(read('.github/workflows/nightly.yml')).on).toHaveProperty('schedule');
  const steps = jobsOf('nightly').all?.steps ?? [];
  const commands = steps.map(({ run = '' }) => run);
  expect(commands).toEqual(
    expect.arrayContaining([
      'npm run test:all',
      'npm run fuzz',
      expect.stringMatching(/^npm run chaos -- relay/),
      'npm run test:packaged',
    ]),
  );
  expect(steps.find(({ run }) => run === 'npm run test:all')?.env).toEqual({ WAXWING_TEST_RUNS: 'nightly' });
});

test('fails without Electron, and stores the tests’ output in any case', () => {
  const { steps } = action.runs;
  const tests = steps.filter(({ run = '' }) => run.includes('npm run test:electron'));
  expect(tests).toMatchObject([{ env: { WAXWING_NEEDS_ELECTRON: '1' } }]);
  expect(tests[0]?.if).toBeUndefined();
  expect(read('scripts/test.mjs')).toContain("process.env.WAXWING_NEEDS_ELECTRON === '1'");
  const last = steps.at(-1);
  expect(last?.uses).toMatch(/^actions\/upload-artifact@/);
  expect(last).toMatchObject({ if: 'always()', with: { path: 'test-results' } });
  const { outputDir, projects = [] } = playwright;
  expect(outputDir).toBe('test-results');
  expect(projects.find(({ name }) => name === 'electron')?.use).toMatchObject({
    trace: 'on',
    screenshot: 'on',
  });
  for (const { run, shell } of steps.filter((step) => step.run !== undefined))
    expect([run, shell]).toEqual([run, 'bash']);
});

test('releases packages whose app was tested on each system', () => {
  const { package: packages, publish } = jobsOf('release');
  const { steps = [], strategy } = packages ?? {};
  expect(strategy?.matrix.include?.map(({ os }) => os).toSorted()).toEqual(SYSTEMS);
  for (const { app } of strategy?.matrix.include ?? []) expect(app).toMatch(/^dist\//);
  const made = steps.findIndex(({ run }) => run === 'npm run dist');
  const tested = steps.findIndex(({ uses }) => uses === TEST_ELECTRON);
  const kept = steps.findIndex(({ with: inputs }) => inputs?.name?.startsWith('packages-'));
  expect(made).toBeGreaterThan(-1);
  expect(tested).toBeGreaterThan(made);
  expect(kept).toBeGreaterThan(tested);
  expect(steps[tested]?.if).toBeUndefined();
  expect(steps[tested]?.with?.app).toBe(`\${{ matrix.app }}`);
  expect(publish?.needs).toBe('package');
  expect(steps.findIndex(({ run }) => run === 'npm run test:packaged')).toBeGreaterThan(-1);
  expect(steps.map(({ run = '' }) => run).join('\n')).toMatch(
    /libfuse\.so\.2[\s\S]*dist\/Waxwing-\*\.AppImage/,
  );
});

test('only one step of one approved job has the release key, and no package script runs there', () => {
  const uses = files.filter((file) => read(file).includes('secrets.WAXWING_RELEASE_KEY'));
  expect(uses.map((file) => basename(file))).toEqual(['release.yml']);
  const jobs = Object.entries(jobsOf('release'));
  const withKey = jobs.filter(([, job]) => JSON.stringify(job).includes('WAXWING_RELEASE_KEY'));
  expect(withKey.map(([name]) => name)).toEqual(['publish']);
  const [, publish] = withKey[0] ?? [];
  expect(publish).toMatchObject({ environment: 'release', permissions: { contents: 'write' } });
  const steps = publish?.steps.filter((step) => JSON.stringify(step).includes('WAXWING_RELEASE_KEY'));
  expect(steps).toMatchObject([{ run: 'node scripts/sign-release.mjs release' }]);
  const installs = publish?.steps.filter(({ run = '' }) => /\bnpm (?:ci|install)/.test(run));
  expect(installs).toMatchObject([{ run: 'npm ci --ignore-scripts' }]);
  expect(publish?.steps.find(({ uses }) => uses?.includes('/setup-node@'))).toMatchObject({
    with: { 'package-manager-cache': false },
  });
});

test('a beta version is published as a prerelease', () => {
  const step = jobsOf('release').publish?.steps.find(({ run = '' }) => run.startsWith('gh release create'));
  expect(step?.run).toMatch(/ --draft \$PRERELEASE /);
  expect(step?.env?.PRERELEASE).toBe(`\${{ contains(github.ref_name, '-') && '--prerelease' || '' }}`);
});

test('a checkout on Windows has the line endings of formatter and tests', () => {
  expect(read('.gitattributes')).toMatch(/^\* text=auto eol=lf$/m);
});

test('no step ignores failures, and every called script exists', () => {
  const { scripts } = JSON.parse(read('package.json'));
  const jobs = ['test', 'nightly', 'release'].flatMap((name) => Object.values(jobsOf(name)));
  const steps = [...jobs.flatMap((job) => job.steps), ...action.runs.steps];
  for (const each of [...jobs, ...steps]) expect(each).not.toHaveProperty('continue-on-error');
  const commands = steps.map(({ run = '' }) => run).join('\n');
  for (const [, name = ''] of commands.matchAll(/\bnpm run ([\w:]+)/g))
    expect(scripts).toHaveProperty([name]);
  for (const [, file] of commands.matchAll(/\bnode (scripts\/\S+)/g))
    expect(existsSync(`${root}${file}`)).toBe(true);
});
