/**
 * The log of refusals: operators search it for `request_failed`, which is a fault and never a decision of the relay.
 */
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { TestRelay } from '../../support/relay.ts';

interface Line {
  event?: string;
  route?: string;
  status?: number;
}

test('probes of a relay that is stopping are no faults in its log', async () => {
  const lines: Line[] = [];
  const logger = pino({}, { write: (line: string) => void lines.push(JSON.parse(line) as Line) });
  await using relay = await new TestRelay({ logger }).start();
  relay.running.drain();
  expect((await fetch(`${relay.url}/readyz`)).status).toBe(503);
  await relay.stop();
  expect(lines).toContainEqual(expect.objectContaining({ route: '/readyz', status: 503 }));
  expect(lines.filter(({ event }) => event === 'request_failed')).toEqual([]);
});
