import { setImmediate as nextTurn } from 'node:timers/promises';
import fastify from 'fastify';
import { expect, test } from 'vitest';
import type { RelayContext } from '../../../../src/relay/context.ts';
import { addFrontRoutes } from '../../../../src/relay/routes/front.ts';
import { StoreUnavailable } from '../../../../src/relay/store/records.ts';

/** The relay's own pages, with a database whose checks end when a test ends them. */
function startPages() {
  const checks: PromiseWithResolvers<void>[] = [];
  const store = {
    checkHealth() {
      const check = Promise.withResolvers<void>();
      checks.push(check);
      return check.promise;
    },
  };
  const app = fastify();
  let arrived = 0;
  app.addHook('preHandler', async () => {
    arrived += 1;
  });
  addFrontRoutes(app, () => {}, { store, drain: { hasBegun: false } } as unknown as RelayContext);
  const statuses = (calls: number) =>
    Promise.all(Array.from({ length: calls }, async () => (await app.inject({ url: '/readyz' })).statusCode));
  return { checks, statuses, arrived: () => arrived };
}

test('callers at the same time share one check of the database, and each later one gets its own', async () => {
  const { checks, statuses, arrived } = startPages();
  const first = statuses(20);
  await expect.poll(arrived).toBe(20);
  await nextTurn();
  expect(checks).toHaveLength(1);
  checks[0]?.resolve();
  expect(await first).toEqual(Array(20).fill(200));

  const second = statuses(2);
  await expect.poll(arrived).toBe(22);
  await nextTurn();
  checks[1]?.reject(new StoreUnavailable('the database is gone'));
  expect(await second).toEqual([500, 500]);
});
