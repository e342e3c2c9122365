import { useRef } from 'react';
import { FileCard } from './file-card.tsx';
import { PlayControls } from './player/play-controls.tsx';
import { useTrack } from './player/use-player.tsx';
import { type FileOf, isHere, useFileAddress } from './use-file.ts';

/** A sound with its controls, once it is here. */
export function Sound({ of }: { of: FileOf }) {
  const { file } = of;
  const { data } = useFileAddress(of);
  const row = useRef<HTMLDivElement>(null);
  const track = useTrack(of, row);
  if (!isHere(file) || track.isBroken || !data?.mediaType.startsWith('audio/')) return <FileCard of={of} />;
  return (
    <div className="w-[20rem] max-w-full" data-file-place ref={row}>
      <FileCard of={of} />
      <PlayControls of={of} track={track} />
    </div>
  );
}
