import { Pause, Play } from 'lucide-react';
import { useState } from 'react';
import { classNames } from '../../../design/class-names.ts';
import { IconButton } from '../../../design/icon-button.tsx';
import { t } from '../../../words.tsx';
import { FileCard } from '../file-card.tsx';
import { FileOnTheWay } from '../file-on-the-way.tsx';
import { FirstFrame } from '../first-frame.tsx';
import { Placeholder } from '../placeholder.tsx';
import { type FileOf, isHere, usePictureFile } from '../use-file.ts';
import { useReducedMotion } from '../use-reduced-motion.ts';
import type { Zoom } from './use-zoom.ts';

interface StageProps {
  of: FileOf;
  description: string;
  /** Called with the element that is zoomed by. */
  onStage: (stage: HTMLElement | null) => void;
  zoom: Zoom;
}

/** A picture as large as the window allows. */
export function Stage({ of, description, onStage, zoom }: StageProps) {
  const { file } = of;
  const { data, error } = usePictureFile(of);
  const [isPlaying, setPlaying] = useState(false);
  const isStill = useReducedMotion() && data?.head?.isAnimated === true;
  const { scale, x, y } = zoom.view;
  const isBroken = error !== null || (data && !data.head);
  return (
    <div
      className={classNames(
        'absolute inset-0 touch-none select-none overflow-hidden',
        scale > 1 && 'cursor-grab active:cursor-grabbing',
      )}
      data-scale={scale}
      ref={onStage}
      {...zoom.handlers}
    >
      {isBroken && (
        <div className="absolute inset-0 grid place-items-center p-4">
          <FileCard of={of} />
        </div>
      )}
      {!isHere(file) && <Waiting of={of} />}
      {data?.head && (
        <div className="absolute inset-0" style={{ transform: `translate(${x}px, ${y}px) scale(${scale})` }}>
          {isStill && !isPlaying ? (
            <FirstFrame alt={description} className="size-full object-contain" path={data.path} />
          ) : (
            <img alt={description} className="size-full object-contain" draggable={false} src={data.path} />
          )}
        </div>
      )}
      {isStill && (
        <IconButton
          className="absolute inset-x-0 bottom-3 mx-auto bg-surface/90"
          icon={isPlaying ? Pause : Play}
          label={t(isPlaying ? 'files.pause' : 'files.play')}
          onClick={() => setPlaying(!isPlaying)}
        />
      )}
    </div>
  );
}

/** A picture that is not here yet. */
function Waiting({ of }: { of: FileOf }) {
  return (
    <div className="absolute inset-0 grid place-items-center p-4">
      <div className="relative aspect-[4/3] w-[22rem] max-w-full overflow-hidden rounded-menu bg-sunken">
        <Placeholder file={of.file} />
        <FileOnTheWay of={of} />
      </div>
    </div>
  );
}
