/** Pictures of messages. One that is not a picture, or too large for a decoder, is shown as a file. */
import type { FilePlace } from '../../../bridge/files.ts';
import { callBridge } from '../../bridge.ts';
import { readPicture, type ShownPicture } from '../../shared/pictures/read-picture.ts';

export async function readPictureFile(place: FilePlace): Promise<ShownPicture> {
  return readPicture(await callBridge('files.open', place));
}
