/**
 * Blobs over HTTP: begun, uploaded, finished, read, adopted, deleted; and refusals.
 */
import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PART_BYTES } from '../../../../src/protocol/blob/layout.ts';
import { decodeTime } from '../../../../src/protocol/encoding.ts';
import { apiKeyOf, newPerson, type Person } from '../../../support/person.ts';
import { ROOMY_RATES } from '../../../support/rates.ts';
import { TestRelay } from '../../../support/relay.ts';
import { TestRoster } from '../../../support/relay-rosters.ts';
import { partOf, readBlob, storedFiles, TestBlob, uploadBlob } from '../../../support/test-blob.ts';

const DAY = 24 * 3_600_000;
const MINUTE = 60_000;

const relay = new TestRelay({ limits: { rates: ROOMY_RATES } });
let ann: Person;
let ben: Person;
beforeAll(async () => {
  await relay.start();
  ann = await newPerson(relay);
  ben = await newPerson(relay);
});
afterAll(() => relay[Symbol.asyncDispose]());

const begin = (person: Person, { params, size }: TestBlob) =>
  relay.call('beginBlob', { token: person.token, params, body: { size } });

test('a blob of several parts is read as uploaded, by anyone who knows its id', async () => {
  const blob = new TestBlob(PART_BYTES + 100_000);
  const begun = await begin(ann, blob);
  expect(begun.status).toBe(201);
  expect(begun.body).toMatchObject({ partBytes: PART_BYTES, parts: [] });
  expect(decodeTime(begun.body.expiresAt) - relay.now()).toBeLessThanOrEqual(DAY);
  // The last part first: parts arrive in any order.
  await relay.call('putBlobPart', { token: ann.token, ...blob.part(1) });
  const again = await begin(ann, blob);
  expect([again.status, again.body.parts]).toEqual([200, [1]]);
  await relay.call('putBlobPart', { token: ann.token, ...blob.part(0) });
  const { body: stored } = await relay.call('completeBlob', { token: ann.token, params: blob.params });
  expect(stored.size).toBe(blob.size);
  expect(decodeTime(stored.expiresAt) - relay.now()).toBeGreaterThan(44 * DAY);

  const whole = await readBlob(relay, ben.token, blob.id);
  expect(whole.status).toBe(200);
  expect(whole.bytes.equals(blob.bytes)).toBe(true);
  expect(Object.fromEntries(whole.headers)).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-disposition': 'attachment',
    'x-content-type-options': 'nosniff',
    'accept-ranges': 'bytes',
    'cache-control': expect.stringContaining('immutable'),
  });
});

test('one range gets 206, one behind the end 416, and an invalid one the whole', async () => {
  const blob = await uploadBlob(relay, ann.token, new TestBlob(PART_BYTES + 70_000));
  const { size } = blob;
  const ranges: [string, number, number][] = [
    ['bytes=0-0', 0, 1],
    ['bytes=100-199', 100, 200],
    [`bytes=${PART_BYTES - 10}-${PART_BYTES + 9}`, PART_BYTES - 10, PART_BYTES + 10],
    [`bytes=${size - 5}-`, size - 5, size],
    ['bytes=-7', size - 7, size],
    [`bytes=${size - 2}-${size + 1_000}`, size - 2, size],
  ];
  for (const [range, start, end] of ranges) {
    const answer = await readBlob(relay, ben.token, blob.id, { range });
    expect([range, answer.status]).toEqual([range, 206]);
    expect(answer.headers.get('content-range')).toBe(`bytes ${start}-${end - 1}/${size}`);
    expect(answer.headers.get('content-length')).toBe(String(end - start));
    expect(answer.bytes.equals(blob.bytes.subarray(start, end))).toBe(true);
  }
  for (const range of [`bytes=${size}-`, 'bytes=-0', 'bytes=999999999999999-']) {
    const headers = { range };
    const { headers: refused } = await relay.refuse('range_unsatisfiable', 'getBlob', {
      token: ben.token,
      params: blob.params,
      headers,
    });
    expect(refused.get('content-range')).toBe(`bytes */${size}`);
  }
  for (const range of ['bytes=5-2', 'bytes=0-1,5-6', 'lines=0-1', 'bytes=', 'bytes=-', 'bytes=a-b']) {
    expect((await readBlob(relay, ben.token, blob.id, { range })).status).toBe(200);
  }
  const conditional = { range: 'bytes=0-9', 'if-range': '"x"' };
  expect((await readBlob(relay, ben.token, blob.id, conditional)).status).toBe(200);
});

