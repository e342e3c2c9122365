import { expect, test } from 'vitest';
import { WheelGestures } from '../../../../../src/renderer/chat/files/viewer/wheel.ts';

/** The effects of events, 16 ms after each other. */
function effects(
  gestures: WheelGestures,
  start: number,
  deltas: readonly (readonly [x: number, y: number])[],
  isZoomed = false,
) {
  return deltas.map(([deltaX, deltaY], index) =>
    gestures.effectOf({ deltaX, deltaY, ctrlKey: false, timeStamp: start + 16 * index }, isZoomed),
  );
}

test('a swipe goes one picture on, and its inertia none', () => {
  const gestures = new WheelGestures();
  const inertia = Array.from({ length: 80 }, (_, index) => [160 - 2 * index, 1] as const);
  const swipe = [[4, 1], [30, 2], [40, 0], ...inertia] as const;
  expect(effects(gestures, 0, swipe).filter((each) => each !== null)).toEqual([-1]);
  expect(effects(gestures, 2_000, swipe).filter((each) => each !== null)).toEqual([-1]);
  expect(
    effects(gestures, 4_000, [
      [-61, 0],
      [-300, 0],
    ]),
  ).toEqual([1, null]);
});

test('a swipe back in the inertia of another is one of its own', () => {
  expect(
    effects(new WheelGestures(), 0, [
      [80, 0],
      [40, 0],
      [-30, 0],
      [-40, 0],
      [-40, 0],
    ]),
  ).toEqual([...[-1, null, null, 1, null]]);
});

test('a short or steep move is no swipe, and a wheel zooms', () => {
  const gestures = new WheelGestures();
  expect(
    effects(gestures, 0, [
      [30, 0],
      [29, 0],
    ]),
  ).toEqual([null, null]);
  expect(
    effects(gestures, 1_000, [
      [0, 100],
      [200, 0],
    ]),
  ).toEqual(['zoom', 'zoom']);
  expect(effects(gestures, 2_000, [[60, 60]])).toEqual(['zoom']);
});

test('a zoomed picture is moved, and zoomed by a pinch and a wheel', () => {
  const gestures = new WheelGestures();
  expect(
    effects(
      gestures,
      0,
      [
        [200, 30],
        [0, 40],
      ],
      true,
    ),
  ).toEqual(['pan', 'pan']);
  expect(effects(gestures, 1_000, [[0, 100]], true)).toEqual(['zoom']);
  const pinch = { deltaX: 0, deltaY: 4, ctrlKey: true, timeStamp: 2_000 };
  expect(gestures.effectOf(pinch, true)).toBe('zoom');
});
