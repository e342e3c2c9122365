import { type ReactNode, useState } from 'react';
import { classNames } from '../../design/class-names.ts';
import { t } from '../../words.tsx';
import { useRowActions } from '../actions/action-state.tsx';
import { FileCard } from './file-card.tsx';
import { FileOnTheWay } from './file-on-the-way.tsx';
import { FileProblem } from './file-problem.tsx';
import { FirstFrame } from './first-frame.tsx';
import { isLong, pictureBox } from './picture-box.ts';
import { Placeholder } from './placeholder.tsx';
import { PlayButton } from './play-button.tsx';
import { useAnimation } from './use-animation.ts';
import { type FileOf, usePictureFile } from './use-file.ts';

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

/** Shows a picture as a file if it cannot be decoded. */
function IfPicture({ of, children }: { of: FileOf; children: ReactNode }) {
  const { data, error } = usePictureFile(of);
  if (error || (data && !data.head)) return <FileCard of={of} />;
  return children;
}

/** A picture that fills its place: the placeholder until it is here, then a button that opens the viewer. */
export function PictureTile({ of }: { of: FileOf }) {
  const { file, message, index } = of;
  const { open } = useRowActions();
  const { data } = usePictureFile(of);
  const animation = useAnimation(data);
  const [isLoaded, setLoaded] = useState(false);
  const alt = file.alt ?? t('files.pictureOf', { name: file.name });
  const isWhole = isLong(file);
  const look = classNames('size-full', isWhole ? 'object-contain' : 'object-cover');
  return (
    <>
      {/* Beside a picture that does not fill its place, it would stay visible. */}
      {!(isWhole && isLoaded && data) && <Placeholder file={file} />}
      {data?.head && (
        <button
          aria-haspopup="dialog"
          className="absolute inset-0 size-full -outline-offset-4"
          data-picture={`${message.id}/${index}`}
          onClick={() => open({ kind: 'viewer', message, index })}
          ref={animation.ref}
          type="button"
        >
          {animation.isAnimated && !animation.isPlaying ? (
            <FirstFrame alt={alt} className={look} path={data.path} />
          ) : (
            <img
              alt={alt}
              className={classNames(look, !isLoaded && 'opacity-0')}
              decoding="async"
              draggable={false}
              onLoad={() => setLoaded(true)}
              src={data.path}
            />
          )}
        </button>
      )}
      <PlayButton animation={animation} className="absolute end-2 bottom-2" />
      <FileOnTheWay of={of} />
    </>
  );
}
