import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import { listWidths } from '../../bridge/setting-bounds.ts';
import { t } from '../words.tsx';

const { rail, least, most } = listWidths;
/** The step of an arrow key, in pixels. */
const STEP = 16;

interface ListSplitterProps {
  /** Width of the list, in pixels at a text size of 100. */
  width: number;
  onChange: (width: number) => void;
  /** Called at the end of a change, for saving it. */
  onDone: () => void;
}

/** A list too narrow for words shows only avatars. */
function allowed(width: number): number {
  return width < least ? rail : Math.min(Math.round(width), most);
}

/** The divider between list and chat: dragged, or moved by the arrow keys. */
export function ListSplitter({ width, onChange, onDone }: ListSplitterProps) {
  const isDragged = useRef(false);
  const isRtl = () => document.documentElement.dir === 'rtl';
  const onMove = (event: PointerEvent<HTMLElement>) => {
    if (!isDragged.current) return;
    const list = event.currentTarget.previousElementSibling?.getBoundingClientRect();
    if (!list) return;
    const shown = isRtl() ? list.right - event.clientX : event.clientX - list.left;
    const scale = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
    onChange(allowed(shown / scale));
  };
  const onUp = () => {
    if (!isDragged.current) return;
    isDragged.current = false;
    onDone();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const wider = isRtl() ? 'ArrowLeft' : 'ArrowRight';
    const narrower = isRtl() ? 'ArrowRight' : 'ArrowLeft';
    const next = {
      [wider]: width === rail ? least : width + STEP,
      [narrower]: width === least ? rail : Math.max(width - STEP, width > least ? least : rail),
      Home: rail,
      End: most,
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    onChange(allowed(next));
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a separator that can be moved is a control
    <div
      aria-label={t('app.listWidth')}
      aria-orientation="vertical"
      aria-valuemax={most}
      aria-valuemin={rail}
      aria-valuenow={width}
      className="relative z-10 hidden w-2 shrink-0 -mx-1 cursor-col-resize touch-none -outline-offset-2 @min-[47.5rem]/window:block"
      onKeyDown={onKeyDown}
      onKeyUp={onDone}
      onLostPointerCapture={onUp}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        isDragged.current = true;
      }}
      onPointerMove={onMove}
      onPointerUp={onUp}
      role="separator"
      tabIndex={0}
    />
  );
}
