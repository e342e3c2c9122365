import { expect, test } from 'vitest';
import { chunk, makeFile } from '../../../../../dev/server/made-files.ts';
import { animationLength } from '../../../../../src/renderer/chat/files/animation-length.ts';
import type { Bytes } from '../../../../../src/renderer/shared/pictures/bytes.ts';

const bytes = (...parts: Uint8Array[]) => new Uint8Array(Buffer.concat(parts)) as Bytes;
const made = (name: string) => bytes(makeFile(`32x24/${name}`)?.body ?? Buffer.alloc(0));

test('adds the frames of a GIF', () => {
  expect(animationLength(made('wings.gif'))).toEqual({ frames: 4, milliseconds: 800 });
  expect(animationLength(made('slow.gif'))).toEqual({ frames: 4, milliseconds: 2_621_400 });
});

test('adds the frames of a PNG, and counts a very quick one as browsers do', () => {
  const frame = (numerator: number, denominator: number) => {
    const data = Buffer.alloc(26);
    data.writeUInt16BE(numerator, 20);
    data.writeUInt16BE(denominator, 22);
    return chunk('fcTL', data);
  };
  const head = Buffer.from('89504e470d0a1a0a', 'hex');
  const png = bytes(head, frame(1, 4), chunk('IDAT', Buffer.alloc(9)), frame(50, 0), frame(0, 1));
  expect(animationLength(png)).toEqual({ frames: 3, milliseconds: 250 + 500 + 100 });
});

test('adds the frames of a WebP', () => {
  const part = (name: string, data: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(data.length);
    return Buffer.concat([Buffer.from(name), length, data, Buffer.alloc(data.length % 2)]);
  };
  const frame = (milliseconds: number) => {
    const data = Buffer.alloc(17);
    data.writeUIntLE(milliseconds, 12, 3);
    return part('ANMF', data);
  };
  const webp = bytes(
    Buffer.from('RIFF\0\0\0\0WEBP'),
    part('VP8X', Buffer.alloc(10)),
    frame(70_000),
    frame(40),
  );
  expect(animationLength(webp)).toEqual({ frames: 2, milliseconds: 70_040 });
});

test('ends with each beginning of a file, and has no frames of others', () => {
  const gif = made('wings.gif');
  for (let length = 0; length < gif.length; length++)
    expect(animationLength(gif.subarray(0, length)).frames).toBeLessThanOrEqual(4);
  expect(animationLength(bytes(Buffer.from('GIF89a'), Buffer.alloc(1_000, 0x2c))).frames).toBeLessThan(100);
  expect(animationLength(bytes(Buffer.from('no picture')))).toEqual({ frames: 0, milliseconds: 0 });
});
