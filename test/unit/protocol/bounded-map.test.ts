import { expect, test } from 'vitest';
import { BoundedMap } from '../../../src/protocol/bounded-map.ts';

test('keeps at least the newest half and never exceeds its capacity', () => {
  const map = new BoundedMap<number, number>(10);
  for (let key = 0; key < 100; key++) {
    map.set(key, key);
    for (let back = 0; back < Math.min(key, 5); back++) expect(map.get(key - back)).toBe(key - back);
  }
  expect(
    Array.from({ length: 100 }, (_, key) => map.get(key)).filter((value) => value !== undefined).length,
  ).toBeLessThanOrEqual(10);
});

test('reading an entry keeps it', () => {
  const map = new BoundedMap<string, number>(10);
  map.set('kept', 1);
  for (let key = 0; key < 1000; key++) {
    map.set(`other ${key}`, key);
    expect(map.get('kept')).toBe(1);
  }
});

test('deletes an entry of either generation', () => {
  const map = new BoundedMap<string, number>(4);
  for (const key of ['a', 'b', 'c']) map.set(key, 1);
  for (const key of ['a', 'c']) map.delete(key);
  expect(['a', 'b', 'c'].map((key) => map.get(key))).toEqual([undefined, 1, undefined]);
});
