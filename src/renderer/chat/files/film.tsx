import { Play } from 'lucide-react';
import { useRef, useState } from 'react';
import { playAlone } from '../../shared/one-sound.ts';
import { t } from '../../words.tsx';
import { FileCard } from './file-card.tsx';
import { FileOnTheWay } from './file-on-the-way.tsx';
import { FileProblem } from './file-problem.tsx';
import { filmBox } from './picture-box.ts';
import { Placeholder, useThumbnail } from './placeholder.tsx';
import { type FileOf, isHere, useFileAddress } from './use-file.ts';

/** A film, once it is here. It has the browser's controls from its first play on: before, they would cover a small one. */
export function Film({ of }: { of: FileOf }) {
  const { file } = of;
  const { data } = useFileAddress(of);
  const poster = useThumbnail(file.thumbnail);
  const [isBroken, setBroken] = useState(false);
  const [hasControls, setControls] = useState(false);
  const video = useRef<HTMLVideoElement>(null);
  const play = () => {
    setControls(true);
    // The pressed button is gone then.
    video.current?.focus();
    void video.current?.play().catch(() => undefined);
  };
  if (isBroken || (data && !data.mediaType.startsWith('video/'))) return <FileCard of={of} />;
  return (
    <>
      <div
        className="relative max-w-full overflow-hidden rounded-menu bg-sunken"
        data-file-place
        style={filmBox(file)}
      >
        <Placeholder file={file} />
        {isHere(file) && data && (
          // biome-ignore lint/a11y/useMediaCaption: nobody wrote captions for it
          <video
            aria-label={file.alt ?? file.name}
            className="absolute inset-0 size-full bg-black"
            controls={hasControls}
            onError={() => setBroken(true)}
            onPlay={({ currentTarget }) => playAlone(currentTarget)}
            playsInline
            poster={poster ?? undefined}
            preload="metadata"
            ref={video}
            src={data.path}
            tabIndex={hasControls ? 0 : -1}
          />
        )}
        {isHere(file) && data && !hasControls && (
          <button
            aria-label={t('files.playFilm', { name: file.name })}
            className="absolute inset-0 grid size-full place-items-center -outline-offset-4"
            onClick={play}
            type="button"
          >
            <span className="grid size-11 place-items-center rounded-full border border-line-strong bg-surface text-ink shadow-raised">
              <Play aria-hidden="true" className="size-5" strokeWidth={1.9} />
            </span>
          </button>
        )}
        <FileOnTheWay of={of} />
      </div>
      <FileProblem of={of} />
    </>
  );
}
