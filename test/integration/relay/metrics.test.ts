import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { API_PREFIX, ENDPOINTS } from '../../../src/protocol/endpoints.ts';
import { PROBLEMS } from '../../../src/protocol/problems.ts';
import { apiKeyOf, newPerson, Person } from '../../support/person.ts';
import { ROOMY_RATES } from '../../support/rates.ts';
import { TestRelay } from '../../support/relay.ts';
import { TestRoster } from '../../support/relay-rosters.ts';
import { storedFiles, TestBlob, uploadBlob } from '../../support/test-blob.ts';

const lines: string[] = [];
const relay = new TestRelay({
  metrics: { port: 0 },
  trustedProxies: ['127.0.0.1'],
  logger: pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) }),
});
beforeAll(() => relay.start());
afterAll(() => relay[Symbol.asyncDispose]());

async function scrape(): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${relay.running.metricsPort}/metrics`);
  expect(response.headers.get('content-type')).toContain('text/plain');
  return response.text();
}

interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

function samplesOf(metrics: string): Sample[] {
  return metrics.split('\n').flatMap((line) => {
    const [, name = '', labels = '', value] = /^([a-z_0-9]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (value === undefined) return [];
    const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, key = '', text = '']) => [key, text]);
    return [{ name, labels: Object.fromEntries(pairs) as Record<string, string>, value: Number(value) }];
  });
}

async function total(name: string, labels: Record<string, string> = {}): Promise<number> {
  const fitting = samplesOf(await scrape()).filter(
    (sample) =>
      sample.name === name && Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
  );
  return fitting.reduce((sum, sample) => sum + sample.value, 0);
}

/** Increase of a metric during an action. */
async function rise(act: () => Promise<unknown>, name: string, labels = {}): Promise<number> {
  const before = await total(name, labels);
  await act();
  await new Promise((resolve) => setImmediate(resolve));
  return (await total(name, labels)) - before;
}

test('envelopes are counted by outcome', async () => {
  const [from, to] = [await newPerson(relay), await newPerson(relay)];
  const { token } = from;
  const envelope = from.seal(to, to.device, 'hello');
  const send = (body: object) => relay.fetch('/api/v1/envelopes', { method: 'POST', token, body });
  const name = 'waxwing_envelopes_total';
  const bytes = Buffer.from(envelope.ciphertext, 'base64url').length;
  expect(await rise(() => send(envelope), 'waxwing_envelope_bytes_total')).toBe(bytes);
  expect(await rise(() => send(envelope), name, { outcome: 'duplicate' })).toBe(1);
  const stranger = { ...envelope, recipientDeviceKey: from.device.sealKeyText };
  expect(await rise(() => send(stranger), name, { outcome: 'unknown_device' })).toBe(1);
  const plain = { ...envelope, text: 'hello' };
  expect(await rise(() => send(plain), name, { outcome: 'plaintext_rejected' })).toBe(1);
  const batch = { envelopes: [from.seal(to, to.device, 'one'), from.seal(to, to.device, 'two'), plain] };
  expect(await rise(() => send(batch), name, { outcome: 'accepted' })).toBe(2);
  expect(await rise(() => send(batch), name, { outcome: 'plaintext_rejected' })).toBe(1);

  const ids = (await to.inbox()).map(({ id }) => id);
  const body = { device: to.device.id, ids };
  const acknowledge = () => relay.call('acknowledge', { token: to.token, body });
  expect(await rise(acknowledge, 'waxwing_acknowledged_total')).toBe(3);
  expect(await rise(acknowledge, 'waxwing_acknowledged_total')).toBe(0);
});

test('copies of group posts are counted too', async () => {
  const [ann, ben] = [await newPerson(relay), await newPerson(relay)];
  const { params } = await TestRoster.begin(ann, {}, [ben]);
  const { asRequest: _, ...copy } = ann.seal(ben, ben.device, 'to all');
  const post = (envelopes: object[]) =>
    relay.fetch(`/api/v1/groups/${params.id}/envelopes`, {
      method: 'POST',
      token: ann.token,
      body: { envelopes },
    });
  const name = 'waxwing_envelopes_total';
  expect(await rise(() => post([copy]), name, { outcome: 'accepted' })).toBe(1);
  const outsider = await newPerson(relay);
  const { asRequest: __, ...wrong } = ann.seal(outsider, outsider.device, 'to nobody here');
  expect(await rise(() => post([wrong]), name, { outcome: 'not_a_member' })).toBe(1);
  expect(await rise(() => post([{ ...copy, text: 'x' }]), name, { outcome: 'plaintext_rejected' })).toBe(1);
});

test('requests are counted by route, method and class of status; invalid HTTP is counted too', async () => {
  const requests = 'waxwing_http_requests_total';
  const route = '/api/v1/handles/:handle';
  const query = () => relay.fetch('/api/v1/handles/nobody');
  expect(await rise(query, requests, { route, method: 'GET', status: '4xx' })).toBe(1);
  expect(await rise(query, 'waxwing_http_problems_total', { code: 'unauthorized' })).toBe(1);
  expect(await rise(query, 'waxwing_http_request_duration_seconds_count', { route })).toBe(1);
  const garbage = () => {
    const socket = connect(relay.running.port, '127.0.0.1');
    socket.end('no http\r\n\r\n');
    return text(socket);
  };
  expect(await rise(garbage, 'waxwing_http_malformed_total')).toBe(1);
});

test('open polls, commits, the database and the process have gauges', async () => {
  const person = await newPerson(relay);
  const openPoll = person.inbox(person.device, 1);
  await expect.poll(() => total('waxwing_held_polls')).toBe(1);
  await openPoll;
  expect(await total('waxwing_held_polls')).toBe(0);
  expect(await rise(() => person.login(), 'waxwing_commits_total')).toBeGreaterThanOrEqual(2);
  expect(await total('waxwing_database_bytes')).toBeGreaterThan(4096);
  expect(await total('waxwing_write_queue_bytes')).toBe(0);
  expect(await total('process_resident_memory_bytes')).toBeGreaterThan(1e7);
  expect(samplesOf(await scrape()).map(({ name }) => name)).toContain('nodejs_eventloop_lag_p99_seconds');
});

test('a limited call is counted as such', async () => {
  await using strict = await new TestRelay({
    metrics: { port: 0 },
    limits: { rates: { ...ROOMY_RATES, address: { burst: 1, perSecond: 0.001 } } },
  }).start();
  await strict.call('getRelay');
  await strict.refuse('rate_limited', 'getRelay');
  const metrics = await (await fetch(`http://127.0.0.1:${strict.running.metricsPort}/metrics`)).text();
  expect(metrics).toContain('waxwing_http_problems_total{code="rate_limited"} 1');
});

