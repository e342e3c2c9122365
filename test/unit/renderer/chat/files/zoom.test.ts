import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  CLOSE,
  LARGEST,
  panned,
  swipeOf,
  WHOLE,
  zoomed,
} from '../../../../../src/renderer/chat/files/viewer/zoom.ts';

const BOX = { width: 800, height: 600 };

test('the point under the pointer stays in its place while zooming', () => {
  const point = { x: 120, y: -80 };
  const { scale, x, y } = zoomed(WHOLE, CLOSE, point, BOX);
  expect(scale).toBe(CLOSE);
  // The same point of the picture, before and after.
  expect({ x: (point.x - x) / scale, y: (point.y - y) / scale }).toEqual(point);
});

test('the scale is between 1 and its limit, and the picture never leaves its place', () => {
  const number = fc.integer({ min: -2000, max: 2000 });
  const step = fc.record({ factor: fc.constantFrom(0.1, 0.8, 1.25, 9), x: number, y: number });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      let view = WHOLE;
      for (const { factor, x, y } of steps)
        view = panned(zoomed(view, factor, { x, y }, BOX), { x: y, y: x }, BOX);
      expect(view.scale).toBeGreaterThanOrEqual(1);
      expect(view.scale).toBeLessThanOrEqual(LARGEST);
      expect(Math.abs(view.x)).toBeLessThanOrEqual((BOX.width * (view.scale - 1)) / 2);
      expect(Math.abs(view.y)).toBeLessThanOrEqual((BOX.height * (view.scale - 1)) / 2);
    }),
  );
});

test('a swipe is long and level', () => {
  const from = { x: 10, y: 20 };
  expect(swipeOf(from, { x: 90, y: 40 })).toBe(1);
  expect(swipeOf(from, { x: -70, y: 0 })).toBe(-1);
  expect(swipeOf(from, { x: 50, y: 20 })).toBe(0);
  expect(swipeOf(from, { x: 110, y: 120 })).toBe(0);
});
