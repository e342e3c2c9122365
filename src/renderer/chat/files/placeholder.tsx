import { decode, isBlurhashValid } from 'blurhash';
import { useEffect, useMemo, useRef } from 'react';
import type { MessageFile } from '../../../bridge/files.ts';
import { classNames } from '../../design/class-names.ts';
import { pictureHead } from '../../shared/pictures/picture-head.ts';
import { useBlobAddress } from '../../shared/pictures/use-blob-address.ts';

/** The size in which a blurred placeholder is drawn, in pixels. */
const SIDE = 32;
/** Limit of a thumbnail's sides, in pixels: its bytes are the sender's. */
const MAX_SIDE = 512;
/** A longer text has more components than anyone needs. */
const LONGEST_BLURHASH = 64;

interface PlaceholderProps {
  file: MessageFile;
  /** True if the picture is shown whole: its thumbnail does not fill the place either. */
  isWhole?: boolean;
}

/** In its place until the picture is there: the thumbnail, else the blurred placeholder. */
export function Placeholder({ file: { thumbnail, blurhash }, isWhole = false }: PlaceholderProps) {
  const address = useThumbnail(thumbnail);
  if (address !== null) {
    const fit = isWhole ? 'object-contain' : 'object-cover';
    return <img alt="" className={classNames('absolute inset-0 size-full', fit)} src={address} />;
  }
  return blurhash === null ? null : <Blur blurhash={blurhash} />;
}

/** The address of a thumbnail; null without one. */
export function useThumbnail(thumbnail: string | null): string | null {
  const blob = useMemo(() => thumbnailBlob(thumbnail), [thumbnail]);
  return useBlobAddress(blob);
}

function thumbnailBlob(thumbnail: string | null): Blob | null {
  if (thumbnail === null) return null;
  const bytes = Uint8Array.from(atob(thumbnail), (letter) => letter.charCodeAt(0));
  const head = pictureHead(bytes);
  if (!head || head.width > MAX_SIDE || head.height > MAX_SIDE) return null;
  return new Blob([bytes], { type: `image/${head.format}` });
}

function Blur({ blurhash }: { blurhash: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context || blurhash.length > LONGEST_BLURHASH || !isBlurhashValid(blurhash).result) return;
    const pixels = new Uint8ClampedArray(decode(blurhash, SIDE, SIDE));
    context.putImageData(new ImageData(pixels, SIDE, SIDE), 0, 0);
  }, [blurhash]);
  return (
    <span aria-hidden="true">
      <canvas className="absolute inset-0 size-full" height={SIDE} ref={canvas} width={SIDE} />
    </span>
  );
}
