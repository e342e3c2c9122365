/**
 * Files made from their names, for scenes: `/files/made/800x600/harbour.png` is a picture of that size, `drum.wav` a tone,
 * `long-song.wav` one of two minutes, `wings.gif` an animation. Others contain a line of text.
 */
import { crc32, deflateSync } from 'node:zlib';

export interface MadeFile {
  type: string;
  body: Buffer;
}

/** Limit of a side of a picture. */
const MAX_PIXELS = 6_000;

const TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  wav: 'audio/wav',
  webm: 'video/webm',
};

/** @param path the part after `/files/made/`; null if it names no file */
export function makeFile(path: string): MadeFile | null {
  const [, width = '', height = '', name = ''] = /^(\d{1,4})x(\d{1,4})\/([^/]+)$/.exec(path) ?? [];
  if (name === '') return null;
  const extension = /\.(\w+)$/.exec(name)?.[1] ?? '';
  const type = TYPES[extension] ?? 'application/octet-stream';
  const seed = crc32(name);
  // The name of a slow animation begins so: it plays longer than anyone looks.
  if (extension === 'gif') return { type, body: animation(name.startsWith('slow') ? 0xffff : 20) };
  if (extension === 'wav') return { type, body: tone(name.startsWith('long') ? 120 : 2) };
  // Chromium recognizes pictures by their bytes.
  if (type.startsWith('image/')) return { type, body: picture(side(width), side(height), seed) };
  return { type, body: Buffer.from(`${name}\n`) };
}

const side = (digits: string) => Math.min(MAX_PIXELS, Math.max(1, Number(digits)));

/** A PNG with hills under a sky, in colors of the seed. */
export function picture(width: number, height: number, seed: number): Buffer {
  const rows = Buffer.alloc((width * 3 + 1) * height);
  const hue = (seed % 360) / 360;
  const [r = 0, g = 0, b = 0] = [hue, hue + 0.33, hue + 0.66].map(
    (part) => 70 + 110 * Math.abs(((part % 1) * 2 - 1) * 1),
  );
  for (let y = 0; y < height; y++) {
    const start = y * (width * 3 + 1);
    const high = y / height;
    for (let x = 0; x < width; x++) {
      const hill = 0.55 + 0.18 * Math.sin((x / width) * 7 + (seed % 7)) + 0.06 * Math.sin((x / width) * 23);
      const shade = high > hill ? 0.45 + 0.3 * (high - hill) : 1.05 - high * 0.5;
      const at = start + 1 + x * 3;
      rows[at] = Math.min(255, r * shade);
      rows[at + 1] = Math.min(255, g * shade);
      rows[at + 2] = Math.min(255, b * shade + (high > hill ? 0 : 40));
    }
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows, { level: 1 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A chunk of a PNG. */
export function chunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}

/** An endless GIF of 32 by 24 pixels: a square that moves through four places. @param delay of a frame, in hundredths of a second */
function animation(delay: number): Buffer {
  const [width, height] = [32, 24];
  const frames = [0, 1, 2, 3].map((frame) => {
    const pixels = Array.from({ length: width * height }, (_, index) => {
      const [x, y] = [index % width, Math.floor(index / width)];
      return x >= frame * 8 && x < frame * 8 + 8 && y >= 8 && y < 16 ? 1 : 0;
    });
    // Codes of three bits; a clear code (4) before the table grows to codes of four.
    const codes = [...pixels.flatMap((pixel, index) => (index % 2 === 0 ? [4, pixel] : [pixel])), 5];
    const bits = codes.flatMap((code) => [code & 1, (code >> 1) & 1, code >> 2]);
    const bytes = Array.from({ length: Math.ceil(bits.length / 8) }, (_, byte) =>
      bits.slice(byte * 8, byte * 8 + 8).reduce((sum, bit, place) => sum | (bit << place), 0),
    );
    const blocks = Array.from({ length: Math.ceil(bytes.length / 255) }, (_, block) => {
      const part = bytes.slice(block * 255, block * 255 + 255);
      return [part.length, ...part];
    });
    const control = [0x21, 0xf9, 4, 0, delay & 0xff, delay >> 8, 0, 0];
    return [...control, 0x2c, 0, 0, 0, 0, width, 0, height, 0, 0, 2, ...blocks.flat(), 0];
  });
  const colors = [40, 70, 100, 240, 190, 70, 0, 0, 0, 255, 255, 255];
  const loop = [0x21, 0xff, 11, ...Buffer.from('NETSCAPE2.0'), 3, 1, 0, 0, 0];
  const head = [...Buffer.from('GIF89a'), width, 0, height, 0, 0b1001_0001, 0, 0, ...colors];
  return Buffer.from([...head, ...loop, ...frames.flat(), 0x3b]);
}

/** Two seconds of a quiet tone, as WAV. */
/** @param seconds its length */
function tone(seconds: number): Buffer {
  const rate = 8_000;
  const samples = Buffer.from(
    Array.from({ length: rate * seconds }, (_, index) => 128 + Math.round(30 * Math.sin(index / 4))),
  );
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + samples.length, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write('data', 36);
  head.writeUInt32LE(samples.length, 40);
  return Buffer.concat([head, samples]);
}
