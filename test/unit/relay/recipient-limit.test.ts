import { expect, test } from 'vitest';
import { RecipientLimit } from '../../../src/relay/delivery/recipient-limit.ts';

const RATE = { burst: 1_000, perSecond: 10 };
const SHARES = { sender: 1 / 4, network: 1 / 2 };

/** How many envelopes to Ann one sender can send in a row. */
function send(limit: RecipientLimit, from: string, network: string | null = null): number {
  let sent = 0;
  while (limit.tryTake('ann', { from, network }) === 0) sent++;
  return sent;
}

test('one sender who never stops does not take the turn of a friend', () => {
  let now = 0;
  const limit = new RecipientLimit(RATE, SHARES, () => now);
  expect(send(limit, 'eve')).toBeLessThanOrEqual(250);
  for (let second = 0; second < 100; second++) {
    send(limit, 'eve');
    now += 1_000;
    expect(limit.tryTake('ann', { from: 'ben', network: null })).toBe(0);
  }
});

test('many senders of one network do not take the turn of another', () => {
  const limit = new RecipientLimit(RATE, SHARES, () => 0);
  let sent = 0;
  for (let index = 0; index < 100; index++) sent += send(limit, `eve ${index}`, 'here');
  expect(sent).toBeLessThanOrEqual(500);
  expect(send(limit, 'ben', 'elsewhere')).toBeGreaterThan(50);
});

test('of many senders from many networks some turns are left for one who has sent nothing', () => {
  let now = 0;
  const limit = new RecipientLimit(RATE, SHARES, () => now);
  for (let index = 0; index < 20; index++) send(limit, `eve ${index}`, `network ${index}`);
  now += 1_000;
  for (let index = 0; index < 20; index++) send(limit, `eve ${index}`, `network ${index}`);
  expect(limit.tryTake('ann', { from: 'ben', network: 'home' })).toBe(0);
});

test('a refusal says after how many seconds it is the sender’s turn', () => {
  let now = 0;
  const limit = new RecipientLimit(RATE, SHARES, () => now);
  send(limit, 'eve');
  const wait = limit.tryTake('ann', { from: 'eve', network: null });
  expect(wait).toBeGreaterThan(0);
  now += wait * 1_000;
  expect(limit.tryTake('ann', { from: 'eve', network: null })).toBe(0);
});