test('metrics have a separate port with nothing else', async () => {
  await using plain = await new TestRelay().start();
  expect(plain.running.metricsPort).toBeNull();
  expect((await fetch(`${relay.url}/metrics`)).status).toBe(404);
  const origin = `http://127.0.0.1:${relay.running.metricsPort}`;
  expect((await fetch(`${origin}/api/v1`)).status).toBe(404);
  expect((await fetch(`${origin}/metrics`, { method: 'POST' })).status).toBe(405);
});

test('two relays in one process count separately', async () => {
  await using other = await new TestRelay({ metrics: { port: 0 } }).start();
  const metrics = await (await fetch(`http://127.0.0.1:${other.running.metricsPort}/metrics`)).text();
  expect(metrics).not.toContain('waxwing_http_requests_total{');
});

/** Inserts a unique marker in each place that a caller can fill. Returns all markers. */
async function leaveMarks(): Promise<string[]> {
  const person = await newPerson(relay);
  const { token } = person;
  const words = ['canaryhandle', 'CanaryName', 'CanaryGroup', 'CanaryAbout', 'CanaryPassword', 'CanaryBot'];
  const [handle = '', displayName = '', name = '', description = '', password = '', bot = ''] = words;
  await relay.call('putHandle', { token, body: { handle } });
  await relay.call('putProfile', { token, body: { displayName } });
  const apiKey = await apiKeyOf(person, { name: 'CanaryKey' });
  const group = await TestRoster.begin(person, { name, description, password });
  const groupToken = await group.createToken(bot);
  await relay.call('getHandle', { token: apiKey, params: { handle } });
  await relay.call('searchHandles', { token: apiKey, query: { q: 'canaryhan' } });
  await relay.call('getKeys', { token: apiKey, params: { address: person.address } });
  await relay.call('getGroup', { token: groupToken, params: group.params });
  const envelope = person.seal(person, person.device, 'CanaryText');
  await relay.call('sendEnvelopes', { token: apiKey, body: envelope });
  await person.inbox();
  const [blob, missing] = [await uploadBlob(relay, token), new TestBlob()];
  await relay.refuse('not_found', 'getBlob', { token, params: missing.params });
  // The folder of its bytes is now a file: the relay fails, and logs it.
  const blobs = join(relay.folder.path, 'blobs');
  const [stored = ''] = storedFiles(relay);
  rmSync(blobs, { recursive: true });
  writeFileSync(blobs, '');
  await relay.refuse('unavailable', 'getBlob', { token, params: blob.params });
  await relay.fetch('/api/v1/canarypath?canaryquery=1', { method: 'DELETE', token: 'sk_live_CanarySecret' });
  await relay.fetch('/api/v1/envelopes', { method: 'POST', token, body: { text: 'CanaryPlain' } });
  await relay.fetch('/api/v1/auth/challenge', { method: 'POST', body: '{"CanaryBroken' });
  await fetch(`${relay.url}/api/v1/handles/canaryhandle`, {
    headers: {
      authorization: 'CanaryScheme',
      'user-agent': 'CanaryAgent',
      cookie: 'CanaryCookie',
      'x-forwarded-for': '203.0.113.77',
    },
  });
  const stranger = new Person(relay);
  await relay.refuse('not_found', 'getKeys', { token, params: { address: stranger.address } });
  return [
    ...words,
    ...['canary', 'Canary', '203.0.113.77'],
    ...[token, apiKey, groupToken, group.id, person.address, stranger.address],
    ...[blob.id, missing.id, relay.folder.path, stored.split('/')[2] ?? ''],
    ...[person.device.id, person.device.sealKeyText, envelope.ciphertext, envelope.nonce],
  ];
}

