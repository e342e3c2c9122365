import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { FilePlace, MessageFile } from '../../../bridge/files.ts';
import type { Message } from '../../../bridge/shapes/message.ts';
import { useAsk, useBridgeEvent } from '../../bridge.ts';
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
  return whileHere(of, useAsk('files.open', placeOf(of), { enabled: isHere(of.file) }));
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
