/**
 * Links at the relay: each is taken once, for ten minutes, and leaves nothing behind.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { decodeBase64Url, encodeBase64Url } from '../../../src/protocol/encoding.ts';
import {
  deriveLink,
  LINK_LIFE,
  MAX_LINK_BYTES,
  newLinkSecret,
  openLink,
  sealLink,
} from '../../../src/protocol/link.ts';
import { dumpDatabase } from '../../support/database-dump.ts';
import { apiKeyOf, newPerson, type Person } from '../../support/person.ts';
import { ROOMY_RATES } from '../../support/rates.ts';
import { TestRelay } from '../../support/relay.ts';

let logged = '';
const logger = pino(
  { level: 'trace' },
  new Writable({
    write(chunk, _encoding, done) {
      logged += chunk;
      done();
    },
  }),
);
const relay = new TestRelay({ limits: { rates: ROOMY_RATES }, logger });
let ann: Person;
beforeAll(async () => {
  await relay.start();
  ann = await newPerson(relay);
});
afterAll(() => relay[Symbol.asyncDispose]());

/** A link as an app makes it. */
function newLink(content = { relay: relay.url, secret: '11'.repeat(32) }) {
  const secret = newLinkSecret();
  const sealed = encodeBase64Url(sealLink(secret, content));
  return { secret, sealed, params: { id: deriveLink(secret).id } };
}

async function leave(person: Person, link = newLink()) {
  const { params, sealed } = link;
  const { body } = await relay.call('putLink', { token: person.token, params, body: { sealed } });
  return { ...link, expiresAt: Date.parse(body.expiresAt) };
}

test('what one app leaves another takes with the code alone, once', async () => {
  const content = { relay: relay.url, secret: 'a secret of the wallet' };
  const { secret, params, expiresAt } = await leave(ann, newLink(content));
  expect(expiresAt).toBeGreaterThan(relay.now() + LINK_LIFE - 60_000);
  expect(expiresAt).toBeLessThanOrEqual(relay.now() + LINK_LIFE);
  const { body } = await relay.call('takeLink', { params });
  expect(openLink(secret, decodeBase64Url(body.sealed))).toEqual(content);
  await relay.refuse('not_found', 'takeLink', { params });
  await relay.refuse('not_found', 'deleteLink', { token: ann.token, params });
});

test('of a hundred who ask at once, one gets it', async () => {
  const { params, sealed } = await leave(ann);
  const answers = await Promise.all(Array.from({ length: 100 }, () => relay.request('takeLink', { params })));
  const bodies = await Promise.all(answers.map((answer) => answer.text()));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 404)).toHaveLength(99);
  expect(bodies.filter((body) => body.includes(sealed))).toHaveLength(1);
});

test('after ten minutes nobody gets it, and the expiry job takes it away', async () => {
  const { params, sealed, expiresAt } = await leave(ann);
  expect(dumpDatabase(relay.folder.path)).toContain('link_id');
  relay.ahead += expiresAt - relay.now();
  await relay.refuse('not_found', 'takeLink', { params });
  await ann.login();
  await relay.refuse('not_found', 'deleteLink', { token: ann.token, params });
  // The job runs at every start.
  await relay.stop();
  await relay.start();
  await expect.poll(() => dumpDatabase(relay.folder.path)).not.toContain('link_id');
  expect(sealed).not.toBe('');
});

test('the answer does not tell whether it was never there, was taken, was cancelled or has expired', async () => {
  const [taken, cancelled, expired] = [await leave(ann), await leave(ann), await leave(ann)];
  await relay.call('takeLink', { params: taken.params });
  await relay.call('deleteLink', { token: ann.token, params: cancelled.params });
  relay.ahead += LINK_LIFE;
  const answers = new Set<string>();
  for (const { params } of [newLink(), taken, cancelled, expired]) {
    const response = await relay.request('takeLink', { params });
    const headers = [...response.headers].filter(
      ([name]) => !['date', 'x-request-id', 'ratelimit', 'content-length'].includes(name),
    );
    const body = (await response.text()).replace(/"requestId":"[^"]+"/, '');
    answers.add(JSON.stringify([response.status, headers, body]));
  }
  expect(answers.size).toBe(1);
  await ann.login();
});

