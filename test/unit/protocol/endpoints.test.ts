import { expect, test } from 'vitest';
import { z } from 'zod';
import { credentialTypeOf } from '../../../src/protocol/credentials.ts';
import type { Endpoint } from '../../../src/protocol/endpoints/endpoint.ts';
import { ENDPOINTS } from '../../../src/protocol/endpoints.ts';
import { ENTITLEMENTS } from '../../../src/protocol/entitlements.ts';
import { PROBLEMS } from '../../../src/protocol/problems.ts';
import { Problem } from '../../../src/protocol/schemas/problem.ts';
import { ProblemError } from '../../../src/relay/problems/problem-error.ts';

const rows: [string, Endpoint][] = Object.entries(ENDPOINTS);

interface JsonSchema {
  type?: string;
  properties?: Record<string, unknown>;
  additionalProperties?: unknown;
}

/** All object schemas that JSON Schema shows, at any depth. */
function objectsIn(schema: unknown): JsonSchema[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const inner = Object.values(schema).flatMap(objectsIn);
  return 'properties' in schema ? [schema as JsonSchema, ...inner] : inner;
}

test('no two endpoints have one method and path, and each path names the parameters of its schema', () => {
  expect(new Set(rows.map(([, { method, path }]) => `${method} ${path}`)).size).toBe(rows.length);
  for (const [name, { path, params }] of rows) {
    const named = [...path.matchAll(/:(\w+)/g)].map((match) => match[1]);
    expect([name, named]).toEqual([name, Object.keys(params?.shape ?? {})]);
  }
});

test.each(rows)(
  '%s refuses unknown fields in all that a caller sends, and can be shown as JSON Schema',
  (_, row) => {
    for (const schema of [row.params, row.query, row.request]) {
      if (!schema) continue;
      for (const object of objectsIn(z.toJSONSchema(schema, { io: 'input' }))) {
        expect(object.additionalProperties).toBe(false);
      }
    }
  },
);

test.each(rows)('%s allows a newer relay to add fields to its answer', (_, row) => {
  if (!row.response) return;
  for (const object of objectsIn(z.toJSONSchema(row.response, { io: 'input' }))) {
    expect(object.additionalProperties).not.toBe(false);
  }
});

test('every entitlement in the table can be granted to some credential', () => {
  const granted = new Set(Object.values(ENTITLEMENTS).flat());
  for (const [, { access }] of rows) {
    if (access !== 'anyone' && access !== 'any credential') expect(granted).toContain(access);
  }
});

test('group tokens and API keys have no management entitlements', () => {
  for (const type of ['group_token', 'api_key'] as const) {
    expect(ENTITLEMENTS[type].filter((entitlement) => entitlement.endsWith(':manage'))).toEqual([]);
  }
});

test('every problem of the table is in the catalogue, with a status of its own kind', () => {
  for (const [, { problems }] of rows) {
    for (const code of problems) expect(PROBLEMS[code].status).toBeGreaterThanOrEqual(400);
  }
});

test('a client reads the problem that a relay writes', () => {
  const error = new ProblemError(
    'handle_taken',
    'other_account',
    { handle: 'ann' },
    {
      errors: [{ path: 'handle', message: 'is taken' }],
    },
  );
  const body = error.toBody('request-1');
  expect(Problem.parse(body)).toEqual(body);
  expect(body).toMatchObject({ status: 409, code: 'handle_taken', type: 'urn:waxwing:problem:handle_taken' });
});

test('reads only whole numbers within bounds from a query', () => {
  const { query } = ENDPOINTS.getInbox;
  const device = 'A'.repeat(22);
  expect(z.encode(query, { device, limit: 7, wait: 0 })).toEqual({ device, limit: '7', wait: '0' });
  expect(z.decode(query, { device, limit: '7', wait: '0' })).toEqual({ device, limit: 7, wait: 0 });
  for (const limit of ['', ' 7', '7.0', '1e2', '-1', '501', '0x1']) {
    expect(z.safeDecode(query, { device, limit }).success).toBe(false);
  }
});

test('recognizes the type of a credential by its form', () => {
  const secret = 'A'.repeat(43);
  expect(credentialTypeOf(`ses_${secret}`)).toBe('session');
  expect(credentialTypeOf(`sk_live_${secret}`)).toBe('api_key');
  expect(credentialTypeOf(`gtk_live_${secret}`)).toBe('group_token');
  for (const text of [
    '',
    secret,
    `ses_${secret}A`,
    `ses_${secret.slice(1)}`,
    `sk_test_${secret}`,
    `SES_${secret}`,
  ]) {
    expect(credentialTypeOf(text)).toBeNull();
  }
});

/** All text schemas, at any depth. */
function textsIn(schema: unknown): { pattern?: string }[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const inner = Object.values(schema).flatMap(textsIn);
  return (schema as JsonSchema).type === 'string' ? [schema, ...inner] : inner;
}

test.each(['sendEnvelopes', 'sendGroupEnvelopes'] as const)('%s has no field for free text', (name) => {
  const texts = textsIn(z.toJSONSchema(ENDPOINTS[name].request, { io: 'input' }));
  expect(texts.length).toBeGreaterThanOrEqual(4);
  for (const { pattern } of texts) expect('See you at nine?').not.toMatch(new RegExp(pattern ?? '', 'u'));
});
