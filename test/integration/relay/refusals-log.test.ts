/**
 * The log of refusals: operators search it for `request_failed`, which is a fault and never a decision of the relay.
 */
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { MOST_FAULTS } from '../../../src/relay/http/fault-log.ts';
import { newPerson } from '../../support/person.ts';
import { TestRelay } from '../../support/relay.ts';
import { TestBlob } from '../../support/test-blob.ts';

interface Line {
  event?: string;
  route?: string;
  status?: number;
  count?: number;
}

test('callers without an account who disconnect during their body are no faults in its log', async () => {
  const lines: Line[] = [];
  const logger = pino({}, { write: (line: string) => void lines.push(JSON.parse(line) as Line) });
  await using relay = await new TestRelay({ logger }).start();
  for (let calls = 0; calls < 3; calls++) {
    const socket = connect(relay.running.port, '127.0.0.1');
    await once(socket, 'connect');
    // The answer to "Expect" shows that the relay waits for the body.
    const head = `POST /api/v1/auth/challenge HTTP/1.1\r\nHost: ${relay.domain}\r\nContent-Type: application/json\r\n`;
    socket.write(`${head}Content-Length: 100\r\nExpect: 100-continue\r\n\r\n{"address":`);
    await once(socket, 'data');
    socket.on('error', () => undefined).resetAndDestroy();
  }
  // A stop waits for the calls in progress.
  await relay.stop();
  expect(lines.filter(({ event }) => event === 'request_failed')).toEqual([]);
});

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

test('equal faults, as while the disk of files is away, do not fill its log', async () => {
  const lines: Line[] = [];
  const logger = pino({}, { write: (line: string) => void lines.push(JSON.parse(line) as Line) });
  await using relay = await new TestRelay({ logger }).start();
  const { token } = await newPerson(relay);
  const place = join(relay.folder.path, 'blobs');
  rmSync(place, { recursive: true });
  writeFileSync(place, '');
  for (let calls = 0; calls < MOST_FAULTS + 5; calls++) {
    const { params, size } = new TestBlob(1_000);
    await relay.refuse('unavailable', 'beginBlob', { token, params, body: { size } });
  }
  await relay.stop();
  expect(lines.filter(({ status }) => status === 503)).toHaveLength(MOST_FAULTS + 5);
  expect(lines.filter(({ event }) => event === 'request_failed')).toHaveLength(MOST_FAULTS);
  expect(lines).toContainEqual(expect.objectContaining({ event: 'faults_omitted', count: 5 }));
});
