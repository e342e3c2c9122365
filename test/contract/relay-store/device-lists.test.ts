/**
 * Limits on the device lists of an account per day, on both engines.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LISTS_A_DAY, RETURNED_LISTS_A_DAY } from '../../../src/protocol/figures.ts';
import { NOW, newMember, type OpenStore, openStore } from '../../support/relay-store.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let open: OpenStore;
beforeAll(async () => {
  open = await openStore();
});
afterAll(() => open[Symbol.asyncDispose]());

/** An account with one list, and a function that publishes the next one. */
async function newPublisher() {
  const ann = await newMember(open.store);
  let last = 1;
  return async (issued: number, now = NOW) => {
    const outcome = await open.store.publishDevices({
      account: ann.account,
      session: ann.id('first'),
      deviceList: ann.list(['phone'], last + 1, issued),
      after: last,
      sealKeys: [],
      now,
    });
    if (outcome.status === 'published') last++;
    return outcome;
  };
}

test('an account publishes twenty new lists in a day, and the next when the first of them is a day old', async () => {
  const publish = await newPublisher();
  for (let count = 1; count < LISTS_A_DAY; count++)
    expect(await publish(NOW + count * HOUR, NOW + count * HOUR)).toMatchObject({ status: 'published' });
  const later = NOW + 23 * HOUR;
  expect(await publish(later, later)).toEqual({ status: 'too_many_lists', wait: HOUR });
  expect(await publish(NOW + DAY, NOW + DAY)).toMatchObject({ status: 'published' });
  expect(await publish(NOW + DAY, NOW + DAY)).toEqual({ status: 'too_many_lists', wait: HOUR });
});

test('two hundred earlier lists are accepted again in a day, in addition to new ones, and more a day later', async () => {
  const publish = await newPublisher();
  const earlier = NOW - 25 * HOUR;
  for (let count = 0; count < RETURNED_LISTS_A_DAY; count++)
    expect(await publish(earlier)).toMatchObject({ status: 'published' });
  expect(await publish(earlier, NOW + HOUR)).toEqual({ status: 'too_many_lists', wait: 23 * HOUR });
  expect(await publish(NOW)).toMatchObject({ status: 'published' });
  expect(await publish(earlier, NOW + DAY)).toMatchObject({ status: 'published' });
});

test('lists that are dated just less than a day back count as new ones', async () => {
  const publish = await newPublisher();
  let published = 0;
  for (let count = 0; count < LISTS_A_DAY + 5; count++) {
    const now = NOW + count * 100;
    if ((await publish(now - DAY + 50, now)).status === 'published') published++;
  }
  // Its first list is one of them.
  expect(published).toBe(LISTS_A_DAY - 1);
});
