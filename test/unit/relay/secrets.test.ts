import { expect, test } from 'vitest';
import { credentialTypeOf } from '../../../src/protocol/credentials.ts';
import { makeId, makeNonce, makeSecret } from '../../../src/relay/secrets.ts';

test('an id is safe in a path, and never looks like an option', () => {
  const ids = Array.from({ length: 2_000 }, makeId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9_][A-Za-z0-9_-]{21}$/);
});

test.each(['session', 'api_key', 'group_token'] as const)(
  'a secret of type %s has its form and is shown in part',
  (type) => {
    const { secret, prefix, digest } = makeSecret(type);
    expect(credentialTypeOf(secret)).toBe(type);
    expect(secret.startsWith(prefix)).toBe(true);
    expect(digest).toHaveLength(32);
    expect(makeNonce()).toMatch(/^[0-9a-f]{32}$/);
  },
);
