/** Announcements of results that the screen shows without words, such as a row that is gone. */
import { useEffect, useSyncExternalStore } from 'react';

interface Line {
  id: number;
  text: string;
}

/** Time after which an announced text leaves the page, in milliseconds: screen readers have it by then. */
const REMOVED_AFTER = 7_000;
/** Time after which loading is announced, in milliseconds. */
const ANNOUNCED_AFTER = 1_000;
/** The most lines at a time; older ones are removed. */
const MAX_LINES = 5;

let lines: readonly Line[] = [];
let nextId = 0;
const listeners = new Set<() => void>();

function setLines(next: readonly Line[]): void {
  lines = next;
  for (const listener of listeners) listener();
}

/** Announces a sentence to screen readers, when they have finished the current one. */
export function announce(text: string): void {
  setLines([...lines, { id: nextId++, text }].slice(-MAX_LINES));
}

/** Announces that something loads, unless it is there after a second. */
export function LoadingAnnouncement({ text }: { text: string }) {
  useEffect(() => {
    const timer = setTimeout(announce, ANNOUNCED_AFTER, text);
    return () => clearTimeout(timer);
  }, [text]);
  return null;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The live region of {@link announce}. Locking removes it with its texts. */
export function Announcements() {
  const shown = useSyncExternalStore(subscribe, () => lines);
  const last = shown.at(-1)?.id;
  useEffect(() => {
    if (last === undefined) return;
    const timer = setTimeout(() => setLines([]), REMOVED_AFTER);
    return () => clearTimeout(timer);
  }, [last]);
  useEffect(() => () => setLines([]), []);
  return (
    // Dialogs hide the rest of the page from screen readers, except elements with this attribute.
    <div aria-live="polite" className="sr-only" data-announcements>
      {shown.map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </div>
  );
}
