/**
 * `npm run chaos -- relay`: relays on PostgreSQL while servers and relays are killed, for as long as one likes.
 *
 *   --failovers N          primaries that are killed; default 3
 *   --replicas-killed N    relays that are killed, 9
 *   --links-cut N          times that the links for wake-ups are cut, 3
 *   --minutes M            the least duration, 0
 *   --people N             people who write to each other, 6
 *   --seed N               repeats the same actions in the same order
 *   --revoked-within S     seconds for which a revoked credential may still work, 3
 *   --mutant NAME          relays with a fault, which has to be found; may be given several times
 */
import { parseArgs } from 'node:util';
import { PostgresPair } from '../postgres-pair.ts';
import { FAULTS, type Fault } from './ledger.ts';
import { MUTANTS, type Mutant } from './mutants.ts';
import { runChaos, USUAL } from './relay-chaos.ts';

const number = { type: 'string' } as const;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    failovers: number,
    'replicas-killed': number,
    'links-cut': number,
    minutes: number,
    people: number,
    seed: number,
    'revoked-within': number,
    mutant: { type: 'string', multiple: true },
  },
});

/** The value of an option that is a number. */
function numberOf(name: Exclude<keyof typeof values, 'mutant'>, usual: number): number {
  const value = Number(values[name] ?? usual);
  if (!Number.isFinite(value) || value < 0) fail(`Give a number for --${name}.`);
  return value;
}

function fail(sentence: string): never {
  console.error(sentence);
  process.exit(2);
}

const isMutant = (name: string): name is Mutant => Object.hasOwn(MUTANTS, name);
const mutants = values.mutant ?? [];
if (positionals.join() !== 'relay')
  fail('Say what: npm run chaos -- relay --failovers 20 --replicas-killed 60');
if (!mutants.every(isMutant)) fail(`There are these mutants: ${Object.keys(MUTANTS).join(', ')}.`);

const seed = numberOf('seed', Math.floor(Math.random() * 2 ** 31));
console.log(`Seed ${seed}`);
await using pair = await new PostgresPair().start();
const { ledger, ...report } = await runChaos(pair, {
  failovers: numberOf('failovers', USUAL.failovers),
  replicasKilled: numberOf('replicas-killed', USUAL.replicasKilled),
  linksCut: numberOf('links-cut', USUAL.linksCut),
  minutes: numberOf('minutes', USUAL.minutes),
  people: numberOf('people', USUAL.people),
  revokedWithin: numberOf('revoked-within', USUAL.revokedWithin / 1000) * 1000,
  seed,
  mutants: [mutants],
  onProgress: (done) => console.error(done),
});
const { same, other } = ledger.wakeUps;
console.log(
  `${report.failovers} failovers and ${report.replicasKilled} killed relays in ${Math.round(report.seconds)} s: ` +
    `${ledger.accepted} envelopes accepted, ${report.revoked} credentials revoked, ${ledger.probes} tries with them`,
);
console.log(`a revoked credential worked for ${Math.round(ledger.latest)} ms at most`);
console.log(
  `wake-ups: ${Math.round(same)} ms on one replica, ${Math.round(other)} ms from another, in the middle`,
);
for (const fault of Object.keys(FAULTS) as Fault[]) {
  console.log(`${String(ledger.counts[fault]).padStart(6)} ${FAULTS[fault]}`);
}
for (const example of ledger.examples) console.log(`  ${example}`);
process.exitCode = ledger.isClean ? 0 : 1;
