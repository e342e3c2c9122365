import { FileImage } from 'lucide-react';
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
import { useSmallAddress } from './reduced-picture.ts';
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
  const { data, error } = usePictureFile(of);
  const animation = useAnimation(data);
  const address = useSmallAddress(data);
  const [isLoaded, setLoaded] = useState(false);
  const alt = file.alt ?? t('files.pictureOf', { name: file.name });
  const isWhole = isLong(file);
  const openViewer = () => open({ kind: 'viewer', message, index });
  const look = classNames('size-full', isWhole ? 'object-contain' : 'object-cover');
  // In an album: alone, such a picture is shown as a file.
  if (error || (data && !data.head)) return <Undecodable of={of} onOpen={openViewer} />;
  return (
    <>
      {/* Beside a picture that does not fill its place, it would stay visible. */}
      {!(isWhole && isLoaded && data) && <Placeholder file={file} isWhole={isWhole} />}
      {data?.head && (
        <button
          aria-haspopup="dialog"
          className="absolute inset-0 size-full -outline-offset-4"
          data-picture={`${message.id}/${index}`}
          onClick={openViewer}
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
              src={address ?? undefined}
            />
          )}
        </button>
      )}
      <PlayButton animation={animation} className="absolute end-2 bottom-2" />
      <FileOnTheWay of={of} />
    </>
  );
}

/** A picture of an album that cannot be decoded: its name, and a button that opens the viewer, which can save it. */
function Undecodable({ of: { file, message, index }, onOpen }: { of: FileOf; onOpen: () => void }) {
  return (
    <button
      aria-haspopup="dialog"
      className="absolute inset-0 flex size-full flex-col items-center justify-center gap-1 p-1.5 text-ink-soft -outline-offset-4"
      data-picture={`${message.id}/${index}`}
      onClick={onOpen}
      type="button"
    >
      <FileImage aria-hidden="true" className="size-6" strokeWidth={1.7} />
      <bdi className="line-clamp-2 max-w-full text-meta [overflow-wrap:anywhere]">{file.name}</bdi>
    </button>
  );
}
