/** Names of files in an export of a chat. */

/** Limit of a file's name without its number, in bytes of UTF-8: disks allow 255 with it. */
const MOST_NAME_BYTES = 240;

/** Name of a file in an export, unique by its number. A long name is cut before its extension. */
export function fileNameOf(number: number, name: string): string {
  const dot = name.lastIndexOf('.');
  const end = dot > 0 && name.length - dot <= 16 ? name.slice(dot) : '';
  const characters = [...name.slice(0, name.length - end.length)];
  while (bytesIn(characters.join('') + end) > MOST_NAME_BYTES) characters.pop();
  return `${number} ${characters.join('').trimEnd()}${end}`;
}

const bytesIn = (text: string) => new TextEncoder().encode(text).length;
