import { expect, test } from 'vitest';
import {
  albumPlaces,
  filmBox,
  isLong,
  pictureBox,
} from '../../../../../src/renderer/chat/files/picture-box.ts';

test('the place of a picture has its proportion, and is bounded in both directions', () => {
  const boxes = [
    [1200, 800],
    [300, 1500],
    [3000, 300],
    [32, 24],
    [1, 0xffff_ffff],
  ].map(([width = 1, height = 1]) => pictureBox({ width, height }));
  expect(boxes).toEqual([
    { aspectRatio: 1.5, width: '22rem' },
    { aspectRatio: 0.5, width: '11rem' },
    { aspectRatio: 3, width: '22rem' },
    { aspectRatio: 4 / 3, width: '8rem' },
    { aspectRatio: 0.5, width: '8rem' },
  ]);
  expect(pictureBox({ width: null, height: null })).toEqual({ aspectRatio: 4 / 3, width: '22rem' });
});

test('a panorama is shown whole, and a small film has room for its controls', () => {
  expect(isLong({ width: 3000, height: 300 })).toBe(true);
  expect(isLong({ width: 300, height: 1500 })).toBe(true);
  expect(isLong({ width: 1200, height: 300 })).toBe(false);
  expect(isLong({ width: null, height: null })).toBe(false);
  expect(filmBox({ width: 160, height: 90 })).toEqual({ aspectRatio: 16 / 9, width: '16rem' });
});

test('an album of three has a large picture beside two small ones', () => {
  expect(albumPlaces(3).map(({ columns, rows }) => [columns, rows])).toEqual([
    [4, 2],
    [2, 1],
    [2, 1],
  ]);
});

test('the rows of other albums are full', () => {
  for (let count = 2; count <= 10; count++) {
    if (count === 3) continue;
    const places = albumPlaces(count);
    expect(places).toHaveLength(count);
    let row = 0;
    for (const { columns } of places) {
      row += columns;
      expect(row).toBeLessThanOrEqual(6);
      if (row === 6) row = 0;
    }
    expect(row, `${count} pictures`).toBe(0);
  }
});
