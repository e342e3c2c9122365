import { useState } from 'react';
import { FileCard } from './file-card.tsx';
import { type FileOf, isHere, useFileAddress } from './use-file.ts';

/** A sound with the browser's controls, once it is here. */
export function Sound({ of }: { of: FileOf }) {
  const { file } = of;
  const { data } = useFileAddress(of);
  const [isBroken, setBroken] = useState(false);
  if (!isHere(file) || isBroken || !data?.mediaType.startsWith('audio/')) return <FileCard of={of} />;
  return (
    <div className="w-[20rem] max-w-full" data-file-place>
      <FileCard of={of} />
      {/* biome-ignore lint/a11y/useMediaCaption: nobody wrote captions for it */}
      <audio
        aria-label={file.name}
        className="mt-1 h-10 w-full"
        controls
        onError={() => setBroken(true)}
        preload="metadata"
        src={data.path}
      />
    </div>
  );
}
