import { expect, test } from 'vitest';
import { isDecodable, pictureHead } from '../../../../../src/renderer/shared/pictures/picture-head.ts';
import {
  be16,
  be32,
  bytesOf,
  gif,
  gifComment,
  gifControl,
  gifFrame,
  jpegFrame,
  jpegSegment,
  le16,
  png,
  pngChunk,
  vp8x,
  webp,
  webpChunk,
} from '../../chat/files/made.ts';

test('format, size and animation are read from the first bytes', () => {
  const cases = [
    [png(1200, 800, pngChunk('IDAT', 'x')), { format: 'png', width: 1200, height: 800, isAnimated: false }],
    [
      png(40, 30, pngChunk('acTL', [0, 0, 0, 2, 0, 0, 0, 0]), pngChunk('IDAT', 'x')),
      { format: 'png', width: 40, height: 30, isAnimated: true },
    ],
    [gif(320, 200, gifFrame), { format: 'gif', width: 320, height: 200, isAnimated: true }],
    [
      bytesOf([0xff, 0xd8], jpegSegment(0xe1, 'Exif\0\0 and more'), [0xff], jpegFrame(4000, 3000)),
      { format: 'jpeg', width: 4000, height: 3000, isAnimated: false },
    ],
    [webp(vp8x(0b10, 500, 20_000)), { format: 'webp', width: 500, height: 20_000, isAnimated: true }],
    [
      webp(webpChunk('VP8 ', [0, 0, 0, 0x9d, 0x01, 0x2a, 0x40, 0x41, 0x20, 0x01, 0])),
      { format: 'webp', width: 320, height: 288, isAnimated: false },
    ],
    [
      webp(webpChunk('VP8L', [0x2f, 0x3f, 0x81, 0x09, 0x00, 0])),
      { format: 'webp', width: 320, height: 39, isAnimated: false },
    ],
    [
      bytesOf(
        [...be32(24)],
        'ftypheic',
        be32(0),
        'mif1heic',
        be32(20),
        ['ispe'].join(''),
        be32(0),
        be32(512),
        be32(512),
        be32(20),
        'ispe',
        be32(0),
        be32(4032),
        be32(3024),
      ),
      { format: 'heif', width: 4032, height: 3024, isAnimated: false },
    ],
  ] as const;
  for (const [bytes, head] of cases) expect(pictureHead(bytes)).toEqual(head);
});

test('files without a readable size are not pictures', () => {
  const cases = [
    bytesOf(),
    bytesOf('%PDF-1.7'),
    bytesOf('<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"/>'),
    bytesOf([0xff, 0xd8], jpegSegment(0xe1, 'Exif\0\0')),
    bytesOf([0xff, 0xd8, 0xff, 0xe1, 0, 0]),
    png(0, 10),
    gif(10, 0),
    webp(webpChunk('EXIF', 'x')),
  ];
  for (const bytes of cases) expect(pictureHead(bytes)).toBeNull();
});

test('C11: a GIF is as large as its first frame, also behind comments', () => {
  const frame = [0x2c, 2, 0, 3, 0, ...le16(9_000), ...le16(8_000), 0, 2, 2, 0x44, 1, 0];
  for (const blocks of [[frame], [gifComment, gifControl, frame, gifFrame]]) {
    const head = pictureHead(gif(1, 1, ...blocks));
    expect(head).toMatchObject({ width: 9_002, height: 8_003 });
    expect(head && isDecodable(head)).toBe(false);
  }
  expect(pictureHead(gif(1, 1, gifFrame, frame))).toMatchObject({ width: 4, height: 4 });
  expect(pictureHead(gif(1, 1, gifComment)), 'without a frame').toBeNull();
});

test('C11: frames behind a long part of a PNG do not move by themselves', () => {
  const frames = pngChunk('acTL', [0, 0, 0, 2, 0, 0, 0, 0]);
  const moving = png(40, 30, pngChunk('teSt', 'x'.repeat(70_000)), frames, pngChunk('IDAT', 'x'));
  expect(pictureHead(moving.slice(0, 65_536))).toMatchObject({ format: 'png', isAnimated: true });
});

test('C11: a JPEG whose size decoders read elsewhere is not a picture', () => {
  const hidden = jpegFrame(60_000, 60_000);
  const skipped = bytesOf([0xff, 0], be16(hidden.length + 2), hidden);
  expect(pictureHead(bytesOf([0xff, 0xd8], skipped, jpegFrame(8, 8)))).toBeNull();
});

test('C11: a picture of more than 64 megapixels is not given to a decoder', () => {
  expect(isDecodable({ format: 'png', width: 8000, height: 8000, isAnimated: false })).toBe(true);
  expect(isDecodable({ format: 'png', width: 8001, height: 8000, isAnimated: false })).toBe(false);
  expect(isDecodable({ format: 'png', width: 0xffff_ffff, height: 0xffff_ffff, isAnimated: false })).toBe(
    false,
  );
});
