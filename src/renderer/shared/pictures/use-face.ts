import { useQuery } from '@tanstack/react-query';
import { callBridge } from '../../bridge.ts';
import { readPicture } from './read-picture.ts';

/** Limit of pixels of a picture of a person or group. This app makes them of 512 by 512. */
const MAX_PIXELS = 2048 * 2048;

/**
 * The address of the picture of a person or group.
 * @param id as of `pictures.open`; null for none
 * @returns null for none, before it is known, and for one that is not shown: too large, or an animation
 */
export function useFace(id: string | null): string | null {
  const { data } = useQuery({
    queryKey: ['face', id],
    queryFn: () => readFace(id ?? ''),
    enabled: id !== null,
  });
  return id === null ? null : (data ?? null);
}

async function readFace(id: string): Promise<string | null> {
  const { path, head } = await readPicture(await callBridge('pictures.open', { id }));
  return head && !head.isAnimated && head.width * head.height <= MAX_PIXELS ? path : null;
}
