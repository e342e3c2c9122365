/** One sound at a time. */
let last: WeakRef<HTMLMediaElement> | null = null;

/** Reports that an element plays, and pauses the one before. */
export function playAlone(element: HTMLMediaElement): void {
  if (last?.deref() !== element) pauseSound();
  last = new WeakRef(element);
}

export function pauseSound(): void {
  last?.deref()?.pause();
}
