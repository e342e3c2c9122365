/**
 * Relays on a primary with a synchronous standby, under load, while servers and relays are killed. Confirmed data
 * must not be lost.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../engine.ts';
import type { PostgresPair } from '../postgres-pair.ts';
import { Dice } from './dice.ts';
import { FEWEST_WAKE_UPS, Ledger } from './ledger.ts';
import { Load } from './load.ts';
import type { Mutant } from './mutants.ts';
import { Replicas } from './replicas.ts';
import { Watchers } from './watchers.ts';

/**
 * The end of a primary: it is killed; or killed after being cut off from its standby; or it returns after the
 * promotion and accepts writes for a while.
 */
const ENDS = ['killed', 'cut off', 'returning'] as const;
export type End = (typeof ENDS)[number];

export interface ChaosOptions {
  /** Number of primaries that are killed, with a promotion of their standby. */
  failovers: number;
  /** Ways to stop them; a random one is chosen each time. */
  ends: readonly End[];
  /**
   * Time for which a primary continues after it was cut off or has returned, in milliseconds. A cut-off
   * primary that still confirms a commit is stopped at once.
   */
  cutFor: number;
  /** Relays that are killed. */
  replicasKilled: number;
  /** Times that the links for wake-ups are cut. */
  linksCut: number;
  /** Repeats the same actions in the same order, but not at the same times. */
  seed: number;
  /** Minimum duration, in minutes. */
  minutes: number;
  people: number;
  replicas: number;
  /** Limit of the time that a revoked credential still works, in milliseconds. */
  revokedWithin: number;
  /** Lists of faults: the first relay has those of the first list, and so on. */
  mutants: readonly (readonly Mutant[])[];
  onProgress?: (done: string) => void;
}

export const USUAL: ChaosOptions = {
  failovers: 3,
  ends: ENDS,
  cutFor: 1_000,
  replicasKilled: 9,
  linksCut: 3,
  seed: 1,
  minutes: 0,
  people: 6,
  replicas: 3,
  revokedWithin: 3_000,
  mutants: [],
};

export interface ChaosReport {
  ledger: Ledger;
  failovers: number;
  replicasKilled: number;
  revoked: number;
  seconds: number;
}

/** The connections through which relays wake each other. */
const LINKS = "SELECT pid FROM pg_stat_activity WHERE application_name = 'waxwing hints'";
/** A pause before the next fault, in milliseconds. */
const PAUSE = 400;
/**
 * Minimum number of accepted envelopes between two faults: a fault during a standstill would test nothing.
 */
const BETWEEN = 5;

export async function runChaos(pair: PostgresPair, given: Partial<ChaosOptions>): Promise<ChaosReport> {
  const options = { ...USUAL, ...given };
  const dice = new Dice(options.seed);
  const ledger = new Ledger(options.revokedWithin);
  const { replicas: count, mutants } = options;
  await using replicas = new Replicas({ database: await pair.database(), count, dice, mutants });
  await replicas.start();
  const load = await new Load(replicas, ledger, dice).prepare(options.people);
  const watchers = await new Watchers(replicas, ledger, dice).prepare();
  const begin = performance.now();
  const running = Promise.all([load.run(), watchers.run(load)]);

  const fault = injectFaults(pair, options, { replicas, load, ledger, dice, begin });
  // A failure of the load ends the run.
  await Promise.race([fault, running]);
  watchers.end();
  load.end();
  await Promise.all([running, fault]);
  ledger.close();
  return {
    ledger,
    failovers: options.failovers,
    replicasKilled: options.replicasKilled,
    revoked: watchers.revoked,
    seconds: (performance.now() - begin) / 1000,
  };
}

/** The parts of a run that the injected faults use. */
interface Scene {
  replicas: Replicas;
  load: Load;
  ledger: Ledger;
  dice: Dice;
  /** Time of its beginning. */
  begin: number;
}

/** Kills and cuts the requested number of times, in random order, and waits until each check has a sample. */
async function injectFaults(pair: PostgresPair, options: ChaosOptions, scene: Scene): Promise<void> {
  const { replicas, ledger, dice, begin } = scene;
  const restarting: Promise<void>[] = [];
  const faults = {
    async failover() {
      const end = dice.choose(options.ends);
      if (end === 'cut off') await confirmNothing(pair, scene, options.cutFor);
      await pair.failOver();
      if (end === 'returning') {
        await pair.standby.start();
        await delay(options.cutFor);
      }
      // The former primary becomes the standby.
      await pair.rebuild();
    },
    async kill() {
      // Calls are pending at each of them.
      const alive = replicas.alive;
      if (alive.length > 0) restarting.push(replicas.kill(dice.choose(alive)));
    },
    async cut() {
      await pair.primary.query('postgres', LINKS.replace('pid', 'pg_terminate_backend(pid)'));
    },
  };
  const plan = dice.shuffle([
    ...Array<'failover'>(options.failovers).fill('failover'),
    ...Array<'kill'>(options.replicasKilled).fill('kill'),
    ...Array<'cut'>(options.linksCut).fill('cut'),
  ]);
  const end = begin + options.minutes * 60_000;
  for (const [index, fault] of plan.entries()) {
    const share = (end - performance.now()) / (plan.length - index);
    await delay(Math.max(share, PAUSE / 2 + dice.below(PAUSE)));
    const before = ledger.accepted;
    while (ledger.accepted < before + BETWEEN) await delay(20);
    await faults[fault]();
    const seconds = Math.round((performance.now() - begin) / 1000);
    options.onProgress?.(
      `${seconds} s, ${index + 1} of ${plan.length}: ${fault}, ${ledger.accepted} accepted`,
    );
  }
  await Promise.all(restarting);
  await eventually(
    () => pair.primary.query('postgres', LINKS),
    (links) => links.length === options.replicas,
  );
  ledger.isCalm = true;
  await settle(ledger, end);
}

/**
 * Waits until each check has a sample: a short run may end before a credential was revoked long enough ago.
 */
async function settle(ledger: Ledger, end: number): Promise<void> {
  const isReported = () => ledger.probes > 5 && ledger.wakeUps.count >= FEWEST_WAKE_UPS;
  while (performance.now() < end || !isReported()) await delay(100);
}

/** Cuts the standby off. From then on nothing may be confirmed, as it would be lost with the primary. */
async function confirmNothing(pair: PostgresPair, { ledger, load }: Scene, cutFor: number): Promise<void> {
  await pair.cut();
  const cutAt = performance.now();
  while (performance.now() < cutAt + cutFor && !ledger.hasAccepted(load.away, cutAt)) await delay(20);
}
