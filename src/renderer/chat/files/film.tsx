import { Play, Save } from 'lucide-react';
import { useLayoutEffect, useRef, useState } from 'react';
import { useCommand } from '../../bridge.ts';
import { IconButton } from '../../design/icon-button.tsx';
import { playAlone } from '../../shared/one-sound.ts';
import { t } from '../../words.tsx';
import { FileCard } from './file-card.tsx';
import { FileOnTheWay } from './file-on-the-way.tsx';
import { FileProblem } from './file-problem.tsx';
import { keepFocus } from './keep-focus.ts';
import { filmBox } from './picture-box.ts';
import { Placeholder, useThumbnail } from './placeholder.tsx';
import { saveFile } from './save-file.ts';
import { type FileOf, isHere, placeOf, usePlayedAddress } from './use-file.ts';

/**
 * A film, which plays while it is downloaded, too. It has the browser's controls from its first play on: before, they would
 * cover a small one.
 */
export function Film({ of }: { of: FileOf }) {
  const { file } = of;
  const { state } = file;
  const poster = useThumbnail(file.thumbnail);
  // Reading a film that is being downloaded fails with its download, too.
  const [isBroken, setBroken] = useState(false);
  const [isWanted, setWanted] = useState(false);
  const [lastState, setLastState] = useState(state);
  if (lastState !== state) {
    setLastState(state);
    setBroken(false);
    // Its download has failed or was canceled.
    if (state === 'remote') setWanted(false);
  }
  const data = usePlayedAddress(of, isWanted);
  const download = useCommand('files.download');
  const place = useRef<HTMLDivElement>(null);
  const video = useRef<HTMLVideoElement>(null);
  const play = () => {
    setWanted(true);
    if (state === 'remote') download.mutate(placeOf(of), { onError: () => setWanted(false) });
  };
  const path = data?.path;
  // Before the button gives a lost focus to its message.
  useLayoutEffect(() => {
    if (!isWanted || path === undefined) return;
    const { activeElement } = document;
    // The pressed button is gone then. A person who has moved on meanwhile stays there.
    if (activeElement === document.body || place.current?.contains(activeElement)) video.current?.focus();
    void video.current?.play().catch(() => undefined);
  }, [isWanted, path]);
  if (isBroken || (data && !data.mediaType.startsWith('video/'))) return <FileCard of={of} />;
  return (
    <>
      <div
        className="relative max-w-full overflow-hidden rounded-menu bg-sunken"
        data-file-place
        ref={place}
        style={filmBox(file)}
      >
        <Placeholder file={file} />
        {data && (
          // biome-ignore lint/a11y/useMediaCaption: a film of a message has no captions
          <video
            aria-label={file.alt ?? file.name}
            className="absolute inset-0 size-full bg-black"
            controls={isWanted}
            // The browser's own download has no name, and the desktop app refuses it.
            controlsList="nodownload"
            onError={() => setBroken(true)}
            onPlay={({ currentTarget }) => playAlone(currentTarget)}
            playsInline
            poster={poster ?? undefined}
            preload="metadata"
            ref={video}
            src={data.path}
            tabIndex={isWanted ? 0 : -1}
          />
        )}
        {isHere(file) && data && !isWanted && (
          <button
            aria-label={t('files.playFilm', { name: file.name })}
            className="absolute inset-0 grid size-full place-items-center -outline-offset-4"
            onClick={play}
            ref={keepFocus}
            type="button"
          >
            <span className="grid size-11 place-items-center rounded-full border border-line-strong bg-surface text-ink shadow-raised">
              <Play aria-hidden="true" className="size-5" strokeWidth={1.9} />
            </span>
          </button>
        )}
        {/* The only file of a message is saved by its menu. */}
        {state === 'here' && of.message.files.length > 1 && (
          <IconButton
            className="absolute end-2 top-2 border border-line-strong bg-surface/90"
            icon={Save}
            label={t('files.save', { name: file.name })}
            onClick={() => void saveFile(placeOf(of), file.name)}
          />
        )}
        {data && isWanted ? <FileOnTheWay isPlaying of={of} /> : <FileOnTheWay of={of} onPlay={play} />}
      </div>
      <FileProblem of={of} />
    </>
  );
}
