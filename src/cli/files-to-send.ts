/** Files in the arguments of `waxwing send`. */
import type { FileToSend } from '../client/index.ts';
import { commandError } from './command-error.ts';

export interface FileOptions {
  file?: string[];
  name?: string;
  mediaType?: string;
  alt?: string;
}

/** In place of a path: standard input. */
const INPUT = '-';

/**
 * The files to send. A description belongs to the only file, or to the one from standard input.
 * @param caption argument of the text
 * @throws CommandError
 */
export function filesToSend(
  { file: paths = [], name, mediaType, alt }: FileOptions,
  caption: string | undefined,
): FileToSend[] {
  const about = {
    ...(name !== undefined && { name }),
    ...(mediaType !== undefined && { mediaType }),
    ...(alt !== undefined && { alt }),
  };
  const isDescribed = Object.keys(about).length > 0;
  const inputs = [...paths, caption].filter((each) => each === INPUT).length;
  if (isDescribed && paths.length === 0) throw commandError('usage', 'file_missing');
  if (paths.length > 0 && inputs > 1) throw commandError('usage', 'input_twice');
  const isInput = paths.includes(INPUT);
  if (isInput && name === undefined) throw commandError('usage', 'file_name_missing');
  if (isDescribed && !isInput && paths.length > 1) throw commandError('usage', 'file_described_of_several');
  return paths.map((path): FileToSend => {
    if (path === INPUT) return { ...about, name: name ?? '', stream: process.stdin };
    return isInput ? path : { ...about, path };
  });
}
