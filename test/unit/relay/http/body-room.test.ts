import { expect, test } from 'vitest';
import { BodyRoom } from '../../../../src/relay/http/body-room.ts';

const LARGEST = 1_000;
const nothing = () => undefined;

test('one account has room for four of the largest bodies, and regains released room', () => {
  const room = new BodyRoom(LARGEST);
  const [first, second, other] = [room.open(1, nothing), room.open(1, nothing), room.open(2, nothing)];
  first.reserve(4_000);
  expect(() => second.reserve(1)).toThrow(expect.objectContaining({ code: 'rate_limited' }));
  other.reserve(4_000);
  first.reserve(-1_500);
  second.reserve(1_500);
  for (const hold of [first, second, other, other]) hold.release();
  first.reserve(1);
  expect(room.used).toBe(0);
});

test('ends the oldest call of the largest account if there is no room', () => {
  const room = new BodyRoom(LARGEST);
  const cut: string[] = [];
  for (let account = 0; account < 16; account++) {
    for (let call = 0; call < 4; call++) {
      const size = account === 7 || call > 0 ? 1_000 : 990;
      room.open(account, () => cut.push(`${account} ${call}`)).reserve(size);
    }
  }
  const friend = room.open(16, () => cut.push('friend'));
  friend.reserve(150);
  expect(cut).toEqual([]);
  friend.reserve(1);
  expect(cut).toEqual(['7 0']);
  friend.reserve(2_000);
  expect(cut).not.toContain('friend');
  expect(room.used).toBeLessThanOrEqual(64_000);
});
