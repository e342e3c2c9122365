/** Gestures of a wheel, and of two fingers on a trackpad: both arrive as the same events. */

/** Shortest pause between two gestures, in milliseconds. A trackpad reports its inertia without pauses. */
const PAUSE = 150;
/** Shortest swipe, in pixels. */
const SHORTEST = 60;

/** Part of a wheel event of the page. */
export interface Turn {
  deltaX: number;
  deltaY: number;
  /** True for a pinch on a trackpad. */
  ctrlKey: boolean;
  /** In milliseconds, from any start. */
  timeStamp: number;
}

/** Zoom or move the picture, swipe to the right (1) or to the left (-1), or nothing. */
export type Effect = 'zoom' | 'pan' | 1 | -1 | null;

/** Recognizes gestures. One that moves more across than along is a swipe; of a zoomed picture it moves the picture. */
export class WheelGestures {
  #kind: 'zoom' | 'pan' | 'swipe' = 'zoom';
  #last = Number.NEGATIVE_INFINITY;
  /** Pixels of the swipe since its start. */
  #sum = 0;
  #hasSwiped = false;

  effectOf({ deltaX, deltaY, ctrlKey, timeStamp }: Turn, isZoomed: boolean): Effect {
    const isOver = this.#kind === 'swipe' && (isZoomed || deltaX * this.#sum < 0);
    if (timeStamp - this.#last > PAUSE || isOver) {
      const isAcross = isZoomed ? deltaX !== 0 : Math.abs(deltaX) > Math.abs(deltaY);
      this.#kind = !isAcross ? 'zoom' : isZoomed ? 'pan' : 'swipe';
      this.#sum = 0;
      this.#hasSwiped = false;
    }
    this.#last = timeStamp;
    if (ctrlKey) return 'zoom';
    if (this.#kind !== 'swipe') return this.#kind;
    this.#sum += deltaX;
    if (this.#hasSwiped || Math.abs(this.#sum) < SHORTEST) return null;
    this.#hasSwiped = true;
    // The picture follows the fingers: to the left by a scroll to the right.
    return this.#sum > 0 ? -1 : 1;
  }
}
