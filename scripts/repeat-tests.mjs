/**
 * `npm run test:repeat -- 10 [--busy] [--slow] [--all] [suite…]`: runs the tests many times and counts the failures of each test.
 *
 *   --busy    with as many busy processes beside the tests as the machine has cores
 *   --slow    with a slow bridge in the tests of components: calls, answers and events are late, by another seed in each run
 *   --all     with the slow tests
 *
 * Exits with 1 if any run failed.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { countFailures } from './outcomes.mjs';
import { environment, root } from './project.mjs';
import { run } from './run.mjs';
import { setUp } from './setup.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    busy: { type: 'boolean', default: false },
    slow: { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
  },
});
const [count = '', ...suites] = positionals;
const times = Number(count);
if (!Number.isInteger(times) || times < 1) {
  process.stderr.write(
    'Give the number of runs: npm run test:repeat -- 10 [--busy] [--slow] [--all] [suite…]\n',
  );
  process.exit(2);
}
setUp();

/** Starts processes that compute without end. They end with this process. */
function startBusyProcesses() {
  const children = Array.from({ length: availableParallelism() }, () =>
    spawn(
      process.execPath,
      [
        '-e',
        'process.stdin.on("end", () => process.exit()).resume(); (function spin() { const end = Date.now() + 50; while (Date.now() < end); setImmediate(spin); })()',
      ],
      {
        stdio: ['pipe', 'ignore', 'ignore'],
      },
    ),
  );
  return () => {
    for (const child of children) child.kill('SIGKILL');
  };
}

const folder = mkdtempSync(join(tmpdir(), 'waxwing-repeat-'));
const stopBusy = values.busy ? startBusyProcesses() : () => undefined;
const outcomes = [];
try {
  for (let index = 0; index < times; index++) {
    process.stdout.write(`\nRun ${index + 1} of ${times}\n`);
    const file = join(folder, `${index}.json`);
    const args = [...(values.all ? ['--all'] : []), ...suites, '--report', file];
    const env = values.slow ? { ...environment, WAXWING_SLOW_BRIDGE: String(index + 1) } : environment;
    const code = await run('node', [join(root, 'scripts/test.mjs'), ...args], { env });
    if (existsSync(file)) outcomes.push(JSON.parse(readFileSync(file, 'utf8')));
    else
      outcomes.push({
        passed: 0,
        skipped: 0,
        failures: [{ name: 'the run', why: `It ended with ${code} and left no report.` }],
      });
  }
} finally {
  stopBusy();
  rmSync(folder, { recursive: true, force: true });
}

const failures = countFailures(outcomes);
process.stdout.write(
  `\n${times} runs, ${outcomes.filter((each) => each.failures.length > 0).length} with failures\n`,
);
for (const { name, count: failed, why } of failures) {
  process.stdout.write(`\n${failed} of ${times}: ${name}\n${why}\n`);
}
process.exitCode = failures.length > 0 ? 1 : 0;
