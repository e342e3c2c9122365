import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Endpoint } from '../../../src/protocol/endpoints/endpoint.ts';
import { ENDPOINTS, type EndpointName } from '../../../src/protocol/endpoints.ts';
import { PROBLEMS } from '../../../src/protocol/problems.ts';
import { REASONS } from '../../../src/relay/problems/reasons.ts';
import { makeExamples } from '../../../src/relay-docs/examples/index.ts';
import type { JsonSchema } from '../../../src/relay-docs/json-schemas.ts';
import { makeOpenApiDocument } from '../../../src/relay-docs/openapi.ts';

const { calls } = makeExamples();
const document = makeOpenApiDocument(calls);
const names = Object.keys(ENDPOINTS) as EndpointName[];

test('an independent validator accepts the document as OpenAPI 3.1', async () => {
  const validator = new Validator();
  const result = await validator.validate(JSON.parse(JSON.stringify(document)));
  expect(result.errors ?? []).toEqual([]);
  expect(result.valid).toBe(true);
  expect(validator.version).toBe('3.1');
});

test('a linter with all its recommended rules finds nothing in the document', async () => {
  const config = await createConfig({
    extends: ['recommended'],
    rules: { 'operation-description': 'error', 'info-contact': 'error' },
  });
  const source = JSON.stringify(document);
  const found = await lintFromString({ source, absoluteRef: 'openapi.json', config });
  expect(found.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([]);
});

test('each array has a schema of its items, and bearers have no scopes, for linters and code generators', () => {
  const arrays: unknown[] = [];
  JSON.stringify(document, (_, value) => {
    if (value?.type === 'array') arrays.push(value);
    return value;
  });
  expect(arrays.length).toBeGreaterThan(20);
  for (const array of arrays) expect(array).toMatchObject({ items: expect.any(Object) });
  for (const { security } of Object.values(document.paths).flatMap((methods) => Object.values(methods)))
    for (const scheme of security) expect(scheme).toEqual({ bearer: [] });
});

test('uses every component of the document, and names its licence', () => {
  const text = JSON.stringify(document);
  for (const kind of ['schemas', 'responses', 'headers'] as const)
    for (const name of Object.keys(document.components[kind]))
      expect(text).toContain(`{"$ref":"#/components/${kind}/${name}"`);
  expect(document.info.license).toEqual({ name: 'MIT', identifier: 'MIT' });
});

test('the codes and reasons of a problem are listed', () => {
  const { properties } = document.components.schemas.Problem ?? {};
  expect(properties?.code).toMatchObject({ enum: Object.keys(PROBLEMS) });
  const reasons = Object.values(REASONS).flatMap((group) => Object.keys(group));
  expect(properties?.reason).toMatchObject({ enum: [...new Set(reasons)] });
});

test('the document has every endpoint, and nothing else', () => {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => `${operationId} ${method} ${path}`),
  );
  const expected = names.flatMap((name) => {
    const { method, path, head }: Endpoint = ENDPOINTS[name];
    const place = `/api/v1${path.replace(/:(\w+)/g, '{$1}')}`;
    const operation = `${name} ${method.toLowerCase()} ${place}`;
    return head ? [operation, `${name}Head head ${place}`] : [operation];
  });
  expect(operations.sort()).toEqual(expected.sort());
});

test('documents whole numbers of a query with their range, booleans as 1 and 0', () => {
  const parameters = document.paths['/api/v1/groups']?.get?.parameters ?? [];
  const schemaOf = (name: string) => parameters.find((parameter) => parameter.name === name)?.schema;
  expect(schemaOf('limit')).toEqual({ type: 'integer', minimum: 1, maximum: 50 });
  expect(schemaOf('mine')).toMatchObject({ type: 'string', enum: expect.arrayContaining(['0', '1']) });
});

test('a call that needs an entitlement names it, with the answers 401 and 403', () => {
  const operation = document.paths['/api/v1/envelopes']?.post;
  expect(operation?.['x-entitlement']).toBe('envelopes:send');
  expect(operation?.description).toContain('`envelopes:send`, which a session or an API key can have');
  expect(Object.keys(operation?.responses ?? {})).toEqual(
    expect.arrayContaining([
      '201',
      '200',
      '400',
      '401',
      '403',
      '408',
      '413',
      '415',
      '421',
      '422',
      '429',
      '431',
    ]),
  );
  expect(document.paths['/api/v1']?.get?.responses).not.toHaveProperty('401');
});

// Not every validator reads a pattern as Unicode.
test.each([true, false])(
  'the document’s examples match its schemas (patterns in Unicode: %s)',
  (unicodeRegExp) => {
    const ajv = new Ajv2020({ allErrors: true, strict: false, unicodeRegExp });
    formats.default(ajv);
    ajv.addSchema({ $id: 'document', ...document });
    const check = (schema: JsonSchema, value: unknown) => {
      const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')));
      expect(validate(value), JSON.stringify(validate.errors)).toBe(true);
    };
    for (const operation of Object.values(document.paths).flatMap((methods) => Object.values(methods))) {
      const bodies = [operation.requestBody, ...Object.values(operation.responses)].flatMap((part) =>
        part && 'content' in part ? Object.values(part.content ?? {}) : [],
      );
      for (const { schema, examples = {} } of bodies) {
        for (const { value } of Object.values(examples)) check(schema, value);
      }
      for (const { schema, example } of operation.parameters ?? []) {
        if (example !== undefined) check(schema, example);
      }
    }
  },
);

test.each(names)('the examples of %s match its schemas', (name) => {
  const endpoint: Endpoint = ENDPOINTS[name];
  for (const example of calls[name]) {
    expect(endpoint.statuses).toContain(example.status);
    if (endpoint.params) expect(endpoint.params.parse(example.params)).toEqual(example.params);
    if (endpoint.query) {
      expect(z.decode(endpoint.query, z.encode(endpoint.query, example.query as never))).toEqual(
        example.query,
      );
    }
    if (endpoint.request) expect(endpoint.request.parse(example.request)).toEqual(example.request);
    if (endpoint.response) expect(endpoint.response.parse(example.response)).toEqual(example.response);
  }
});