test('HEAD returns the length without the bytes, and refuses like GET', async () => {
  const blob = await uploadBlob(relay, ann.token);
  const head = (id: string) => relay.fetch(`/api/v1/blobs/${id}`, { method: 'HEAD', token: ben.token });
  const answer = await head(blob.id);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-length')).toBe(String(blob.size));
  expect((await head(new TestBlob().id)).status).toBe(404);
});

test('unknown, unfinished and expired blobs all get 404', async () => {
  const [unknown, unfinished] = [new TestBlob(), new TestBlob()];
  await begin(ann, unfinished);
  await relay.call('putBlobPart', { token: ann.token, ...unfinished.part(0) });
  const answers = [];
  for (const { params } of [unknown, unfinished]) {
    const { body } = await relay.refuse('not_found', 'getBlob', { token: ann.token, params });
    await relay.refuse('not_found', 'adoptBlob', { token: ben.token, params });
    answers.push({ ...body, requestId: '' });
  }
  expect(answers[0]).toEqual(answers[1]);
});

test('repeating a call changes nothing', async () => {
  const blob = await uploadBlob(relay, ann.token);
  const { body: first } = await relay.call('completeBlob', { token: ann.token, params: blob.params });
  await relay.call('putBlobPart', { token: ann.token, ...blob.part(0) });
  expect((await begin(ann, blob)).body.parts).toEqual([0]);
  const { body: again } = await relay.call('completeBlob', { token: ann.token, params: blob.params });
  expect(again).toEqual(first);
  const { token } = ann;
  await relay.call('deleteBlob', { token, params: blob.params });
  await relay.call('deleteBlob', { token, params: blob.params });
  await relay.refuse('not_found', 'getBlob', { token, params: blob.params });
});

test('two simultaneous requests to finish a blob succeed', async () => {
  const blob = new TestBlob(PART_BYTES + 1);
  await begin(ann, blob);
  const puts = [0, 1, 0, 1].map((part) =>
    relay.call('putBlobPart', { token: ann.token, ...blob.part(part) }),
  );
  await Promise.all(puts);
  const finish = () => relay.call('completeBlob', { token: ann.token, params: blob.params });
  const [one, other] = await Promise.all([finish(), finish()]);
  expect(one.body.size).toBe(other.body.size);
  expect((await readBlob(relay, ben.token, blob.id)).bytes.equals(blob.bytes)).toBe(true);
});

test('another owner, another size and other bytes are a conflict', async () => {
  const blob = new TestBlob(5_000);
  await begin(ann, blob);
  const { params } = blob;
  const conflict = async (name: 'beginBlob' | 'putBlobPart' | 'completeBlob', options: object) =>
    (await relay.refuse('blob_conflict', name, { params, ...options })).body.reason;
  expect(await conflict('beginBlob', { token: ben.token, body: { size: blob.size } })).toBe('owner');
  expect(await conflict('putBlobPart', { token: ben.token, ...blob.part(0) })).toBe('owner');
  expect(await conflict('completeBlob', { token: ben.token })).toBe('owner');
  expect(await conflict('beginBlob', { token: ann.token, body: { size: 9_232 } })).toBe('size');
  await relay.call('putBlobPart', { token: ann.token, ...blob.part(0) });
  const other = partOf(blob.id, 0, new TestBlob(5_000).bytes);
  expect(await conflict('putBlobPart', { token: ann.token, ...other })).toBe('bytes');
});

