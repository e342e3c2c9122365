/** The square part of a picture: always inside of it, after any move or zoom. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Crop, LARGEST, MIDDLE, moved, scaled, squareOf } from '../../../../src/renderer/faces/crop.ts';

const side = fc.integer({ min: 1, max: 8_000 });
const size = fc.record({ width: side, height: side });
const part = fc.double({ min: -3, max: 3, noNaN: true });
const steps = fc.array(
  fc.oneof(
    fc.record({ x: part, y: part }),
    fc.record({ scale: fc.double({ min: 0.01, max: 20, noNaN: true }) }),
  ),
  { maxLength: 12 },
);

test('each sequence of moves and scales stays inside of the picture', () => {
  fc.assert(
    fc.property(size, steps, (picture, all) => {
      let crop: Crop = MIDDLE;
      for (const step of all)
        crop = 'scale' in step ? scaled(crop, step.scale, picture) : moved(crop, step.x, step.y, picture);
      const square = squareOf(crop, picture);
      const slack = 1e-6 * Math.max(picture.width, picture.height);
      expect(crop.scale).toBeGreaterThanOrEqual(1);
      expect(crop.scale).toBeLessThanOrEqual(LARGEST);
      expect(square.left).toBeGreaterThanOrEqual(-slack);
      expect(square.top).toBeGreaterThanOrEqual(-slack);
      expect(square.left + square.side).toBeLessThanOrEqual(picture.width + slack);
      expect(square.top + square.side).toBeLessThanOrEqual(picture.height + slack);
    }),
  );
});

test('the middle of a wide picture is its whole height, and moving right shows its left', () => {
  const wide = { width: 400, height: 200 };
  expect(squareOf(MIDDLE, wide)).toEqual({ left: 100, top: 0, side: 200 });
  expect(squareOf(moved(MIDDLE, 9, 9, wide), wide)).toEqual({ left: 0, top: 0, side: 200 });
  expect(squareOf(scaled(MIDDLE, 2, wide), wide)).toEqual({ left: 150, top: 50, side: 100 });
});
