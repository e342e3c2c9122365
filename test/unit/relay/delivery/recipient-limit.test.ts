import { expect, test } from 'vitest';
import { RecipientLimit } from '../../../../src/relay/delivery/recipient-limit.ts';
import { rateOfOne } from '../../../../src/relay/limits/counters.ts';
import { RATE, SHARES, send } from './recipient-limit.ts';

test('an endless sender does not use up a friend’s share', () => {
  let now = 0;
  const limit = new RecipientLimit(RATE, SHARES, () => now);
  expect(send(limit, 'eve')).toBeLessThanOrEqual(250);
  for (let second = 0; second < 100; second++) {
    send(limit, 'eve');
    now += 1_000;
    expect(limit.tryConsume('ann', { from: 'ben', network: null })).toBe(0);
  }
});

test('divides the rate among relays that share a database, also when their number changes', () => {
  const counters = { replicas: 1 };
  const limit = () => new RecipientLimit(rateOfOne(RATE, counters), SHARES, () => 0);
  const begun = limit();
  const alone = send(limit(), 'eve');
  counters.replicas = 4;
  const parts = [send(limit(), 'eve'), send(begun, 'eve')];
  for (const part of parts) {
    expect(part).toBeGreaterThan(alone / 4 - 2);
    expect(part).toBeLessThanOrEqual(alone / 4 + 1);
  }
});

test('many senders of one network do not use up another’s share', () => {
  const limit = new RecipientLimit(RATE, SHARES, () => 0);
  let sent = 0;
  for (let index = 0; index < 100; index++) sent += send(limit, `eve ${index}`, 'here');
  expect(sent).toBeLessThanOrEqual(500);
  expect(send(limit, 'ben', 'elsewhere')).toBeGreaterThan(50);
});

test('leaves turns for a new sender among many networks', () => {
  let now = 0;
  const limit = new RecipientLimit(RATE, SHARES, () => now);
  for (let index = 0; index < 20; index++) send(limit, `eve ${index}`, `network ${index}`);
  now += 1_000;
  for (let index = 0; index < 20; index++) send(limit, `eve ${index}`, `network ${index}`);
  expect(limit.tryConsume('ann', { from: 'ben', network: 'home' })).toBe(0);
});

test('a refusal has the seconds until the sender’s turn', () => {
  let now = 0;
  const limit = new RecipientLimit(RATE, SHARES, () => now);
  send(limit, 'eve');
  const wait = limit.tryConsume('ann', { from: 'eve', network: null });
  expect(wait).toBeGreaterThan(0);
  now += wait * 1_000;
  expect(limit.tryConsume('ann', { from: 'eve', network: null })).toBe(0);
});

test.each([5, 8, 50, 400])('%i flooding senders never delay an occasional friend', (crowd) => {
  let now = 0;
  const limit = new RecipientLimit({ burst: 10_000, perSecond: 100 }, SHARES, () => now);
  const sent = { crowd: 0, friend: 0 };
  const pace = Math.ceil(1_200 / crowd / 10);
  for (let tenth = 0; tenth < 1_500; tenth++) {
    for (let index = 0; index < crowd; index++) {
      for (let count = 0; count < (tenth === 0 ? 10_000 : pace); count++) {
        if (limit.tryConsume('ann', { from: `eve ${index}`, network: `network ${index}` }) > 0) break;
        sent.crowd++;
      }
    }
    now += 100;
    if (tenth % 100 !== 99) continue;
    sent.friend++;
    expect(limit.tryConsume('ann', { from: 'ben', network: 'home' }), `after ${now / 1_000} s`).toBe(0);
  }
  // The recipient's rate is used, and not overdrawn.
  expect(sent.crowd + sent.friend).toBeLessThanOrEqual(10_000 + 150 * 100);
  expect(sent.crowd).toBeGreaterThan(15_000);
});

test('senders who each stay just below their share do not use up the rate of a recipient', () => {
  let now = 0;
  const limit = new RecipientLimit({ burst: 10_000, perSecond: 100 }, SHARES, () => now);
  for (let second = 0; second < 1_000; second++) {
    for (let index = 0; index < 8; index++) {
      for (let count = 0; count < 24; count++) {
        limit.tryConsume('ann', { from: `eve ${index}`, network: `network ${index}` });
      }
    }
    now += 1_000;
    if (second % 10 === 0) expect(limit.tryConsume('ann', { from: 'ben', network: 'home' })).toBe(0);
  }
});