test('one of two simultaneous uploads of a part with different bytes is refused, and the other is stored', async () => {
  const id = new TestBlob().id;
  const blobs = [new TestBlob(4_000), new TestBlob(4_000)] as const;
  await relay.call('beginBlob', { token: ann.token, params: { id }, body: { size: blobs[0].size } });
  const statuses = await Promise.all(
    blobs.map(async ({ bytes }) => {
      return (await relay.request('putBlobPart', { token: ann.token, ...partOf(id, 0, bytes) })).status;
    }),
  );
  expect(statuses.toSorted()).toEqual([204, 409]);
  await relay.call('completeBlob', { token: ann.token, params: { id } });
  const kept = blobs[statuses.indexOf(204)];
  expect((await readBlob(relay, ann.token, id)).bytes.equals(kept?.bytes ?? Buffer.alloc(0))).toBe(true);
  // The remains of the other one are deleted.
  const root = join(relay.folder.path, 'blobs');
  const files = storedFiles(relay);
  const own = files.find((name) => readFileSync(join(root, name)).equals(kept?.bytes ?? Buffer.alloc(0)));
  expect(own).toBeDefined();
  expect(files.filter((name) => dirname(name) === dirname(own ?? ''))).toEqual([own]);
});

test('a blob without all of its parts is not finished, and the missing ones are listed', async () => {
  const blob = new TestBlob(2 * PART_BYTES);
  await begin(ann, blob);
  await relay.call('putBlobPart', { token: ann.token, ...blob.part(1) });
  const { body } = await relay.refuse('blob_incomplete', 'completeBlob', {
    token: ann.token,
    params: blob.params,
  });
  expect(body.errors?.map(({ path }) => path)).toEqual(['parts.0', 'parts.2']);
});

test('a first part of text is refused, also with a character cut at its end', async () => {
  const text = Buffer.from('Dear Ben, '.repeat(500).slice(0, 4_112));
  const { params } = new TestBlob();
  await relay.call('beginBlob', { token: ann.token, params, body: { size: text.length } });
  await relay.refuse('plaintext_rejected', 'putBlobPart', {
    token: ann.token,
    ...partOf(params.id, 0, text),
  });

  const short = new TestBlob();
  const cutShort = Buffer.concat([text.subarray(0, text.length - 3), Buffer.from('🦊').subarray(0, 3)]);
  await relay.call('beginBlob', { token: ann.token, params: short.params, body: { size: cutShort.length } });
  await relay.refuse('plaintext_rejected', 'putBlobPart', {
    token: ann.token,
    ...partOf(short.id, 0, cutShort),
  });

  const large = new TestBlob(PART_BYTES + 1);
  await begin(ann, large);
  const cut = Buffer.from(`${'x'.repeat(PART_BYTES - 2)}🦊`).subarray(0, PART_BYTES);
  await relay.refuse('plaintext_rejected', 'putBlobPart', { token: ann.token, ...partOf(large.id, 0, cut) });
  expect((await begin(ann, large)).body.parts).toEqual([]);
});

