import { useRef } from 'react';
import { FileCard } from './file-card.tsx';
import { PlayControls } from './player/play-controls.tsx';
import { useTrack } from './player/use-player.tsx';
import { type FileOf, useFileAddress } from './use-file.ts';

/** A sound with its controls. Before it is here, playing it downloads it. */
export function Sound({ of }: { of: FileOf }) {
  const { file } = of;
  const { data } = useFileAddress(of);
  const row = useRef<HTMLDivElement>(null);
  const track = useTrack(of, row);
  if (file.state === 'gone' || track.isBroken || (data && !data.mediaType.startsWith('audio/')))
    return <FileCard of={of} />;
  return (
    <div className="w-[20rem] max-w-full" data-file-place ref={row}>
      <FileCard of={of} />
      <PlayControls of={of} track={track} />
    </div>
  );
}
