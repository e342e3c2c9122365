import { classNames } from '../../../design/class-names.ts';
import { FileCard } from '../file-card.tsx';
import { FileOnTheWay } from '../file-on-the-way.tsx';
import { FirstFrame } from '../first-frame.tsx';
import { Placeholder } from '../placeholder.tsx';
import { PlayButton } from '../play-button.tsx';
import { useAnimation } from '../use-animation.ts';
import { type FileOf, isHere, usePictureFile } from '../use-file.ts';
import type { Zoom } from './use-zoom.ts';

interface StageProps {
  of: FileOf;
  description: string;
  /** Receives the element whose gestures zoom the picture. */
  onStage: (stage: HTMLElement | null) => void;
  zoom: Zoom;
}

/** A picture as large as the window allows. */
export function Stage({ of, description, onStage, zoom }: StageProps) {
  const { file } = of;
  const { data, error } = usePictureFile(of);
  const animation = useAnimation(data);
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
        <div
          className="absolute inset-0"
          ref={animation.ref}
          style={{ transform: `translate(${x + zoom.shift}px, ${y}px) scale(${scale})` }}
        >
          {animation.isAnimated && !animation.isPlaying ? (
            <FirstFrame alt={description} className="size-full object-contain" path={data.path} />
          ) : (
            <img alt={description} className="size-full object-contain" draggable={false} src={data.path} />
          )}
        </div>
      )}
      <PlayButton animation={animation} className="absolute inset-x-0 bottom-3 mx-auto" />
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
