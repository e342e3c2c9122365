/**
 * `npm run fuzz`: the generated tests of every test run, many more times.
 *
 *   --runs N    requests to the relay; five times as many changed envelopes. Default: 1,000,000
 *   --seed N    repeats a run: the seed that it printed
 */
import { parseArgs } from 'node:util';
import { fuzzEnvelopes, fuzzPlaintext } from './envelope-fuzz.ts';
import { fuzzRelay } from './relay-fuzz.ts';

const ENVELOPES_FOR_EACH_REQUEST = 5;

const { values } = parseArgs({ options: { runs: { type: 'string' }, seed: { type: 'string' } } });
const runs = Number(values.runs ?? 1_000_000);
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
if (!Number.isSafeInteger(runs) || runs < 1 || !Number.isSafeInteger(seed)) {
  console.error('Give whole numbers: npm run fuzz -- --runs 1000000 --seed 42');
  process.exit(2);
}

console.log(`Seed ${seed}. The same again: npm run fuzz -- --runs ${runs} --seed ${seed}`);
try {
  const begin = performance.now();
  const report = await fuzzRelay(runs, seed, (done) => {
    const seconds = (performance.now() - begin) / 1000;
    process.stderr.write(`\r${done} of ${runs} requests, ${Math.round(done / seconds)} a second `);
  });
  process.stderr.write('\n');
  console.log(
    `${report.runs} requests, ${percent(report.passedValidation / report.runs)} beyond the schemas.`,
  );
  for (const [code, times] of [...report.codes].sort(([, a], [, b]) => b - a)) {
    console.log(`  ${code.padEnd(26)} ${String(times).padStart(8)}`);
  }
  fuzzPlaintext(runs, seed);
  console.log(`${runs} texts were offered as envelopes, and none was taken.`);
  fuzzEnvelopes(runs * ENVELOPES_FOR_EACH_REQUEST, seed);
  console.log(`${runs * ENVELOPES_FOR_EACH_REQUEST} changed envelopes: none opened, nothing failed.`);
} catch (error) {
  console.error(error instanceof Error ? error.stack : error);
  if (error instanceof Error && error.cause) console.error(error.cause);
  process.exitCode = 1;
}

function percent(share: number): string {
  return `${Math.round(share * 100)}%`;
}