test('parts that are missing, too long, too short, or with a wrong digest are refused and leave nothing', async () => {
  const blob = new TestBlob();
  await begin(ann, blob);
  const before = storedFiles(relay);
  const { token } = ann;
  const { octets, headers } = blob.part(0);
  const refuse = async (code: 'invalid_request' | 'too_large' | 'unsupported_media_type', options: object) =>
    (await relay.refuse(code, 'putBlobPart', { token, ...blob.part(0), ...options })).body.reason;
  for (const part of ['1', '255']) {
    expect(await refuse('invalid_request', { params: { id: blob.id, part } })).toBe('part_number');
  }
  for (const part of ['256000', '-1', '01', '1.0', 'a', '%2e%2e', '../..', '1e2']) {
    const response = await relay.request('putBlobPart', {
      token,
      params: { id: blob.id, part },
      octets,
      headers,
    });
    expect([400, 404]).toContain(response.status);
  }
  const short = octets.subarray(1);
  expect(await refuse('invalid_request', partOf(blob.id, 0, short))).toBe('part_length');
  expect(await refuse('too_large', partOf(blob.id, 0, Buffer.concat([octets, octets])))).toBe('blob_part');
  expect(await refuse('invalid_request', { octets: new TestBlob().bytes })).toBe('part_digest');
  expect(await refuse('invalid_request', { headers: {} })).toBe('field');
  for (const digest of ['sha-256=:AAAA:', 'md5=:AAAAAAAAAAAAAAAAAAAAAA==:', '', 'x'.repeat(5_000)]) {
    expect(await refuse('invalid_request', { headers: { 'content-digest': digest } })).toBe('field');
  }
  expect(await refuse('invalid_request', { octets: undefined })).toBe('part_length');
  expect(await refuse('unsupported_media_type', { octets: undefined, body: {} })).toBe('octets');
  const compressed = { headers: { ...headers, 'content-encoding': 'gzip' } };
  expect(await refuse('unsupported_media_type', compressed)).toBe('content_encoding');
  expect(storedFiles(relay)).toEqual(before);
  expect((await begin(ann, blob)).body.parts).toEqual([]);
});

test('impossible ids and sizes are refused', async () => {
  const { token } = ann;
  for (const id of [
    '..',
    '../../etc/passwd',
    'A'.repeat(21),
    'A'.repeat(23),
    `${'A'.repeat(21)}!`,
    '%00',
    'é',
  ]) {
    const response = await relay.request('beginBlob', { token, params: { id }, body: { size: 4_112 } });
    expect([400, 404]).toContain(response.status);
  }
  const { params } = new TestBlob();
  for (const size of [0, -1, 1, 4_111, 4_113, 65_536, 2 ** 31 + 1, 2 ** 53, 4_112.5, '4112']) {
    await relay.refuse('invalid_request', 'beginBlob', { token, params, body: { size } });
  }
  // A valid length of a file, above this relay's limit.
  await relay.refuse('too_large', 'beginBlob', {
    token,
    params,
    body: { size: 2_113_929_216 + 16 * 32_256 },
  });
});

test('a deletion by a recipient without a claim leaves the blob of its sender', async () => {
  const blob = await uploadBlob(relay, ann.token);
  const { params } = blob;
  await relay.call('deleteBlob', { token: ben.token, params });
  expect((await readBlob(relay, ben.token, blob.id)).status).toBe(200);
  await relay.call('deleteBlob', { token: ann.token, params });
  await relay.refuse('not_found', 'getBlob', { token: ben.token, params });
});

test('an adopted blob counts for both, and stays until both have dropped it', async () => {
  const blob = await uploadBlob(relay, ann.token);
  const { params } = blob;
  await relay.call('adoptBlob', { token: ben.token, params });
  await relay.call('deleteBlob', { token: ann.token, params });
  expect((await readBlob(relay, ann.token, blob.id)).status).toBe(200);
  await relay.call('deleteBlob', { token: ben.token, params });
  await relay.refuse('not_found', 'getBlob', { token: ann.token, params });
});

test('an API key may use blobs with that right, and a group token may for its creator', async () => {
  const reading = await apiKeyOf(ann, { entitlements: ['directory:read'] });
  const { params, size } = new TestBlob();
  await relay.refuse('missing_entitlement', 'beginBlob', { token: reading, params, body: { size } });
  const key = await apiKeyOf(ann, { entitlements: ['blobs'] });
  const blob = await uploadBlob(relay, key);

  const roster = await TestRoster.begin(ann, {}, []);
  const { body: bot } = await relay.call('createToken', {
    token: ann.token,
    params: roster.params,
    body: { name: 'bot' },
  });
  expect((await readBlob(relay, bot.secret, blob.id)).status).toBe(200);
  const posted = await uploadBlob(relay, bot.secret);
  // The upload belongs to the creator: no other account can begin it again.
  expect((await begin(ann, posted)).status).toBe(200);
});

