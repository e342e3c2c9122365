import { Pause, Play } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { classNames } from '../../design/class-names.ts';
import { IconButton } from '../../design/icon-button.tsx';
import { t } from '../../words.tsx';
import { useActions } from '../actions/action-state.tsx';
import { FileCard } from './file-card.tsx';
import { FileOnTheWay } from './file-on-the-way.tsx';
import { FileProblem } from './file-problem.tsx';
import { FirstFrame } from './first-frame.tsx';
import { pictureBox } from './picture-box.ts';
import { Placeholder } from './placeholder.tsx';
import { type FileOf, usePictureFile } from './use-file.ts';
import { useReducedMotion } from './use-reduced-motion.ts';

/** A picture alone in its place. */
export function SinglePicture({ of }: { of: FileOf }) {
  return (
    <IfPicture of={of}>
      <div
        className="relative max-w-full overflow-hidden rounded-menu bg-sunken"
        data-file-place
        style={pictureBox(of.file)}
      >
        <PictureTile of={of} />
      </div>
      <FileProblem of={of} />
    </IfPicture>
  );
}

/** Shows as a file what turned out to be no picture. */
function IfPicture({ of, children }: { of: FileOf; children: ReactNode }) {
  const { data, error } = usePictureFile(of);
  if (error || (data && !data.head)) return <FileCard of={of} />;
  return children;
}

/** A picture that fills its place: the placeholder until it is here, then a button that opens the viewer. */
export function PictureTile({ of }: { of: FileOf }) {
  const { file, message, index } = of;
  const { open } = useActions();
  const { data } = usePictureFile(of);
  const [isPlaying, setPlaying] = useState(false);
  const isStill = useReducedMotion() && data?.head?.isAnimated === true;
  const alt = file.alt ?? t('files.pictureOf', { name: file.name });
  return (
    <>
      <Placeholder file={file} />
      {data?.head && (
        <button
          aria-haspopup="dialog"
          className="absolute inset-0 size-full -outline-offset-4"
          data-picture={`${message.id}/${index}`}
          onClick={() => open({ kind: 'viewer', message, index })}
          type="button"
        >
          {isStill && !isPlaying ? (
            <FirstFrame alt={alt} className="size-full object-cover" path={data.path} />
          ) : (
            <Picture alt={alt} path={data.path} />
          )}
        </button>
      )}
      {isStill && (
        <IconButton
          className="absolute end-2 bottom-2 bg-surface/90"
          icon={isPlaying ? Pause : Play}
          label={t(isPlaying ? 'files.pause' : 'files.play')}
          onClick={() => setPlaying(!isPlaying)}
        />
      )}
      <FileOnTheWay of={of} />
    </>
  );
}

function Picture({ path, alt }: { path: string; alt: string }) {
  const [isLoaded, setLoaded] = useState(false);
  return (
    <img
      alt={alt}
      className={classNames('size-full object-cover', !isLoaded && 'opacity-0')}
      decoding="async"
      draggable={false}
      onLoad={() => setLoaded(true)}
      src={path}
    />
  );
}
