import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { Bytes, Label, QueryInteger } from '../../../../src/protocol/primitives.ts';
import { read } from '../../../../src/relay/http/validation.ts';
import { ProblemError } from '../../../../src/relay/problems/problem-error.ts';

function errorsOf(schema: z.ZodType, value: unknown): { path: string; message: string }[] {
  try {
    read(schema, value);
  } catch (error) {
    if (error instanceof ProblemError) return error.errors ?? [];
    throw error;
  }
  throw new Error('it was taken');
}

describe('sentences about faults', () => {
  const Schema = z.strictObject({
    name: Label,
    nonce: Bytes(12),
    tags: z.array(z.string()).min(1).max(2),
    enabled: z.boolean(),
    kind: z.enum(['app', 'api']),
    limit: QueryInteger(1, 50),
    size: z.number().int(),
  });
  const right = {
    name: 'Kim',
    nonce: 'AAAAAAAAAAAAAAAA',
    tags: ['x'],
    enabled: true,
    kind: 'app',
    limit: '5',
    size: 1,
  };

  test.each([
    [{ name: undefined }, 'name', 'is missing; it must be a text'],
    [{ name: 5 }, 'name', 'must be a text'],
    [{ name: null }, 'name', 'must be a text'],
    [{ name: '' }, 'name', 'must not be empty'],
    [{ name: 'x'.repeat(81) }, 'name', 'must be at most 80 characters'],
    [{ nonce: 'AAAA' }, 'nonce', 'must be exactly 16 characters'],
    [{ nonce: 'AAAAAAAAAAAAAAA=' }, 'nonce', 'must be 12 bytes in base64url without padding'],
    [{ tags: 'x' }, 'tags', 'must be a list'],
    [{ tags: [] }, 'tags', 'must not be empty'],
    [{ tags: ['x', 1] }, 'tags.1', 'must be a text'],
    [{ enabled: 'yes' }, 'enabled', 'must be true or false'],
    [{ kind: 'other' }, 'kind', 'must be "app" or "api"'],
    [{ limit: '51' }, 'limit', 'must be at most 50'],
    [{ limit: '0' }, 'limit', 'must be at least 1'],
    [{ limit: 'x' }, 'limit', 'must be a whole number'],
    [{ size: 1.5 }, 'size', 'must be a whole number'],
    [{ size: '1' }, 'size', 'must be a number'],
    [{ nickname: 1 }, '', 'unknown field "nickname"'],
  ])('%j', (change, path, message) => {
    expect(errorsOf(Schema, { ...right, ...change })[0]).toEqual({ path, message });
  });

  test('repeat only the beginning of a long invented name', () => {
    const [error] = errorsOf(Schema, { ...right, ['x'.repeat(10_000)]: 1 });
    expect(error?.message.length).toBeLessThan(100);
  });

  test('describe the intended one of two forms', () => {
    const Either = z.union([Schema, z.strictObject({ id: z.string() })]);
    expect(errorsOf(Either, { ...right, enabled: 1 })).toEqual([
      { path: 'enabled', message: 'must be true or false' },
    ]);
  });

  test('report a value other than an object', () => {
    expect(errorsOf(Schema, [])).toEqual([{ path: '', message: 'must be an object' }]);
  });
});
