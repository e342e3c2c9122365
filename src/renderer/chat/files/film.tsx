import { useState } from 'react';
import { FileCard } from './file-card.tsx';
import { FileOnTheWay } from './file-on-the-way.tsx';
import { FileProblem } from './file-problem.tsx';
import { pictureBox } from './picture-box.ts';
import { Placeholder, useThumbnail } from './placeholder.tsx';
import { type FileOf, isHere, useFileAddress } from './use-file.ts';

/** A film with the browser's controls, once it is here. */
export function Film({ of }: { of: FileOf }) {
  const { file } = of;
  const { data } = useFileAddress(of);
  const poster = useThumbnail(file.thumbnail);
  const [isBroken, setBroken] = useState(false);
  if (isBroken || (data && !data.mediaType.startsWith('video/'))) return <FileCard of={of} />;
  return (
    <>
      <div
        className="relative max-w-full overflow-hidden rounded-menu bg-sunken"
        data-file-place
        style={pictureBox(file)}
      >
        <Placeholder file={file} />
        {isHere(file) && data && (
          // biome-ignore lint/a11y/useMediaCaption: nobody wrote captions for it
          <video
            aria-label={file.alt ?? file.name}
            className="absolute inset-0 size-full bg-black"
            controls
            onError={() => setBroken(true)}
            playsInline
            poster={poster ?? undefined}
            preload="metadata"
            src={data.path}
          />
        )}
        <FileOnTheWay of={of} />
      </div>
      <FileProblem of={of} />
    </>
  );
}
