import { useRef } from 'react';
import { FileCard } from './file-card.tsx';
import { PlayControls } from './player/play-controls.tsx';
import { useTrack } from './player/use-player.tsx';
import { type FileOf, isHere, useFileAddress } from './use-file.ts';

/** A voice message: its waveform is a slider. After its end, the next message plays if it is one, too. */
export function Voice({ of }: { of: FileOf }) {
  const { file } = of;
  const { data } = useFileAddress(of);
  const row = useRef<HTMLDivElement>(null);
  const track = useTrack(of, row);
  if (file.state === 'gone' || track.isBroken || (data && !data.mediaType.startsWith('audio/')))
    return <FileCard of={of} />;
  return (
    <div className="w-[18rem] max-w-full" data-file-place ref={row}>
      {!isHere(file) && <FileCard of={of} />}
      <PlayControls of={of} track={track} />
    </div>
  );
}
