import { expect, test } from 'vitest';
import { albumSpans, pictureBox } from '../../../../../src/renderer/chat/files/picture-box.ts';

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

test('the rows of an album are full', () => {
  for (let count = 2; count <= 10; count++) {
    const spans = albumSpans(count);
    expect(spans).toHaveLength(count);
    let row = 0;
    for (const span of spans) {
      row += span;
      expect(row).toBeLessThanOrEqual(6);
      if (row === 6) row = 0;
    }
    expect(row, `${count} pictures`).toBe(0);
  }
});
