import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { FilePlace, MessageFile } from '../../../bridge/files.ts';
import type { Message } from '../../../bridge/shapes/message.ts';
import { callBridge, useBridgeEvent, useBridgeQuery } from '../../bridge.ts';
import { readPictureFile } from './read-picture-file.ts';

/** A file of a message. */
export interface FileOf {
  message: Message;
  file: MessageFile;
  index: number;
}

export const placeOf = ({ message, index }: Pick<FileOf, 'message' | 'index'>): FilePlace => ({
  messageId: message.id,
  index,
});

/** Reports whether the bytes of a file can be read here. */
export const isHere = ({ state }: MessageFile) => state === 'here' || state === 'sending';

/** Reports whether a sound or film can be played: its address waits for the bytes that are not here. */
export const isPlayable = (file: MessageFile) => isHere(file) || file.state === 'receiving';

/** A picture that is here, after its size is checked. */
export function usePictureFile(of: FileOf) {
  const place = placeOf(of);
  const query = useQuery({
    queryKey: ['picture', place.messageId, place.index],
    queryFn: () => readPictureFile(place),
    enabled: isHere(of.file),
  });
  return whileHere(of, query);
}

/** The address of another file that is here. */
export function useFileAddress(of: FileOf) {
  return whileHere(of, useBridgeQuery('files.open', placeOf(of), { enabled: isHere(of.file) }));
}

/**
 * The address of a sound or film that is here, or is being downloaded: then only if it is wanted, and after its first bytes.
 */
export function usePlayedAddress(of: FileOf, isWanted: boolean) {
  const place = placeOf(of);
  const complete = useFileAddress(of);
  // Not the query of the complete file: one that fails would not be repeated when the file is here.
  const arriving = useQuery({
    queryKey: ['arriving', place.messageId, place.index],
    queryFn: () => callBridge('files.open', place),
    enabled: isWanted && of.file.state === 'receiving',
    retry: 3,
  });
  return complete.data ?? (isWanted && isPlayable(of.file) ? arriving.data : undefined);
}

/** The answer for a file that is here: one that was removed from the disk has an earlier answer. */
function whileHere<T>(
  { file }: FileOf,
  { data, error }: { data: T | undefined; error: Error | null },
): { data: T | undefined; error: Error | null } {
  return isHere(file) ? { data, error } : { data: undefined, error: null };
}

/** Bytes on their way; a total of 0 until the first report. */
export function useFileProgress({ message, index }: FileOf): { done: number; total: number } {
  const [progress, setProgress] = useState({ done: 0, total: 0 });
  useBridgeEvent('files.progress', ({ messageId, index: at, done, total }) => {
    if (messageId === message.id && at === index) setProgress({ done, total });
  });
  return progress;
}
