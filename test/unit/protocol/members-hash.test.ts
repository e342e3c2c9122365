import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { EncodingError } from '../../../src/protocol/encoding.ts';
import { membersHash } from '../../../src/protocol/members-hash.ts';

const members = [`0x${'2b'.repeat(20)}`, `0x0a${'ff'.repeat(19)}`, `0x${'1a'.repeat(20)}`];

test('the hash of a group does not depend on the order of its members', () => {
  const inOrder = Buffer.from(`0a${'ff'.repeat(19)}${'1a'.repeat(20)}${'2b'.repeat(20)}`, 'hex');
  const expected = createHash('sha256').update(inOrder).digest('base64url');
  expect(membersHash(members)).toBe(expected);
  expect(membersHash([...members].reverse())).toBe(expected);
  expect(membersHash(members.slice(1))).not.toBe(expected);
  expect(() => membersHash(['0x1A'])).toThrow(EncodingError);
});
