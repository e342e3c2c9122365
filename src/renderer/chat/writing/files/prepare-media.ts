/** Size, length and a first picture of a film or sound that is sent. */
import type { FileToSend } from '../../../../bridge/files.ts';
import { unlessAborted, withinLimit } from '../../../shared/pictures/decoder-limit.ts';
import { blurhashOf, thumbnailOf } from './thumbnail.ts';

type Described = Pick<FileToSend, 'width' | 'height' | 'durationMs' | 'thumbnail' | 'blurhash'>;

/** The time of the picture shown before playing, in seconds: the first is often black. */
const POSTER_AT = 0.5;

/**
 * Empty for types that the browser does not play. Without the parts that the decoder did not find in time.
 * @param most limit of the thumbnail, in bytes
 * @param signal ends it at once
 */
export function describeMedia(file: Blob, most: number, signal: AbortSignal): Promise<Described> {
  return withinLimit((end) => describe(file, most, end), signal);
}

async function describe(file: Blob, most: number, end: AbortSignal): Promise<Described> {
  const address = URL.createObjectURL(file);
  const media = document.createElement('video');
  media.muted = true;
  media.preload = 'auto';
  try {
    media.src = address;
    if (!(await happened(media, 'loadedmetadata', end))) return {};
    const { duration, videoWidth: width, videoHeight: height } = media;
    const length = Number.isFinite(duration) ? { durationMs: Math.round(duration * 1000) } : {};
    if (width === 0 || height === 0) return length;
    media.currentTime = Math.min(POSTER_AT, (Number.isFinite(duration) ? duration : 0) / 2);
    if (!(await happened(media, 'seeked', end))) return { ...length, width, height };
    const thumbnail = await thumbnailOf(media, most);
    return {
      ...length,
      width,
      height,
      blurhash: blurhashOf(media),
      ...(thumbnail !== null && { thumbnail }),
    };
  } finally {
    media.removeAttribute('src');
    media.load();
    URL.revokeObjectURL(address);
  }
}

/** False if the media failed instead, or at the end. */
async function happened(
  media: HTMLMediaElement,
  name: 'loadedmetadata' | 'seeked',
  end: AbortSignal,
): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  media.addEventListener(name, () => resolve(true), { once: true });
  media.addEventListener('error', () => resolve(false), { once: true });
  return (await unlessAborted(end, promise)) ?? false;
}
