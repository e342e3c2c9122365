/** Limits of an address and of the network around it use a call of both, or of neither. */
import { expect, test } from 'vitest';
import { LocalCounters } from '../../../../src/relay/http/local-counters.ts';
import { NetworkLimit } from '../../../../src/relay/http/network-limit.ts';

const RATE = { burst: 2, perSecond: 1 };
const ADDRESS = '203.0.113.1';

test('a call that the network refuses is not counted for the address', () => {
  const limit = new NetworkLimit(new LocalCounters(() => 0), 'call', RATE);
  for (let index = 0; index < 20; index++) expect(limit.tryConsume(`203.0.113.${100 + index}`)).toBe(0);
  expect(limit.tryConsume(ADDRESS)).toBeGreaterThan(0);
  expect(limit.left(ADDRESS)).toBe(2);
});

test('a call that the database cannot count for the network is not counted for the address', async () => {
  const counters = new LocalCounters(() => 0);
  const limit = new NetworkLimit(
    {
      replicas: 1,
      delays: () => counters.delays(),
      close: () => counters.close(),
      limit(name, rate) {
        const real = counters.limit(name, rate);
        if (name === 'call') return real;
        const tryConsume = () => Promise.reject(new Error('the database is away'));
        return { name, rate, tryConsume, giveBack: () => undefined, left: (key) => real.left(key) };
      },
    },
    'call',
    RATE,
  );
  for (let index = 0; index < 3; index++)
    await expect(limit.tryConsume(ADDRESS)).rejects.toThrow('the database is away');
  expect(limit.left(ADDRESS)).toBe(2);
});
