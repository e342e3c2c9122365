/**
 * What goes wrong with one part of a request: a field, or the request around its fields.
 */
import fc from 'fast-check';
import type { FuzzRequest } from './requests.ts';

/** A request as bytes would have it: the body is text already, so that it can be text that is no JSON. */
export interface WireRequest extends Omit<FuzzRequest, 'body'> {
  body: string | undefined;
  contentType: string;
}

type Place = { holder: Record<string, unknown> | unknown[]; key: string };

/** Every field of a value, however deep. */
function placesIn(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Record<string, unknown>;
  return Object.keys(holder).flatMap((key) => [{ holder, key }, ...placesIn(holder[key])]);
}

const MISSING = Symbol('missing');

/** Other values for a field, by what it was. */
function otherValues(value: unknown): fc.Arbitrary<unknown> {
  const text = typeof value === 'string' ? value : 'text';
  const number = typeof value === 'number' ? value : 0;
  return fc.oneof(
    fc.constantFrom<unknown>(MISSING, null, true, false, 0, -1, 1.5, 1e308, [], {}, '', ' ', [value], {
      value,
    }),
    fc.constantFrom(number + 1, number - 1, -number),
    fc.constantFrom(
      `${text}x`,
      text.slice(0, -1),
      text.slice(1),
      text.toUpperCase(),
      ` ${text}`,
      `${text}\n`,
      `${text}=`,
      text.repeat(3),
      'x'.repeat(100_000),
      '\u0000',
      '\u202e',
      '\ud800',
      '../../etc/passwd',
      "'; DROP TABLE account; --",
      '%00',
      '{{7*7}}',
    ),
    fc.string({ unit: 'binary' }),
    fc.jsonValue({ maxDepth: 2 }),
  );
}

/** One field replaced, or one added. */
function fieldMutation(request: FuzzRequest): fc.Arbitrary<WireRequest> {
  const parts = structuredClone({ params: request.params, query: request.query, body: request.body });
  const places = placesIn(parts).filter(({ holder }) => holder !== parts);
  const addable =
    typeof parts.body === 'object' && parts.body !== null ? [parts.query, parts.body] : [parts.query];
  const replace = () =>
    fc
      .constantFrom(...places)
      .chain(({ holder, key }) =>
        otherValues((holder as Record<string, unknown>)[key]).map((value) => ({ holder, key, value })),
      );
  const add = fc
    .tuple(
      fc.constantFrom(...addable),
      fc.constantFrom(
        'unknown',
        '__proto__',
        'constructor',
        'prototype',
        'text',
        'plaintext',
        'id',
        'account',
        '',
      ),
      fc.jsonValue({ maxDepth: 1 }),
    )
    .map(([holder, key, value]) => ({ holder, key, value }));
  return (
    places.length === 0 ? add : fc.oneof({ weight: 4, arbitrary: replace() }, { weight: 1, arbitrary: add })
  ).map(({ holder, key, value }) => {
    const fields = holder as Record<string, unknown>;
    const before = Object.getOwnPropertyDescriptor(fields, key);
    if (value === MISSING) delete fields[key];
    else Object.defineProperty(fields, key, { value, enumerable: true, configurable: true, writable: true });
    const mutated = toWire({ ...request, ...structuredTexts(parts) });
    // The places are shared by all that is generated from this request.
    if (before) Object.defineProperty(fields, key, before);
    else delete fields[key];
    return mutated;
  });
}

/** Parameters and queries are texts, whatever was put there. */
function structuredTexts(parts: { params: object; query: object; body: unknown }) {
  const texts = (record: object) =>
    Object.fromEntries(Object.entries(record).map(([key, value]) => [key, textOf(value)]));
  return { params: texts(parts.params), query: texts(parts.query), body: structuredClone(parts.body) };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

export function toWire(request: FuzzRequest): WireRequest {
  const body = request.body === undefined ? undefined : JSON.stringify(request.body);
  return { ...request, body, contentType: 'application/json' };
}

/** The request around its fields: its body as text, its type, its credential. */
function frameMutation(request: FuzzRequest): fc.Arbitrary<WireRequest> {
  const wire = toWire(request);
  const body = wire.body ?? '{}';
  return fc.constantFrom<WireRequest>(
    { ...wire, body: body.slice(0, -1) },
    { ...wire, body: `${body}${body}` },
    { ...wire, body: `\ufeff${body}` },
    { ...wire, body: body.replace('{', '{"name":1,"name":2,') },
    { ...wire, body: `${'['.repeat(50)}${']'.repeat(50)}` },
    { ...wire, body: 'null' },
    { ...wire, body: '"text"' },
    { ...wire, body: '[]' },
    { ...wire, body: '' },
    { ...wire, body, contentType: 'text/plain' },
    { ...wire, body, contentType: 'application/json; charset=latin1' },
    { ...wire, body, contentType: 'multipart/form-data' },
    { ...wire, token: 'x' },
    { ...wire, token: null },
    { ...wire, query: { ...wire.query, limit: '-1' } },
    { ...wire, query: { ...wire.query, cursor: 'AAAA' } },
    { ...wire, query: { ...wire.query, wait: '0' } },
  );
}

/** A valid request, or one with one thing wrong. */
export function maybeMutated(valid: fc.Arbitrary<FuzzRequest>): fc.Arbitrary<WireRequest> {
  return fc.oneof(
    { weight: 3, arbitrary: valid.map(toWire) },
    { weight: 6, arbitrary: valid.chain(fieldMutation) },
    { weight: 1, arbitrary: valid.chain(frameMutation) },
  );
}
