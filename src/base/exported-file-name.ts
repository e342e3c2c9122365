/** Names of files in an export of a chat. */
import { cutFileName } from './file-name.ts';

/** Limit of a file's name without its number, in bytes of UTF-8: disks allow 255 with it. */
const MAX_NAME_BYTES = 240;

/** Name of a file in an export, unique by its number. A long name is cut before its extension. */
export function fileNameOf(number: number, name: string): string {
  return `${number} ${cutFileName(name, MAX_NAME_BYTES)}`;
}