test('three may wait for an account; a place is free again when one was taken, cancelled or has expired', async () => {
  const eve = await newPerson(relay);
  const [first, second] = [await leave(eve), await leave(eve), await leave(eve)];
  const { params, sealed } = newLink();
  const put = { token: eve.token, params, body: { sealed } };
  await relay.refuse('quota_reached', 'putLink', put);
  await leave(ann);
  await relay.call('takeLink', { params: first.params });
  await relay.call('putLink', put);
  await relay.refuse('quota_reached', 'putLink', { ...put, params: newLink().params });
  await relay.call('deleteLink', { token: eve.token, params: second.params });
  await leave(eve);
  relay.ahead += LINK_LIFE;
  for (const person of [eve, ann]) await person.login();
  for (let index = 0; index < 3; index++) await leave(eve);
});

test('the same link again stays as it is; another one under its id is refused, no matter who leaves it', async () => {
  const dan = await newPerson(relay);
  const eve = await newPerson(relay);
  const link = await leave(dan);
  relay.ahead += 60_000;
  expect((await leave(dan, link)).expiresAt).toBe(link.expiresAt);
  for (const token of [dan.token, eve.token]) {
    const body = { sealed: newLink().sealed };
    await relay.refuse('link_conflict', 'putLink', { token, params: link.params, body });
  }
  const sameFromEve = { token: eve.token, params: link.params, body: { sealed: link.sealed } };
  await relay.refuse('link_conflict', 'putLink', sameFromEve);
  expect((await relay.call('takeLink', { params: link.params })).body.sealed).toBe(link.sealed);
});

test('nobody else can cancel it, and no API key can leave one', async () => {
  const dan = await newPerson(relay);
  const eve = await newPerson(relay);
  const link = await leave(dan);
  await relay.refuse('not_found', 'deleteLink', { token: eve.token, params: link.params });
  const apiKey = await apiKeyOf(dan);
  const { params, sealed } = newLink();
  await relay.refuse('missing_entitlement', 'putLink', { token: apiKey, params, body: { sealed } });
  await relay.refuse('unauthorized', 'putLink', { params, body: { sealed } });
  await relay.call('takeLink', { params: link.params });
});

test('what is not exactly as it must be is refused', async () => {
  const { token } = ann;
  const { params } = newLink();
  const most = Buffer.alloc(MAX_LINK_BYTES, 1).toString('base64url');
  const tooLong = Buffer.alloc(MAX_LINK_BYTES + 1, 1).toString('base64url');
  for (const sealed of ['', tooLong, 'AAAB=', 'AAB', 'AA+/', 'A A', 7, null]) {
    await relay.refuse('invalid_request', 'putLink', { token, params, body: { sealed } });
  }
  await relay.refuse('invalid_request', 'putLink', { token, params, body: { sealed: most, code: 'ABCD' } });
  for (const id of ['AAAA', `${params.id}A`, 'A'.repeat(21).concat('B')]) {
    await relay.refuse('invalid_request', 'takeLink', { params: { id } });
  }
  const dan = await newPerson(relay);
  await relay.call('putLink', { token: dan.token, params, body: { sealed: most } });
  expect((await relay.call('takeLink', { params })).body.sealed).toBe(most);
});

test('nothing of a link is in the database after it was taken, nor ever in the log', async () => {
  const dan = await newPerson(relay);
  const before = dumpDatabase(relay.folder.path);
  const { params, sealed } = await leave(dan);
  const waiting = dumpDatabase(relay.folder.path);
  expect(waiting).not.toBe(before);
  await relay.call('takeLink', { params });
  expect(dumpDatabase(relay.folder.path)).toBe(before);
  expect(logged).toContain('/links/:id');
  expect(logged).not.toContain(params.id);
  expect(logged).not.toContain(sealed.slice(0, 20));
});

test('neither the code nor the wallet’s secret is in any file of the relay while a link waits', async () => {
  const dan = await newPerson(relay);
  const canary = { relay: relay.url, secret: 'canary of a recovery phrase' };
  const { secret, sealed } = await leave(dan, newLink(canary));
  const files = readdirSync(relay.folder.path).map((name) => readFileSync(join(relay.folder.path, name)));
  const bytes = Buffer.concat(files);
  expect(bytes.includes(Buffer.from(sealed, 'base64url'))).toBe(true);
  const { key } = deriveLink(secret);
  for (const hidden of [canary.secret, Buffer.from(secret), Buffer.from(key)]) {
    expect(bytes.includes(hidden)).toBe(false);
  }
});
