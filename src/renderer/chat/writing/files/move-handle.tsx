import { GripVertical } from 'lucide-react';
import { type KeyboardEvent, type PointerEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { IconButton } from '../../../design/icon-button.tsx';
import { t } from '../../../words.tsx';

interface MoveHandleProps {
  name: string;
  /** Place in the list, from 0. */
  place: number;
  count: number;
  isDisabled: boolean;
  /** @param to place from 0, which may be beyond the ends */
  onMove: (to: number) => void;
}

/** Moves its row in a list: by dragging, and by the arrow keys, Home and End. */
export function MoveHandle({ name, place, count, isDisabled, onMove }: MoveHandleProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [isDragging, setDragging] = useState(false);
  const onPointer = useEffectEvent(({ clientY }: globalThis.PointerEvent) => {
    const to = placeAt(button.current?.closest('ul'), clientY);
    if (to !== null && to !== place) onMove(to);
  });
  // On the window: a row that moves in the page loses a captured pointer.
  useEffect(() => {
    if (!isDragging) return;
    const move = (event: globalThis.PointerEvent) => onPointer(event);
    const end = () => setDragging(false);
    window.addEventListener('pointermove', move);
    window.addEventListener('pointerup', end);
    window.addEventListener('pointercancel', end);
    return () => {
      window.removeEventListener('pointermove', move);
      window.removeEventListener('pointerup', end);
      window.removeEventListener('pointercancel', end);
    };
  }, [isDragging]);
  const onKeyDown = (event: KeyboardEvent) => {
    const to = { ArrowUp: place - 1, ArrowDown: place + 1, Home: 0, End: count - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    flushSync(() => onMove(to));
    // A moved element loses the focus.
    button.current?.focus();
  };
  return (
    <>
      <IconButton
        className={isDragging ? 'cursor-grabbing touch-none bg-raised' : 'cursor-grab touch-none'}
        disabled={isDisabled}
        icon={GripVertical}
        keys={t('files.moveKeys')}
        label={t('files.move', { name })}
        onKeyDown={onKeyDown}
        onPointerDown={(event: PointerEvent) => event.button === 0 && setDragging(true)}
        ref={button}
        size="small"
      />
      <span aria-live="polite" className="sr-only">
        {t('files.movePlace', { place: place + 1, count })}
      </span>
    </>
  );
}

/** The place of the row at a height of the window; beside the list, the nearest one. */
function placeAt(list: HTMLElement | null | undefined, y: number): number | null {
  if (!list) return null;
  const rows = [...list.children].map((row) => row.getBoundingClientRect());
  const found = rows.findIndex(({ bottom }) => y < bottom);
  return found === -1 ? rows.length - 1 : found;
}
