import { type PointerEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { WheelGestures } from './wheel.ts';
import { CLOSE, type Point, panned, STEP, swipeOf, type View, WHOLE, zoomed } from './zoom.ts';

/** Pixels that an arrow key moves the picture. */
const KEY_PAN = 60;

const DIRECTIONS: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: KEY_PAN, y: 0 },
  ArrowRight: { x: -KEY_PAN, y: 0 },
  ArrowUp: { x: 0, y: KEY_PAN },
  ArrowDown: { x: 0, y: -KEY_PAN },
};

export interface Zoom {
  view: View;
  /** Pixels by which a finger has moved the whole picture to the right. */
  shift: number;
  zoomBy: (factor: number) => void;
  reset: () => void;
  /** @returns true if the key moved or scaled the picture */
  onKey: (key: string) => boolean;
  /** For the stage of the picture. */
  handlers: {
    onPointerDown: (event: PointerEvent) => void;
    onPointerMove: (event: PointerEvent) => void;
    onPointerUp: (event: PointerEvent) => void;
    onPointerCancel: (event: PointerEvent) => void;
    onDoubleClick: (event: { clientX: number; clientY: number }) => void;
  };
}

/**
 * Zooming and moving a picture by wheel, drag, pinch, double click and keys.
 * @param onSwipe called after a swipe over the whole picture, by one finger or by two on a trackpad: 1 to the right, -1 to
 * the left
 */
export function useZoom(stage: HTMLElement | null, onSwipe: (direction: 1 | -1) => void): Zoom {
  const [view, setView] = useState(WHOLE);
  const [shift, setShift] = useState(0);
  const swipeFrom = useRef<Point>(null);
  const gestures = useRef(new WheelGestures());
  const pointers = useRef(new Map<number, Point>());
  const box = () => stage?.getBoundingClientRect() ?? new DOMRect(0, 0, 1, 1);
  const pointOf = ({ clientX, clientY }: { clientX: number; clientY: number }): Point => {
    const { left, top, width, height } = box();
    return { x: clientX - left - width / 2, y: clientY - top - height / 2 };
  };
  const zoomAt = (factor: number, point: Point) => setView((before) => zoomed(before, factor, point, box()));
  const zoomBy = (factor: number) => zoomAt(factor, { x: 0, y: 0 });

  const onWheel = useEffectEvent((event: WheelEvent) => {
    event.preventDefault();
    const effect = gestures.current.effectOf(event, view.scale > 1);
    if (effect === 'pan') setView((before) => panned(before, { x: -event.deltaX, y: -event.deltaY }, box()));
    else if (effect === 1 || effect === -1) onSwipe(effect);
    if (effect !== 'zoom') return;
    // A trackpad's pinch arrives as small steps with Ctrl.
    const steps = Math.min(1, Math.max(-1, -event.deltaY / (event.ctrlKey ? 20 : 100)));
    zoomAt(STEP ** steps, pointOf(event));
  });
  useEffect(() => {
    const listener = (event: WheelEvent) => onWheel(event);
    stage?.addEventListener('wheel', listener, { passive: false });
    return () => stage?.removeEventListener('wheel', listener);
  }, [stage]);

  const onPointerMove = (event: PointerEvent) => {
    const before = pointers.current.get(event.pointerId);
    if (!before) return;
    const now = pointOf(event);
    const [other] = [...pointers.current].filter(([id]) => id !== event.pointerId).map(([, point]) => point);
    pointers.current.set(event.pointerId, now);
    if (swipeFrom.current) {
      setShift(now.x - swipeFrom.current.x);
      return;
    }
    if (!other) {
      setView((view) => panned(view, { x: now.x - before.x, y: now.y - before.y }, box()));
      return;
    }
    const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
    zoomAt(distance(now, other) / Math.max(1, distance(before, other)), middle);
  };
  const stopSwipe = () => {
    swipeFrom.current = null;
    setShift(0);
  };
  const release = ({ pointerId }: PointerEvent) => {
    pointers.current.delete(pointerId);
    stopSwipe();
  };
  return {
    view,
    shift,
    zoomBy,
    reset: () => {
      // The end of a drag over the former picture may be reported nowhere.
      pointers.current.clear();
      stopSwipe();
      setView(WHOLE);
    },
    onKey: (key) => {
      if (key === '+' || key === '=') zoomBy(STEP);
      else if (key === '-') zoomBy(1 / STEP);
      else if (key === '0') setView(WHOLE);
      else {
        const direction = DIRECTIONS[key];
        if (!direction || view.scale === 1) return false;
        setView((before) => panned(before, direction, box()));
      }
      return true;
    },
    handlers: {
      onPointerDown: (event) => {
        if (event.target instanceof Element && event.target.closest('button, a')) return;
        stopSwipe();
        pointers.current.set(event.pointerId, pointOf(event));
        const isAlone = pointers.current.size === 1;
        if (isAlone && view.scale === 1 && event.pointerType !== 'mouse') swipeFrom.current = pointOf(event);
        event.currentTarget.setPointerCapture(event.pointerId);
      },
      onPointerMove,
      onPointerUp: (event) => {
        const direction = swipeFrom.current && swipeOf(swipeFrom.current, pointOf(event));
        release(event);
        if (direction) onSwipe(direction);
      },
      onPointerCancel: release,
      onDoubleClick: (event) => (view.scale > 1 ? setView(WHOLE) : zoomAt(CLOSE, pointOf(event))),
    },
  };
}

function distance(one: Point, other: Point): number {
  return Math.hypot(one.x - other.x, one.y - other.y);
}
