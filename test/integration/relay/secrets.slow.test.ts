/**
 * Secrets of a relay: none is in its files, and it makes no outgoing call.
 */

import dgram from 'node:dgram';
import dns from 'node:dns';
import { readdirSync, readFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import type { Endpoint } from '../../../src/protocol/endpoints/endpoint.ts';
import { ENDPOINTS, type EndpointName } from '../../../src/protocol/endpoints.ts';
import { RECIPES } from '../../support/fuzz/recipes.ts';
import { Connection, encodeDraft, jsonOf } from '../../support/fuzz/request.ts';
import { newSession, newWorld } from '../../support/fuzz/world.ts';
import { ROOMY_QUOTAS, ROOMY_RATES } from '../../support/rates.ts';
import { TestRelay } from '../../support/relay.ts';
import { quickPassword, TestRoster } from '../../support/relay-rosters.ts';

afterEach(() => vi.restoreAllMocks());

const OPTIONS = { limits: { rates: ROOMY_RATES, quotas: ROOMY_QUOTAS }, memberInvitations: true };

/** Makes each call of the table once, with success. Returns all credentials that occurred. */
async function callEverything(relay: TestRelay): Promise<string[]> {
  const connection = new Connection(relay.running.port);
  const world = await newWorld(relay);
  const ann = world.resident(0);
  const tokens = world.groups.flatMap(({ token, extraTokens }) => [token, ...extraTokens]);
  const keys = world.residents.flatMap(({ apiKey, person }) => [apiKey, person.token]);
  const texts = [...keys, ...tokens.map(({ secret }) => secret)];
  try {
    for (const [name, endpoint] of Object.entries(ENDPOINTS) as [EndpointName, Endpoint][]) {
      const draft = await RECIPES[name](world, ann, () => 0);
      const session = await newSession(ann.person);
      const answer = await connection.send(encodeDraft(endpoint, draft, draft.token ?? session));
      expect(endpoint.statuses, `${name}: ${answer.text}`).toContain(answer.status);
      world.learn(name, ann, draft.params ?? {}, jsonOf(answer));
      texts.push(answer.text, session);
    }
  } finally {
    connection.close();
  }
  return texts;
}

test('C17: no secret of a credential and no password is in any file of the relay, in any form', async () => {
  await using relay = await new TestRelay(OPTIONS).start();
  const texts = await callEverything(relay);
  const secrets = [...new Set(texts.join('\n').match(/(?:ses|sk_live|gtk_live|inv)_[A-Za-z0-9_-]{43}/g))];
  expect(secrets.length).toBeGreaterThan(40);
  await TestRoster.begin((await newWorld(relay)).resident(0).person, { password: 'canary of a password' });
  const { passwordProof } = quickPassword('canary of a password');
  const files = readdirSync(relay.folder.path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name)));
  const bytes = Buffer.concat(files);
  // Control: the search finds ids of credentials and the prefixes of secrets in lists.
  expect(bytes.includes('sk_live_')).toBe(true);
  for (const secret of [...secrets, passwordProof]) {
    const random = Buffer.from(secret.slice(-43), 'base64url');
    const forms = [
      Buffer.from(secret),
      Buffer.from(secret.slice(-43)),
      random,
      Buffer.from(random.toString('hex')),
      Buffer.from(Buffer.from(secret).toString('hex')),
      Buffer.from(Buffer.from(secret).toString('base64').slice(0, 40)),
    ];
    expect(forms.findIndex((form) => bytes.includes(form))).toBe(-1);
  }
});

test('a relay makes no outgoing call, for any request', async () => {
  await using relay = await new TestRelay(OPTIONS).start();
  const connect = vi.spyOn(Socket.prototype, 'connect');
  const others = [
    vi.spyOn(dns, 'lookup'),
    vi.spyOn(dns, 'resolve'),
    vi.spyOn(dns.promises, 'lookup'),
    vi.spyOn(dns.promises, 'resolve'),
    vi.spyOn(dgram.Socket.prototype, 'send'),
    vi.spyOn(dgram.Socket.prototype, 'connect'),
  ];
  await callEverything(relay);
  for (const path of ['/', '/openapi.json', '/healthz', '/readyz', '/nothing']) await relay.fetch(path);
  // The calls of this test itself, which are all to the relay.
  expect(connect).toHaveBeenCalled();
  for (const [first] of connect.mock.calls) {
    const { host, port } = [first].flat()[0] as { host?: string; port?: number | string };
    expect(`${host}:${port}`).toBe(`127.0.0.1:${relay.running.port}`);
  }
  for (const other of others) expect(other).not.toHaveBeenCalled();
});
