import { join } from 'node:path';
import Database from 'better-sqlite3-multiple-ciphers';
import { expect, test } from 'vitest';
import type { Envelope } from '../../../src/protocol/schemas/envelopes.ts';
import { assertDurable, openForWriting } from '../../../src/relay/store/sqlite/database.ts';
import { temporaryFolder } from '../../support/engine.ts';
import { newPerson, type Person } from '../../support/person.ts';
import { TestRelay } from '../../support/relay.ts';
import { startProcess } from '../../support/relay-child.ts';

const KILLS = 5;

/**
 * Sends until the relay is killed.
 * @param after number of stored envelopes before `kill` is called
 * @returns all envelopes answered with 201, by id
 */
async function sendUntilKilled(
  relay: TestRelay,
  { from, to, round, after }: { from: Person; to: Person; round: string; after: number },
  kill: () => void,
): Promise<Map<string, Envelope>> {
  const acknowledged = new Map<string, Envelope>();
  const sendOn = async (lane: number) => {
    for (let index = 0; ; index++) {
      const body = from.seal(to, to.device, `${round} ${lane} ${index}`);
      const response = await relay.fetch('/api/v1/envelopes', { method: 'POST', token: from.token, body });
      const answer = (await response.json()) as { id: string };
      if (response.status === 201 && acknowledged.set(answer.id, body).size === after) kill();
    }
  };
  await Promise.allSettled([0, 1, 2, 3].map(sendOn));
  return acknowledged;
}

test('every 201 survives a kill -9 at any moment, and is delivered once', async () => {
  await using relay = await new TestRelay().start();
  const [from, to] = [await newPerson(relay), await newPerson(relay)];
  const port = new URL(relay.url).port;
  await relay.stop();

  const acknowledged = new Map<string, Envelope>();
  for (let kill = 0; kill < KILLS; kill++) {
    const child = await startProcess(relay.folder.path, port);
    const round = { from, to, round: `kill ${kill}`, after: 20 + 7 * kill };
    const sent = await sendUntilKilled(relay, round, () => child.kill('SIGKILL'));
    for (const [id, body] of sent) acknowledged.set(id, body);
  }

  await relay.start();
  const statuses = new Set<number>();
  for (const body of acknowledged.values()) {
    const { status } = await relay.fetch('/api/v1/envelopes', { method: 'POST', token: from.token, body });
    statuses.add(status);
  }
  expect([...statuses]).toEqual([200]);
  const found: string[] = [];
  for (let more = true; more; ) {
    const { body } = await relay.call('getInbox', {
      token: to.token,
      query: { device: to.device.id, limit: 500 },
    });
    const ids = body.envelopes.map(({ id }) => id);
    found.push(...ids);
    if (ids.length > 0) {
      await relay.call('acknowledge', { token: to.token, body: { device: to.device.id, ids } });
    }
    more = body.more;
  }
  expect(new Set(found).size).toBe(found.length);
  expect([...acknowledged.keys()].filter((id) => !found.includes(id))).toEqual([]);
});

test('the database syncs every commit, and one that does not is refused', () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'relay.db');
  const database = openForWriting(path);
  expect(database.pragma('synchronous', { simple: true })).toBe(2);
  expect(database.pragma('journal_mode', { simple: true })).toBe('wal');
  database.pragma('synchronous = NORMAL');
  expect(() => assertDurable(database)).toThrow('does not sync every commit');
  database.close();
});

test('a database of a newer version stays unchanged, and the relay reports why it does not start', async () => {
  await using relay = new TestRelay();
  const database = new Database(join(relay.folder.path, 'relay.db'));
  database.pragma('user_version = 999');
  database.close();
  await expect(relay.start()).rejects.toThrow('Use a newer relay');
});

test('secrets are not in the database', async () => {
  await using relay = await new TestRelay().start();
  const person = await newPerson(relay);
  const { token } = person;
  await relay.call('putDeveloperAccess', { token, body: { enabled: true } });
  const { body: key } = await relay.call('createApiKey', { token, body: { name: 'script' } });
  await relay.stop();
  const database = new Database(join(relay.folder.path, 'relay.db'));
  const bytes = database.serialize().toString('latin1');
  database.close();
  expect(bytes).toContain(key.prefix);
  expect(bytes).not.toContain(key.secret.slice(0, 20));
  expect(bytes).not.toContain(token.slice(4));
});
