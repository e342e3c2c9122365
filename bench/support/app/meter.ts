/** Measurement inside a page: of what was drawn, of keys, and of frames. Times are in milliseconds of the page's clock. */

/** Elements of a page that begin with a text; any text if it is empty. */
export interface Shown {
  selector: string;
  text: string;
}

export interface Meter {
  /** Since the navigation, until each of the expected elements was drawn first, in their order. */
  started: Promise<number>[];
  /** Resolves with the time when such an element is drawn. Rejects after a minute. */
  drawn(shown: Shown): Promise<number>;
  /** From each key to the frame that was drawn after it. */
  keys: number[];
  beginFrames(): void;
  /** The times between two frames since the beginning. */
  endFrames(): number[];
  beginSearches(): void;
  /** From each key in a search field since the beginning until the results for its text, or for a longer one, were drawn. */
  endSearches(): Promise<number[]>;
}

declare global {
  interface Window {
    meter: Meter;
  }
}

/**
 * Runs in a page before its own scripts, by itself: it has no imports.
 * @param expected the elements of its start
 */
export function addMeter(expected: readonly Shown[]): void {
  /** Resolves after the next frame was drawn: its callbacks and its layout come before a message. */
  const painted = () =>
    new Promise<number>((resolve) => {
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve(performance.now());
        port2.postMessage(null);
      });
    });
  const isThere = ({ selector, text }: Shown) => {
    const found = document.querySelectorAll(selector);
    // The newest one is at the end.
    return text === '' ? found.length > 0 : Array.from(found).some((one) => one.textContent.includes(text));
  };
  const drawn = async (shown: Shown) => {
    const end = performance.now() + 60_000;
    for (;;) {
      const time = await painted();
      if (isThere(shown)) return time;
      if (time > end) throw new Error(`${shown.selector} '${shown.text}' was not drawn`);
    }
  };
  const keys: number[] = [];
  addEventListener('keydown', ({ timeStamp }) => void painted().then((time) => keys.push(time - timeStamp)), {
    capture: true,
  });
  let frames: number[] = [];
  const beginFrames = () => {
    const measured: number[] = [];
    frames = measured;
    const measureAfter = (last: number) => (now: number) => {
      // The callback of an earlier measurement may come after the begin of this one.
      if (frames !== measured) return;
      measured.push(now - last);
      requestAnimationFrame(measureAfter(now));
    };
    requestAnimationFrame((now) => requestAnimationFrame(measureAfter(now)));
  };
  const endFrames = () => {
    const measured = frames;
    frames = [];
    return measured;
  };
  let searches: Promise<number>[] = [];
  const onKey = ({ timeStamp, target }: KeyboardEvent) => {
    // The field has its new text after this event.
    const text = new Promise<string>((resolve) =>
      setTimeout(() => resolve((target as HTMLInputElement).value)),
    );
    const isDrawn = (found: string) =>
      drawn({ selector: `ul[aria-label^="Messages with “${found}"]`, text: '' });
    searches.push(text.then(isDrawn).then((time) => time - timeStamp));
  };
  const beginSearches = () => {
    searches = [];
    addEventListener('keydown', onKey, { capture: true });
  };
  const endSearches = () => {
    removeEventListener('keydown', onKey, { capture: true });
    return Promise.all(searches);
  };
  const started = expected.map(drawn);
  window.meter = { started, drawn, keys, beginFrames, endFrames, beginSearches, endSearches };
}
