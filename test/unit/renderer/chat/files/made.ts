/** Small pictures, built byte by byte. */
import type { Bytes } from '../../../../../src/renderer/shared/pictures/bytes.ts';

export type Part = string | readonly number[] | Bytes;

export function bytesOf(...parts: readonly Part[]): Bytes {
  return new Uint8Array(
    parts.flatMap((part) =>
      typeof part === 'string' ? [...part].map((letter) => letter.charCodeAt(0)) : [...part],
    ),
  );
}

export const be32 = (value: number) => [value >>> 24, (value >> 16) & 255, (value >> 8) & 255, value & 255];
export const be16 = (value: number) => be32(value).slice(2);
export const le32 = (value: number) => be32(value).toReversed();
export const le16 = (value: number) => le32(value).slice(0, 2);

export const pngChunk = (name: string, data: Part = '') => {
  const body = bytesOf(data);
  return bytesOf(be32(body.length), name, body, be32(0));
};

export function png(width: number, height: number, ...chunks: readonly Bytes[]): Bytes {
  return bytesOf(
    '\x89PNG\r\n\x1a\n',
    pngChunk('IHDR', [...be32(width), ...be32(height), 8, 2, 0, 0, 0]),
    ...chunks,
    pngChunk('IEND'),
  );
}

/** A GIF with four colors and these blocks. */
export function gif(width: number, height: number, ...blocks: readonly Part[]): Bytes {
  const colors = Array.from({ length: 12 }, () => 7);
  return bytesOf('GIF89a', le16(width), le16(height), [0b1000_0001, 0, 0], colors, ...blocks, [0x3b]);
}
export const gifFrame = [0x2c, 0, 0, 0, 0, 4, 0, 4, 0, 0, 2, 3, 1, 2, 3, 0];
export const gifControl = [0x21, 0xf9, 4, 0, 20, 0, 0, 0];
export const gifLoop = bytesOf([0x21, 0xff, 11], 'NETSCAPE2.0', [3, 1, 0, 0, 0]);
export const gifComment = bytesOf([0x21, 0xfe, 6], 'secret', [0]);
export const gifXmp = bytesOf([0x21, 0xff, 11], 'XMP DataXMP', [6], 'secret', [0]);

export function webpChunk(name: string, data: Part): Bytes {
  const body = bytesOf(data);
  return bytesOf(name, le32(body.length), body, body.length % 2 === 1 ? [0] : []);
}
export function webp(...chunks: readonly Bytes[]): Bytes {
  const body = bytesOf(...chunks);
  return bytesOf('RIFF', le32(body.length + 4), 'WEBP', body);
}
export const vp8x = (flags: number, width: number, height: number) =>
  webpChunk('VP8X', [flags, 0, 0, 0, ...le32(width - 1).slice(0, 3), ...le32(height - 1).slice(0, 3)]);

export const jpegSegment = (marker: number, data: Part) => {
  const body = bytesOf(data);
  return bytesOf([0xff, marker], be16(body.length + 2), body);
};
export const jpegFrame = (width: number, height: number) =>
  jpegSegment(0xc2, [8, ...be16(height), ...be16(width), 3, 1, 0x22, 0]);
