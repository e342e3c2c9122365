/**
 * Reduced copies of large pictures, for the chat and its details: browsers keep shown pictures decoded, with 48 MB for 12
 * megapixels. The viewer shows the picture itself.
 */
import { useQuery } from '@tanstack/react-query';
import { decoded, drawn } from '../../shared/pictures/drawn.ts';
import type { ShownPicture } from '../../shared/pictures/read-picture.ts';
import { useBlobAddress } from '../../shared/pictures/use-blob-address.ts';
import { Turns } from './turns.ts';

/** Pixels from which a picture is reduced. */
const LARGE = 2_000_000;
/** Longest side of a copy, in pixels: fills each place of the chat on a screen with two pixels for one of CSS. */
const SIDE = 1024;
const QUALITY = 0.85;
/** Time for which a copy that is not shown is kept, in milliseconds. */
const KEPT = 60_000;

/**
 * Longest time for which a picture delays others, in milliseconds: a file of some kilobytes, made for this purpose, keeps the
 * decoder busy up to its limit.
 */
const LONGEST_TURN = 2_000;

/** One after the other: a decoded picture needs a lot of memory. */
const turns = new Turns(LONGEST_TURN);

/**
 * The address at which a picture is shown in a small place.
 * @returns null before the picture is known, and before its copy is made
 */
export function useSmallAddress(picture: ShownPicture | undefined): string | null {
  const { path = '', head = null } = picture ?? {};
  // An animation would be reduced to its first frame.
  const isReduced = head !== null && !head.isAnimated && head.width * head.height > LARGE;
  const { data: copy } = useQuery({
    queryKey: ['reduced', path],
    queryFn: ({ signal }) => turns.run(async () => (signal.aborted ? null : reducedCopy(path, signal))),
    enabled: isReduced,
    gcTime: KEPT,
  });
  const address = useBlobAddress(copy ?? null);
  if (head === null) return null;
  // A picture that the browser decodes in part only, such as a cut one, has no copy.
  return isReduced && copy !== null ? address : path;
}

/** Null if the picture cannot be read or decoded. */
async function reducedCopy(path: string, signal: AbortSignal): Promise<Blob | null> {
  try {
    const answer = await fetch(path, { signal });
    const bitmap = answer.ok ? await decoded(await answer.blob()) : null;
    if (!bitmap) return null;
    const canvas = drawn(bitmap, SIDE);
    bitmap.close();
    return await canvas.convertToBlob({ type: 'image/webp', quality: QUALITY });
  } catch {
    return null;
  }
}
