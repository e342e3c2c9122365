import { expect, test } from 'vitest';
import { Passwords } from '../../../src/relay/passwords.ts';

/** An account that has asked for nothing yet. */
let accounts = 0;
const someone = () => ++accounts;

/** For who has a turn, and when: hashes that take some ten milliseconds. */
const withTurns = (now?: () => number) => new Passwords(now, { N: 2 ** 11, r: 8, p: 3 });

test('a password is verified, whichever way its letters were composed', async () => {
  const passwords = new Passwords();
  const stored = await passwords.hash('caf\u00e9', someone());
  expect(stored).toMatch(/^scrypt\$32768\$8\$3\$[\w-]{22}\$[\w-]{43}$/);
  expect(await passwords.verify('cafe\u0301', stored, someone())).toBe(true);
  expect(await passwords.verify('cafe', stored, someone())).toBe(false);
  expect(await passwords.verify('café', null, someone())).toBe(false);
});

test('two hashes of one password differ', async () => {
  const passwords = new Passwords();
  expect(await passwords.hash('same', someone())).not.toBe(await passwords.hash('same', someone()));
});

test('two are checked at a time, 32 wait, more are turned away, and then it goes on', async () => {
  const passwords = withTurns();
  const stored = await passwords.hash('right', someone());
  const outcomes = await Promise.allSettled(
    Array.from({ length: 40 }, () => passwords.verify('x', stored, someone())),
  );
  const refused = outcomes.filter(({ status }) => status === 'rejected');
  expect(refused).toHaveLength(6);
  expect(refused[0]).toMatchObject({ reason: { code: 'unavailable', status: 503 } });
  expect(await passwords.verify('right', stored, someone())).toBe(true);
});

test('one account has two turns at once and so many in the long run, and takes none from others', async () => {
  const passwords = withTurns();
  const [eve, ann] = [someone(), someone()];
  const stored = await passwords.hash('right', ann);
  const ask = (count: number) =>
    Promise.allSettled(Array.from({ length: count }, () => passwords.verify('x', null, eve)));
  const asked = ask(10);
  expect(await passwords.verify('right', stored, ann)).toBe(true);
  const outcomes = await asked;
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  expect(outcomes.at(-1)).toMatchObject({ reason: { code: 'rate_limited', retryAfter: 1 } });
  let checked = 0;
  for (let round = 0; round < 30; round++) {
    const pair = await ask(2);
    checked += pair.filter(({ status }) => status === 'fulfilled').length;
  }
  expect(checked).toBeGreaterThan(20);
  expect(checked).toBeLessThan(60);
  expect(await passwords.verify('right', stored, ann)).toBe(true);
});

test('passwords for a hundred ids that were made up cost one hash, and hold up no other', async () => {
  const passwords = withTurns();
  const stored = await passwords.hash('right', someone());
  const before = passwords.hashes;
  const atNothing: Promise<boolean>[] = [];
  for (let round = 0; round < 10; round++) {
    for (let count = 0; count < 10; count++) atNothing.push(passwords.verify('x', null, someone()));
    await new Promise(setImmediate);
  }
  expect(await passwords.verify('right', stored, someone())).toBe(true);
  expect(await Promise.all(atNothing)).toEqual(Array(100).fill(false));
  expect(passwords.hashes - before).toBe(1);
});

test('many accounts that guess all the time never keep away one that comes with the right password', {
  timeout: 180_000,
}, async () => {
  const passwords = withTurns(() => 0);
  const stored = await passwords.hash('right', someone());
  const crowd = Array.from({ length: 40 }, someone);
  await Promise.all(crowd.slice(0, 30).map((account) => passwords.verify('x', null, account)));
  await Promise.all(crowd.slice(30).map((account) => passwords.verify('x', null, account)));
  const guesses = Promise.allSettled(crowd.map((account) => passwords.verify('x', stored, account)));
  const before = passwords.hashes;
  expect(await passwords.verify('right', stored, someone())).toBe(true);
  // Those that ran when it came, and those that began while it ran: not the 32 that waited.
  expect(passwords.hashes - before).toBeLessThan(20);
  const outcomes = await guesses;
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(7);
});

test('where there is nothing to compare with, the answer takes as long', async () => {
  const passwords = new Passwords();
  const stored = await passwords.hash('right', someone());
  const times = { wrong: 0, nothing: 0 };
  for (let round = 0; round < 6; round++) {
    for (const [kind, hash] of [
      ['wrong', stored],
      ['nothing', null],
    ] as const) {
      const began = performance.now();
      expect(await passwords.verify('x', hash, someone())).toBe(false);
      times[kind] += performance.now() - began;
    }
  }
  expect(times.nothing / times.wrong).toBeGreaterThan(1 / 3);
  expect(times.nothing / times.wrong).toBeLessThan(3);
});

test('those who come after all others keep nobody waiting, and make no more hashes at once', async () => {
  const passwords = withTurns();
  const stored = await passwords.hash('right', someone());
  const before = passwords.hashes;
  const ended: string[] = [];
  const ask = (name: string, late: number | null) =>
    passwords.verify('right', stored, someone(), late).then(
      () => ended.push(name),
      () => ended.push(`${name} is turned away`),
    );
  const crowd = Array.from({ length: 34 }, () => ask('guesser', 0.2));
  const others = [ask('newcomer', 1), ask('other', null)];
  await Promise.all([...crowd, ...others]);
  expect(passwords.hashes - before).toBe(34);
  const names = ended.filter((name) => !name.endsWith('away'));
  expect(ended.filter((name) => name === 'guesser is turned away')).toHaveLength(2);
  // Those that ran when they came, and those that began while they ran, two at a time: not the 32 that waited.
  expect(names.indexOf('other')).toBeLessThan(20);
  expect(names.indexOf('newcomer')).toBeLessThan(20);
});
