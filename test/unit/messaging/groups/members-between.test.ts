import { expect, test } from 'vitest';
import { hashesBetween } from '../../../../src/messaging/groups/members-between.ts';
import { membersHash } from '../../../../src/protocol/members-hash.ts';

const [ann, ben, cat, dan] = ['11', '22', '33', '44'].map((byte) => `0x${byte.repeat(20)}`) as [
  string,
  string,
  string,
  string,
];
const hash = (...members: string[]) => membersHash(members);

test('while one joins and another leaves there may have been four lists, and no other', () => {
  const between = hashesBetween([ann, ben], [ann, cat]) ?? [];
  expect(between.toSorted()).toEqual(
    [hash(ann), hash(ann, ben), hash(ann, cat), hash(ann, ben, cat)].toSorted(),
  );
  expect(between).not.toContain(hash(ann, ben, dan));
});

test('without a change there is the one list', () => {
  expect(hashesBetween([ann, ben], [ben, ann])).toEqual([hash(ann, ben)]);
});

test('too many changes cannot be told apart', () => {
  const many = Array.from({ length: 9 }, (_, index) => `0x${(0xa0 + index).toString(16).repeat(20)}`);
  expect(hashesBetween([ann], [ann, ...many])).toBeNull();
});

test('the lists of a group of 5,000 are hashed as each alone would be', () => {
  const members = Array.from(
    { length: 5_000 },
    (_, index) => `0x${(index * 7_919).toString(16).padStart(40, '0')}`,
  );
  const between = hashesBetween(members.slice(8), members) ?? [];
  expect(new Set(between).size).toBe(256);
  expect(between).toContain(membersHash(members));
  expect(between).toContain(membersHash(members.slice(8)));
  expect(between).toContain(membersHash(members.slice(3)));
});
