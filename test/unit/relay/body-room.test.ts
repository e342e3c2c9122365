import { expect, test } from 'vitest';
import { BodyRoom } from '../../../src/relay/http/body-room.ts';

const LARGEST = 1_000;

test('one account has room for four of the largest bodies, and gets back what it gave', () => {
  const room = new BodyRoom(LARGEST);
  room.take(1, 4_000);
  expect(() => room.take(1, 1)).toThrow(expect.objectContaining({ code: 'rate_limited' }));
  room.take(2, 4_000);
  room.giveBack(1, 1_500);
  room.take(1, 1_500);
  room.giveBack(1, 4_000);
  room.giveBack(2, 4_000);
  expect(room.used).toBe(0);
});

test('all together have room for 64', () => {
  const room = new BodyRoom(LARGEST);
  for (let account = 0; account < 16; account++) room.take(account, 4_000);
  expect(() => room.take(16, 1)).toThrow(expect.objectContaining({ code: 'unavailable' }));
  expect(room.used).toBe(64_000);
});