describe('after a caller has used everything', () => {
  let marks: string[] = [];
  beforeAll(async () => {
    marks = await leaveMarks();
  });

  test('nothing of a caller is in the metrics or in the log', async () => {
    const metrics = await scrape();
    const log = lines.join('');
    for (const mark of marks) {
      expect(metrics).not.toContain(mark);
      expect(log).not.toContain(mark);
    }
    // Requests are labelled by their template, and addresses by their network.
    expect(log).toContain('"route":"/api/v1/handles/:handle"');
    expect(log).toContain('"network":"203.0.113.0/24"');
  });

  test('the names and values of labels are known in advance', async () => {
    const samples = samplesOf(await scrape());
    const labels: Record<string, string[]> = {};
    for (const { name, labels: found } of samples) {
      if (!name.startsWith('waxwing_') || name.includes('_seconds_')) continue;
      labels[name] = Object.keys(found);
    }
    expect(labels).toMatchInlineSnapshot(`
      {
        "waxwing_acknowledged_total": [],
        "waxwing_blob_bytes_total": [
          "direction",
        ],
        "waxwing_blob_transfers": [],
        "waxwing_blobs_bytes": [],
        "waxwing_commits_total": [],
        "waxwing_database_bytes": [],
        "waxwing_envelope_bytes_total": [],
        "waxwing_envelopes_total": [
          "outcome",
        ],
        "waxwing_flush_envelopes_bucket": [
          "le",
        ],
        "waxwing_flush_envelopes_count": [],
        "waxwing_flush_envelopes_sum": [],
        "waxwing_held_polls": [],
        "waxwing_http_malformed_total": [],
        "waxwing_http_problems_total": [
          "code",
        ],
        "waxwing_http_requests_total": [
          "route",
          "method",
          "status",
        ],
        "waxwing_write_queue_bytes": [],
      }
    `);

    const templates = Object.values(ENDPOINTS).map(({ path }) => API_PREFIX + path);
    const ours = samples.filter(({ name }) => name.startsWith('waxwing_'));
    const valuesOf = (label: string) => new Set(ours.flatMap(({ labels: found }) => found[label] ?? []));
    expect([...templates, 'none']).toEqual(expect.arrayContaining([...valuesOf('route')]));
    expect(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'none']).toEqual(
      expect.arrayContaining([...valuesOf('method')]),
    );
    expect(['2xx', '4xx', '5xx']).toEqual(expect.arrayContaining([...valuesOf('status')]));
    expect(Object.keys(PROBLEMS)).toEqual(expect.arrayContaining([...valuesOf('code')]));
  });
});

test('each metric is explained to operators', async () => {
  const page = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8');
  const names = [...(await scrape()).matchAll(/^# TYPE (waxwing_\w+)/gm)].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(8);
  for (const name of names) expect(page).toContain(`\`${name}\``);
});

test('each request is one line: caller, route, outcome, duration', async () => {
  const person = await newPerson(relay);
  lines.length = 0;
  const { headers } = await relay.call('getMe', { token: person.token });
  await expect.poll(() => lines).toHaveLength(1);
  const { body: me } = await relay.call('getMe', { token: person.token });
  expect(JSON.parse(lines[0] ?? '')).toEqual({
    level: 30,
    time: expect.any(Number),
    pid: process.pid,
    hostname: expect.any(String),
    requestId: headers.get('x-request-id'),
    route: '/api/v1/me',
    method: 'GET',
    status: 200,
    ms: expect.any(Number),
    network: '127.0.0.0/24',
    credentialType: 'session',
    credentialId: me.credential.id,
    msg: 'request',
  });
});
