/** The expiry job while the clock of its computer is wrong. */
import { setImmediate } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { type ExpiryOptions, startExpiry } from '../../../src/relay/expiry.ts';
import { OWN_JOBS } from '../../../src/relay/store/jobs.ts';
import { StoppedClock } from '../../support/steady-clock.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const MONTH = 30 * 24 * HOUR;

/** A job whose store records the times by which it expired mail. */
function jobWith(clock: () => number, steady: StoppedClock) {
  const expiredBy: number[] = [];
  const logged: { event: string; ms?: number }[] = [];
  const store = {
    deleteDueAccount: async () => null,
    expireClaims: async () => false,
    findBytesToDrop: async () => [],
    async expire(now: number) {
      expiredBy.push(now);
      return false;
    },
  } as unknown as ExpiryOptions['store'];
  const expiry = startExpiry({
    store,
    jobs: OWN_JOBS,
    bytes: { sweep: async () => undefined } as unknown as ExpiryOptions['bytes'],
    waiters: {} as ExpiryOptions['waiters'],
    clock,
    steady,
    retention: MONTH,
    auditRetention: MONTH,
    log: pino({ base: null }, { write: (line: string) => logged.push(JSON.parse(line)) }),
  });
  const run = async () => {
    while (!(await expiry.run())) await setImmediate();
  };
  return { expiredBy, logged, run, [Symbol.dispose]: () => expiry.stop() };
}

test('a clock that is a month ahead for many minutes expires nothing', async () => {
  const steady = new StoppedClock();
  let ahead = 0;
  using job = jobWith(() => steady.now() + ahead, steady);
  await job.run();
  job.expiredBy.length = 0;

  ahead = MONTH;
  for (let runs = 0; runs < 30; runs++) {
    steady.pass(MINUTE);
    await job.run();
  }
  ahead = 0;
  for (let runs = 0; runs < 60; runs++) {
    steady.pass(MINUTE);
    await job.run();
  }
  expect(Math.max(...job.expiredBy)).toBeLessThan(MONTH);
});

test('after a jump of the clock the mail expires an hour later', async () => {
  const steady = new StoppedClock();
  let ahead = 0;
  using job = jobWith(() => steady.now() + ahead, steady);
  await job.run();
  job.expiredBy.length = 0;

  ahead = 8 * HOUR;
  for (let runs = 0; runs <= 60; runs++) {
    expect(job.expiredBy).toEqual([]);
    steady.pass(MINUTE);
    await job.run();
  }
  expect(job.expiredBy).toEqual([steady.now() + ahead]);
});

test('a computer that was asleep expires its mail at once', async () => {
  const steady = new StoppedClock();
  using job = jobWith(() => steady.sinceBoot(), steady);
  await job.run();
  job.expiredBy.length = 0;

  steady.sleep(8 * HOUR);
  await job.run();
  expect(job.expiredBy).toEqual([steady.sinceBoot()]);
});

test('a clock that is set while the computer is asleep expires nothing for an hour', async () => {
  const steady = new StoppedClock();
  let ahead = 0;
  using job = jobWith(() => steady.sinceBoot() + ahead, steady);
  await job.run();
  job.expiredBy.length = 0;

  steady.sleep(8 * HOUR);
  ahead = MONTH;
  await job.run();
  expect(job.expiredBy).toEqual([]);
});

test('a clock that goes back is logged once, with its size', async () => {
  const steady = new StoppedClock();
  let ahead = 0;
  using job = jobWith(() => MONTH + steady.now() + ahead, steady);
  await job.run();

  ahead = -2 * HOUR;
  for (let runs = 0; runs < 3; runs++) {
    steady.pass(MINUTE);
    await job.run();
  }
  expect(job.logged).toMatchObject([{ event: 'clock_went_back', ms: 2 * HOUR }]);
});

test('a clock that is corrected by a second is not logged', async () => {
  const steady = new StoppedClock();
  let ahead = 0;
  using job = jobWith(() => MONTH + steady.now() + ahead, steady);
  await job.run();

  ahead = -1_000;
  steady.pass(MINUTE);
  await job.run();
  expect(job.logged).toEqual([]);
});
