import { type KeyboardEvent, type PointerEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { classNames } from '../design/class-names.ts';
import { t } from '../words.tsx';
import { type Crop, KEY_MOVE, LARGEST, moved, STEP, scaled } from './crop.ts';
import { drawCrop } from './draw.ts';

/** Pixels of the shown part: twice the size of the frame. */
const DRAWN = 512;

const DIRECTIONS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [KEY_MOVE, 0],
  ArrowRight: [-KEY_MOVE, 0],
  ArrowUp: [0, KEY_MOVE],
  ArrowDown: [0, -KEY_MOVE],
};

interface CropFrameProps {
  picture: ImageBitmap;
  crop: Crop;
  onCrop: (crop: Crop) => void;
  /** Circle for a person, rounded square for a group. */
  isRound: boolean;
}

/** A square of a picture, moved by drag and arrow keys, scaled by wheel, keys and a slider. */
export function CropFrame({ picture, crop, onCrop, isRound }: CropFrameProps) {
  const [canvas, setCanvas] = useState<HTMLCanvasElement | null>(null);
  const dragged = useRef<{ id: number; x: number; y: number } | null>(null);
  useEffect(() => {
    const context = canvas?.getContext('2d');
    if (context) drawCrop(context, picture, crop);
  }, [canvas, picture, crop]);

  const onWheel = useEffectEvent((event: WheelEvent) => {
    event.preventDefault();
    const steps = Math.min(1, Math.max(-1, -event.deltaY / 100));
    onCrop(scaled(crop, crop.scale * STEP ** steps, picture));
  });
  useEffect(() => {
    const listener = (event: WheelEvent) => onWheel(event);
    canvas?.addEventListener('wheel', listener, { passive: false });
    return () => canvas?.removeEventListener('wheel', listener);
  }, [canvas]);

  const onPointerMove = ({ pointerId, clientX, clientY, currentTarget }: PointerEvent<HTMLElement>) => {
    const from = dragged.current;
    if (from?.id !== pointerId) return;
    const side = currentTarget.getBoundingClientRect().width || 1;
    dragged.current = { id: pointerId, x: clientX, y: clientY };
    onCrop(moved(crop, (clientX - from.x) / side, (clientY - from.y) / side, picture));
  };
  const release = () => {
    dragged.current = null;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const direction = DIRECTIONS[event.key];
    if (direction) onCrop(moved(crop, ...direction, picture));
    else if (event.key === '+' || event.key === '=') onCrop(scaled(crop, crop.scale * STEP, picture));
    else if (event.key === '-') onCrop(scaled(crop, crop.scale / STEP, picture));
    else return;
    event.preventDefault();
  };
  return (
    <div className="flex flex-col items-center gap-4">
      <div
        aria-label={t('faces.frame')}
        className={classNames(
          'aspect-square w-full max-w-64 cursor-move touch-none overflow-hidden border border-line-strong',
          isRound ? 'rounded-full' : 'rounded-[30%]',
        )}
        data-crop={`${crop.scale.toFixed(2)} ${crop.x.toFixed(2)} ${crop.y.toFixed(2)}`}
        onKeyDown={onKeyDown}
        onPointerCancel={release}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          dragged.current = { id: event.pointerId, x: event.clientX, y: event.clientY };
        }}
        onPointerMove={onPointerMove}
        onPointerUp={release}
        role="application"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keys move the picture in it
        tabIndex={0}
      >
        <canvas className="size-full" height={DRAWN} ref={setCanvas} width={DRAWN} />
      </div>
      <label className="flex w-full max-w-64 items-center gap-3 text-secondary">
        {t('faces.zoom')}
        <input
          className="min-w-0 flex-1 accent-accent"
          max={LARGEST}
          min={1}
          onChange={({ target }) => onCrop(scaled(crop, Number(target.value), picture))}
          step={0.01}
          type="range"
          value={crop.scale}
        />
      </label>
    </div>
  );
}
