/** Files of messages in scenes. */
import { FILES_PATH, type MessageFile } from '../../src/bridge/files.ts';
import type { Message } from '../../src/bridge/shapes/message.ts';
import { fileTypeOf } from '../../src/messaging/contents/file-types.ts';
import type { World } from './world.ts';

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  wav: 'audio/wav',
  webm: 'video/webm',
};

/** The media type of a name. */
export function mediaTypeOf(name: string): string {
  return MEDIA_TYPES[/\.(\w+)$/.exec(name)?.[1] ?? ''] ?? 'application/octet-stream';
}

/** A file that is here; its bytes are made from its name (dev/server/made-files.ts). */
export function file(name: string, part: Partial<MessageFile> = {}): MessageFile {
  return {
    name,
    size: 250_000,
    type: fileTypeOf({ mediaType: mediaTypeOf(name) }),
    width: null,
    height: null,
    durationMs: null,
    alt: null,
    waveform: null,
    blurhash: null,
    thumbnail: null,
    state: 'here',
    problem: null,
    until: null,
    ...part,
  };
}

/** Part of a message with files. */
export function withFiles(files: readonly MessageFile[]): Pick<Message, 'kind' | 'fields' | 'files'> {
  const types = new Set(files.map(({ type }) => type));
  const type = types.size === 1 ? ([...types][0] ?? 'other') : 'other';
  return {
    kind: 'attachment',
    fields: { count: files.length, type, name: files[0]?.name ?? '' },
    files: [...files],
  };
}

/** The address of a message's file at the dev server. */
export function pathOf({ paths }: World, message: Message, index: number): string {
  const { name, width, height } = message.files[index] ?? file('');
  const written = paths.get(`${message.id}/${index}`);
  return written ?? `${FILES_PATH}made/${width ?? 32}x${height ?? 24}/${encodeURIComponent(name)}`;
}