test('without a credential nothing is revealed', async () => {
  const blob = await uploadBlob(relay, ann.token);
  await relay.refuse('unauthorized', 'getBlob', { params: blob.params });
  await relay.refuse('unauthorized', 'putBlobPart', blob.part(0));
});

test('bytes are stored under random names, for the relay’s account only', async () => {
  await using own = await new TestRelay().start();
  const { token } = await newPerson(own);
  const blob = await uploadBlob(own, token);
  const [file = '', ...others] = storedFiles(own);
  expect(others).toEqual([]);
  expect(file).toMatch(/^([0-9a-f]{2})\/([0-9a-f]{2})\/\1\2[0-9a-f]{28}\/0-[0-9a-f]{16}$/);
  expect(file).not.toContain(blob.id);
  expect(statSync(join(own.folder.path, 'blobs', file)).mode & 0o777).toBe(0o600);
  expect(statSync(join(own.folder.path, 'blobs')).mode & 0o777).toBe(0o700);
});

test('an unclaimed blob is unreadable at once, and its bytes are deleted after a quarter of an hour', async () => {
  await using own = await new TestRelay({ limits: { rates: ROOMY_RATES } }).start();
  const person = await newPerson(own);
  const [deleted, unfinished, finished] = [new TestBlob(), new TestBlob(), new TestBlob()];
  await uploadBlob(own, person.token, deleted);
  await uploadBlob(own, person.token, finished);
  const { token } = person;
  await own.call('beginBlob', { token, params: unfinished.params, body: { size: unfinished.size } });
  await own.call('putBlobPart', { token, ...unfinished.part(0) });
  await own.call('deleteBlob', { token, params: deleted.params });
  await own.refuse('not_found', 'getBlob', { token, params: deleted.params });
  expect(storedFiles(own)).toHaveLength(3);

  /** Rows that are due for the sweep: a relay that stops before it leaves them to the next. */
  const due = async () => {
    const rows = await own.rows<{ id: number }>(
      `SELECT blob_id AS id FROM blob_claim WHERE expires_at <= ?
        UNION ALL SELECT id FROM blob_bytes_to_drop WHERE drop_after <= ?`,
      own.now(),
      own.now(),
    );
    return rows.length;
  };
  /** The relay sweeps when it starts. */
  const sweptAfter = async (milliseconds: number, files: number) => {
    await own.stop();
    own.ahead += milliseconds;
    await own.start();
    await expect.poll(due).toBe(0);
    expect(storedFiles(own)).toHaveLength(files);
    await person.renew();
  };
  await sweptAfter(15 * MINUTE, 2);
  // A day: the upload is over.
  await sweptAfter(DAY, 2);
  await own.refuse('not_found', 'completeBlob', { token: person.token, params: unfinished.params });
  await sweptAfter(15 * MINUTE, 1);
  expect((await readBlob(own, person.token, finished.id)).status).toBe(200);
  await sweptAfter(45 * DAY, 1);
  await own.refuse('not_found', 'getBlob', { token: person.token, params: finished.params });
  await sweptAfter(15 * MINUTE, 0);
});

test('the end of an account drops its claims', async () => {
  await using own = await new TestRelay().start();
  const [cy, dan] = [await newPerson(own), await newPerson(own)];
  const [alone, shared] = [await uploadBlob(own, cy.token), await uploadBlob(own, cy.token)];
  await own.call('adoptBlob', { token: dan.token, params: shared.params });
  await own.call('deleteAccount', { token: cy.token });
  await own.refuse('not_found', 'getBlob', { token: dan.token, params: alone.params });
  expect((await readBlob(own, dan.token, shared.id)).status).toBe(200);
});
