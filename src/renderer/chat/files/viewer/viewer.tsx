import { Dialog } from '@base-ui/react/dialog';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import type { Message } from '../../../../bridge/shapes/message.ts';
import { focusAtOnce } from '../../../design/focus-at-once.ts';
import { IconButton } from '../../../design/icon-button.tsx';
import { t } from '../../../words.tsx';
import { articleOf, useActions } from '../../actions/action-state.tsx';
import { MarkdownText } from '../../markdown-text.tsx';
import type { FileOf } from '../use-file.ts';
import { useChatPlaces } from './chat-place.ts';
import { Stage } from './stage.tsx';
import { usePictures } from './use-pictures.ts';
import { useShowMessage } from './use-show-message.ts';
import { useZoom } from './use-zoom.ts';
import { ViewerBar } from './viewer-bar.tsx';

/** The pictures of the chat in their own window. */
export function Viewer() {
  const { opened, open } = useActions();
  const showMessage = useShowMessage();
  useChatPlaces({
    openPicture: (message, index) => open({ kind: 'viewer', message, index }),
    showMessage,
  });
  if (opened?.kind !== 'viewer') return null;
  return <OpenViewer start={opened} />;
}

interface Place {
  message: Message;
  index: number;
}

function OpenViewer({ start }: { start: Place }) {
  const { close } = useActions();
  const [current, setCurrent] = useState<Place>(start);
  const { pictures, place, loadOlder } = usePictures(current);
  const [stage, setStage] = useState<HTMLElement | null>(null);
  const closeButton = useRef<HTMLButtonElement>(null);
  const zoom = useZoom(stage, (direction) => move(direction === 1 ? toTheLeft() : toTheRight()));
  // A picture that was deleted meanwhile closes the viewer by its next key or button.
  const of = pictures[place] ?? ofPlace(current);
  const move = (by: 1 | -1) => {
    const next = pictures[place + by];
    if (place + by <= 1) loadOlder();
    if (!next) return;
    zoom.reset();
    setCurrent(next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isHandled = zoom.onKey(event.key) || isMove(event.key, move);
    if (isHandled) event.preventDefault();
  };
  const description = of?.file.alt ?? t('files.pictureOf', { name: of?.file.name ?? '' });
  return (
    <Dialog.Root onOpenChange={(next) => !next && close('viewer')} open>
      <Dialog.Portal>
        <Dialog.Popup
          // Pictures have a dark surrounding in each theme.
          className="modal-window dark-place fixed inset-0 z-40 flex flex-col bg-canvas text-ink outline-none"
          finalFocus={() =>
            intoView(thumbnailOf(current) ?? thumbnailOf(start) ?? articleOf(current.message.id))
          }
          initialFocus={() => focusAtOnce(closeButton.current)}
          onKeyDown={onKeyDown}
        >
          <Dialog.Title className="sr-only">{t('files.viewer')}</Dialog.Title>
          <p aria-live="polite" className="sr-only">
            {place >= 0 && t('files.viewed', { place: place + 1, count: pictures.length, description })}
          </p>
          {of && <ViewerBar closeButton={closeButton} of={of} zoom={zoom} />}
          <div className="relative min-h-0 flex-1 overflow-hidden">
            {of && (
              <Stage
                description={description}
                key={`${of.message.id}/${of.index}`}
                of={of}
                onStage={setStage}
                zoom={zoom}
              />
            )}
            <Step isOffered={place > 0} onMove={() => move(-1)} towards="start" />
            <Step isOffered={place < pictures.length - 1} onMove={() => move(1)} towards="end" />
          </div>
          {of && <Caption key={of.message.id} message={of.message} />}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** The text of the message, below its picture. */
function Caption({ message: { id, mentions, text } }: { message: Message }) {
  if (text === '') return null;
  return (
    <section
      aria-label={t('files.caption')}
      className="max-h-[30%] shrink-0 overflow-y-auto whitespace-pre-wrap border-line border-t bg-surface px-4 py-3 text-message [overflow-wrap:anywhere]"
      dir="auto"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that may scroll must be reachable by keyboard
      tabIndex={0}
    >
      <div className="mx-auto max-w-[44rem]">
        <MarkdownText id={id} mentions={mentions} text={text} />
      </div>
    </section>
  );
}

function ofPlace({ message, index }: Place): FileOf | null {
  const file = message.files[index];
  return file ? { message, file, index } : null;
}

function isMove(key: string, move: (by: 1 | -1) => void): boolean {
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return false;
  move(key === 'ArrowRight' ? toTheRight() : toTheLeft());
  return true;
}

/** The step to the picture at the right. */
function toTheRight(): 1 | -1 {
  return document.documentElement.dir === 'rtl' ? -1 : 1;
}

function toTheLeft(): 1 | -1 {
  return toTheRight() === 1 ? -1 : 1;
}

/** The picture of a message in the chat. */
function thumbnailOf({ message, index }: Place): HTMLElement | null {
  return document.querySelector<HTMLElement>(`[data-picture="${CSS.escape(`${message.id}/${index}`)}"]`);
}

/** Base UI focuses without scrolling, and the last viewed picture may be far from the first. */
function intoView(target: HTMLElement | null): HTMLElement | null {
  target?.scrollIntoView({ block: 'nearest' });
  return target;
}

interface StepProps {
  towards: 'start' | 'end';
  isOffered: boolean;
  onMove: () => void;
}

function Step({ towards, isOffered, onMove }: StepProps) {
  const isBack = towards === 'start';
  return (
    <IconButton
      aria-disabled={!isOffered}
      className={`absolute top-1/2 size-11! -translate-y-1/2 border border-line-strong bg-surface text-ink! shadow-raised aria-disabled:invisible rtl:-scale-x-100 ${isBack ? 'start-2' : 'end-2'}`}
      icon={isBack ? ChevronLeft : ChevronRight}
      keys={isBack ? '←' : '→'}
      label={t(isBack ? 'files.previous' : 'files.next')}
      onClick={onMove}
    />
  );
}
