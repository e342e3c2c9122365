import { beforeEach, expect, test } from 'vitest';
import { Attempts, type Guess } from '../../../../src/relay/http/attempts.ts';
import { LocalCounters } from '../../../../src/relay/http/local-counters.ts';
import { ProblemError } from '../../../../src/relay/problems/problem-error.ts';
import { retainedBytes } from '../../../support/memory.ts';

let now = 0;
let attempts = new Attempts(new LocalCounters(() => now));
beforeEach(() => {
  now = 1_000_000;
  attempts = new Attempts(new LocalCounters(() => now));
});

const HOME = '203.0.113.7';
/** A new account for each number, from a new network. */
const elsewhere = (index: number) => ({
  account: 1_000 + index,
  network: `10.${index >> 8}.${index & 255}.1`,
});

/** An allowed guess, or the seconds that it must wait. */
async function begin(guesser = { account: 1, network: HOME }, group = 'group'): Promise<Guess | number> {
  try {
    return await attempts.begin(group, guesser);
  } catch (error) {
    if (!(error instanceof ProblemError) || error.code !== 'rate_limited') throw error;
    return error.retryAfter ?? Number.NaN;
  }
}

/** Seconds that a guess must wait; 0 if it was allowed, and counted as wrong. */
async function guess(guesser = { account: 1, network: HOME }, group = 'group'): Promise<number> {
  const begun = await begin(guesser, group);
  return typeof begun === 'number' ? begun : 0;
}

/** A guess that must be allowed. */
async function allowed(guesser = { account: 1, network: HOME }): Promise<Guess> {
  const begun = await begin(guesser);
  if (typeof begun === 'number') throw new Error(`it has to wait for ${begun} s`);
  return begun;
}

test('doubles the wait for one account with each wrong guess from any network, up to an hour', async () => {
  const waits: number[] = [];
  for (let count = 0; count < 14; count++) {
    expect(await guess({ account: 1, network: `10.0.${count}.1` })).toBe(0);
    const wait = await guess({ account: 1, network: `10.1.${count}.1` });
    waits.push(wait);
    now += wait * 1000;
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 3600, 3600]);
});

test('a right guess clears the account’s wait', async () => {
  await guess();
  now += 1_000;
  await (await allowed()).right();
  expect(await guess()).toBe(0);
  expect(await guess()).toBe(1);
});

test('forgets wrong guesses after a day without one', async () => {
  for (let count = 0; count < 5; count++) {
    await guess();
    now += 60_000;
  }
  now += 24 * 3_600_000;
  await guess();
  expect(await guess()).toBe(1);
});

test('admits a new guesser at once after 10,000 guesses from 10,000 networks', async () => {
  for (let index = 0; index < 50; index++) expect(await guess(elsewhere(index))).toBe(0);
  expect(await guess()).toBe(0);
  for (let index = 50; index < 10_000; index++) await guess(elsewhere(index));
  expect(await guess({ account: 2, network: HOME })).toBe(0);
});

test('does not delay another group, or another account of the same network', async () => {
  await guess();
  expect(await guess({ account: 2, network: HOME })).toBe(0);
  expect(await guess({ account: 1, network: HOME }, 'another group')).toBe(0);
});

/** Accounts of a network make a hundred wrong guesses. All addresses of a /24 are the same network. */
async function guessFromNetwork(address: (index: number) => string): Promise<void> {
  for (let index = 0; index < 100; index++) {
    expect(await guess({ account: 10_000 + index, network: address(index) })).toBe(0);
  }
}

test('after a hundred wrong guesses, only guessing accounts wait for their network', async () => {
  await guessFromNetwork((index) => `203.0.113.${index % 7}`);
  await (await allowed({ account: 2, network: '203.0.113.99' })).right();
  now += 2_000;
  expect(await guess({ account: 10_000, network: HOME })).toBe(28);
  expect(await guess({ account: 10_000, network: '198.51.100.1' })).toBe(0);
  now += 28_000;
  expect(await guess({ account: 10_001, network: HOME })).toBe(0);
  expect(await guess({ account: 10_002, network: HOME })).toBe(30);
});

test('right guesses return exactly their part of the network’s budget', async () => {
  await guessFromNetwork(() => HOME);
  for (let index = 0; index < 10; index++)
    await (await allowed({ account: 20_000 + index, network: HOME })).right();
  now += 1_000;
  expect(await guess({ account: 10_000, network: HOME })).toBe(29);
});

test('does not count right guesses for the network', async () => {
  for (let index = 0; index < 500; index++) {
    await (await allowed({ account: 10_000 + index, network: HOME })).right();
  }
  expect(await guess()).toBe(0);
});

test('counts accounts on the relay’s machine only for themselves', async () => {
  for (let index = 0; index < 500; index++) {
    expect(await guess({ account: 10_000 + index, network: '127.0.0.1' })).toBe(0);
  }
});

test('bounds the stored guesses', async () => {
  for (let index = 0; index < 50_000; index++) await guess(undefined, `group ${index}`);
  const before = retainedBytes();
  for (let index = 50_000; index < 150_000; index++) await guess(undefined, `group ${index}`);
  expect(retainedBytes() - before).toBeLessThan(64 * 1024 * 1024);
});
