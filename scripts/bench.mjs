/**
 * `npm run bench`: runs the benchmarks in bench/, compares their ratios with those of the last report on the same kind of
 * processors, and writes docs/benchmarks.md. `npm run bench -- sealing` runs one.
 *
 *   --keep       writes no report
 *   --size N     messages of the largest history in `history`, `search`, `backup` and `large-chat`, which are the default then:
 *                bench/README.md
 *
 * Exits with 1 if a ratio is worse by more than a tenth.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { worsened } from './bench/compare.mjs';
import { processors } from './bench/machine.mjs';
import { pageOf } from './bench/page.mjs';
import { lastOn, withResult } from './bench/results.mjs';
import { environment, root } from './project.mjs';
import { run } from './run.mjs';
import { setUp } from './setup.mjs';
import { temporaryFolder } from './temporary-folder.mjs';

/** In the order of the report. bench/databases.ts compares databases of an operator, and is run by hand. */
const BENCHMARKS = [
  ...['sealing', 'files', 'relay-sends', 'held-polls', 'group-posts', 'replicas'],
  ...['backlog', 'full-chat', 'history', 'search', 'backup', 'app', 'large-chat'],
];
/** Those that take a number of messages. */
const SIZED = ['history', 'search', 'backup', 'large-chat'];
const LEAST_SIZE = 1_000;
const MOST_SIZE = 10_000_000;
const RED = '\u001b[31m';
const PLAIN = '\u001b[39m';
const docs = join(root, 'docs');
const figuresFile = join(docs, 'benchmarks', 'figures.json');

const { values: options, positionals: named } = parseArgs({
  allowPositionals: true,
  options: { keep: { type: 'boolean', default: false }, size: { type: 'string' } },
});
const { size } = options;
const possible = size === undefined ? BENCHMARKS : SIZED;
const unknown = named.filter((name) => !possible.includes(name));
if (unknown.length > 0) {
  const kind = size === undefined ? 'benchmark' : 'benchmark with a size';
  process.stderr.write(
    `There is no ${kind} called ${unknown.join(', ')}. There are: ${possible.join(', ')}.\n`,
  );
  process.exit(2);
}
if (size !== undefined && !(/^\d+$/.test(size) && size >= LEAST_SIZE && size <= MOST_SIZE)) {
  process.stderr.write(`--size is a number of messages from ${LEAST_SIZE} to ${MOST_SIZE}.\n`);
  process.exit(2);
}
setUp();

// Each of these ends the benchmark that runs.
let isStopped = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    isStopped = true;
  });
}

const folder = temporaryFolder();
const last = readJson(figuresFile) ?? {};
let results = last;
let isFailed = false;
for (const name of named.length > 0 ? named : possible) {
  process.stdout.write(`\n${name}\n`);
  const file = join(folder, `${name}.json`);
  const code = await run('node', [join(root, 'bench', `${name}.ts`), ...(size === undefined ? [] : [size])], {
    env: { ...environment, WAXWING_BENCH_REPORT: file },
  });
  if (isStopped) break;
  const result = readJson(file);
  if (code !== 0 || result === null) {
    isFailed = true;
    process.stdout.write(`${RED}The benchmark ${name} ended with ${code}.${PLAIN}\n`);
    continue;
  }
  const date = new Date().toISOString().slice(0, 10);
  results = withResult(results, name, { ...result, processors: processors(), machine: machine(), date });
  const before = lastOn(last, name, processors());
  if (!before) process.stdout.write(`Not compared: there is no report of ${processors()}.\n`);
  for (const { ratio, before: earlier, after } of worsened(before?.measured ?? [], result.measured)) {
    isFailed = true;
    process.stdout.write(
      `${RED}Worse: ${ratio}: ${earlier.toFixed(3)} before, ${after.toFixed(3)} now${PLAIN}\n`,
    );
  }
}
rmSync(folder, { recursive: true, force: true });

if (!options.keep && !isStopped) {
  const figures = Object.fromEntries(
    BENCHMARKS.flatMap((name) => (results[name] ? [[name, results[name]]] : [])),
  );
  mkdirSync(join(docs, 'benchmarks'), { recursive: true });
  writeFileSync(figuresFile, `${JSON.stringify(figures, null, 2)}\n`);
  const { page, charts } = pageOf(figures);
  writeFileSync(join(docs, 'benchmarks.md'), page);
  for (const [name, chart] of charts) writeFileSync(join(docs, 'benchmarks', `${name}.svg`), chart);
  process.stdout.write('\nThe report is in docs/benchmarks.md.\n');
}
process.exitCode = isFailed || isStopped ? 1 : 0;

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    throw error;
  }
}

function machine() {
  return `${processors()}, ${process.platform}, Node ${nodeVersion()}`;
}

/** Of the Node that runs the benchmarks, not of this script. */
function nodeVersion() {
  return JSON.parse(readFileSync(join(root, 'node_modules/node/package.json'), 'utf8')).version;
}
