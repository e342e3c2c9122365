import { useState } from 'react';
import { useFace } from '../shared/pictures/use-face.ts';
import { classNames } from './class-names.ts';

/** A picture over the initials of a person or group, which stay where it cannot be shown. */
export function FacePicture({ id }: { id: string | null | undefined }) {
  const path = useFace(id ?? null);
  return path === null ? null : <Loaded key={path} path={path} />;
}

function Loaded({ path }: { path: string }) {
  const [isLoaded, setLoaded] = useState(false);
  return (
    <img
      alt=""
      // Over the border, too.
      className={classNames(
        '-inset-px absolute size-[calc(100%+2px)] max-w-none rounded-[inherit] object-cover',
        !isLoaded && 'opacity-0',
      )}
      decoding="async"
      draggable={false}
      onLoad={() => setLoaded(true)}
      src={path}
    />
  );
}
