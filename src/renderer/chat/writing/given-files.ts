/**
 * Files dropped on the window or pasted: they belong to the open chat. By default the browser would open a dropped file, or
 * a link dropped beside a field, in place of the app.
 */
import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import { showOnce } from '../../design/toasts.tsx';
import { t } from '../../words.tsx';
import { type Given, givenIn } from './files/add-files.ts';

/** The composer of the open chat; null without one. */
let receiver: ((given: Given) => void) | null = null;
/** True while the open chat has no composer. */
let isReadOnly = false;
let isOver = false;
const listeners = new Set<() => void>();

/** Listens for the whole life of the page. */
export function answerGivenFiles(): void {
  window.addEventListener('dragenter', steer);
  window.addEventListener('dragover', steer);
  window.addEventListener('dragleave', ({ relatedTarget }) => {
    // Between two elements of the page it only changes its target.
    if (relatedTarget === null) setOver(false);
  });
  window.addEventListener('drop', (event) => {
    steer(event);
    setOver(false);
    if (hasFiles(event) && event.dataTransfer) give(givenIn(event.dataTransfer));
  });
  window.addEventListener('paste', ({ clipboardData }) => {
    // Office programs add a picture of the copied text.
    const hasText = clipboardData?.getData('text/plain') !== '';
    if (clipboardData && clipboardData.files.length > 0 && !hasText) give(givenIn(clipboardData));
  });
}

function give(given: Given): void {
  if (receiver && !isCovered()) receiver(given);
  else showOnce(t(isReadOnly && !isCovered() ? 'files.notInChat' : 'files.noChat'));
}

/** A dialog covers the chat. */
const isCovered = () => document.querySelector('[role=dialog], [role=alertdialog]') !== null;

/** Files may be dropped anywhere; texts and links only into fields. */
function steer(event: DragEvent): void {
  const isForField = event.target instanceof Element && event.target.closest('input, textarea') !== null;
  if (!hasFiles(event) && isForField) return;
  event.preventDefault();
  setOver(hasFiles(event) && receiver !== null && !isCovered());
  if (event.dataTransfer) event.dataTransfer.dropEffect = hasFiles(event) ? 'copy' : 'none';
}

const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') === true;

function setOver(next: boolean): void {
  if (isOver === next) return;
  isOver = next;
  for (const listener of listeners) listener();
}

/** Receives given files while the component is mounted. True while some are held over the window. */
export function useGivenFiles(receive: (given: Given) => void): boolean {
  const latest = useEffectEvent(receive);
  useEffect(() => {
    const own = (given: Given) => latest(given);
    receiver = own;
    return () => {
      if (receiver === own) receiver = null;
    };
  }, []);
  return useSyncExternalStore(subscribe, () => isOver);
}

/** Answers given files while the person cannot write in the open chat. */
export function useRefusedFiles(isRefused: boolean): void {
  useEffect(() => {
    if (!isRefused) return;
    isReadOnly = true;
    return () => {
      isReadOnly = false;
    };
  }, [isRefused]);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
