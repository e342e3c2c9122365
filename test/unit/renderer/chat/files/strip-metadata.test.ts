import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withoutMetadata } from '../../../../../src/renderer/chat/writing/files/strip-metadata.ts';
import { pictureHead } from '../../../../../src/renderer/shared/pictures/picture-head.ts';
import {
  be32,
  bytesOf,
  gif,
  gifComment,
  gifControl,
  gifFrame,
  gifLoop,
  gifXmp,
  png,
  pngChunk,
  vp8x,
  webp,
  webpChunk,
} from './made.ts';

const FRAMES = [pngChunk('acTL', 'n'), pngChunk('fcTL', 'c'), pngChunk('IDAT', 'i'), pngChunk('fdAT', 'f')];

test('a GIF keeps frames, times and repetitions, and loses comments, XMP and bytes behind its end', () => {
  const dirty = bytesOf(
    gif(4, 4, gifComment, gifLoop, gifXmp, gifControl, gifFrame, gifComment, gifControl, gifFrame),
    'behind the end',
  );
  expect(withoutMetadata(dirty, 'gif')).toEqual(
    gif(4, 4, gifLoop, gifControl, gifFrame, gifControl, gifFrame),
  );
});

test('a loop block of a GIF keeps no further data', () => {
  const long = bytesOf([0x21, 0xff, 11], 'NETSCAPE2.0', [3, 1, 0, 0, 6], 'secret', [0]);
  expect(withoutMetadata(gif(4, 4, long, gifFrame), 'gif')).toEqual(gif(4, 4, gifLoop, gifFrame));
});

test('a GIF keeps its color profile', () => {
  const profile = bytesOf([0x21, 0xff, 11], 'ICCRGBG1012', [6], 'colors', [4], 'more', [0]);
  const whole = gif(4, 4, profile, gifFrame);
  expect(withoutMetadata(whole, 'gif')).toEqual(whole);
});

test('an animated PNG keeps its color profile, and loses texts, times and EXIF', () => {
  const profile = pngChunk('iCCP', 'colors');
  const secrets = ['tEXt', 'zTXt', 'iTXt', 'tIME', 'eXIf', 'prVt'].map((name) => pngChunk(name, 'secret'));
  const dirty = bytesOf(png(4, 4, profile, ...secrets, ...FRAMES, ...secrets), 'behind the end');
  expect(withoutMetadata(dirty, 'png')).toEqual(png(4, 4, profile, ...FRAMES));
});

test('an animated WebP keeps its color profile, and loses EXIF and XMP, also inside of frames, and the flags for them', () => {
  const inside = [webpChunk('ALPH', 'a'), webpChunk('VP8 ', 'pixels')];
  const frame = (...chunks: readonly ReturnType<typeof webpChunk>[]) =>
    webpChunk('ANMF', bytesOf('sixteen of these', ...chunks));
  const dirty = webp(
    vp8x(0x3e, 40, 30),
    webpChunk('ICCP', 'colors'),
    webpChunk('ANIM', 'six by'),
    frame(webpChunk('hide', 'secret'), ...inside),
    webpChunk('EXIF', 'secret!'),
    webpChunk('XMP ', 'secret'),
  );
  const clean = withoutMetadata(bytesOf(dirty, 'behind the end'), 'webp');
  expect(clean).toEqual(
    webp(vp8x(0x32, 40, 30), webpChunk('ICCP', 'colors'), webpChunk('ANIM', 'six by'), frame(...inside)),
  );
});

test('a picture that is cut anywhere loses its metadata, and keeps its complete parts', () => {
  const secrets = ['tEXt', 'eXIf'].map((name) => pngChunk(name, 'secret'));
  const frame = webpChunk(
    'ANMF',
    bytesOf('sixteen of these', webpChunk('hide', 'secret'), webpChunk('VP8 ', 'pixels')),
  );
  const parts = [
    webpChunk('ANIM', 'six by'),
    webpChunk('EXIF', 'secret'),
    frame,
    frame,
    webpChunk('XMP ', 'secret'),
  ];
  const whole = {
    gif: gif(4, 4, gifLoop, gifComment, gifControl, gifFrame, gifXmp, gifFrame),
    png: png(4, 4, ...secrets, ...FRAMES, ...secrets),
    webp: webp(vp8x(0x0e, 4, 4), ...parts),
  };
  for (const [format, bytes] of Object.entries(whole)) {
    const complete = withoutMetadata(bytes, format as 'gif');
    for (let length = 33; length < bytes.length; length++) {
      const cut = bytes.subarray(0, length);
      const clean = withoutMetadata(cut, format as 'gif');
      const text = Buffer.from(clean ?? []).toString('latin1');
      expect(text, `${format} ${length}`).not.toMatch(/sec/);
      // Lengths of a WebP may be those of the cut picture.
      expect(text.slice(8)).toBe(
        format === 'webp' ? text.slice(8) : textOf(complete).slice(8, clean?.length),
      );
      expect(pictureHead(clean ?? bytesOf())).toEqual(pictureHead(cut));
    }
  }
});

const textOf = (bytes: Uint8Array | null) => Buffer.from(bytes ?? []).toString('latin1');

test('a cut WebP claims the missing bytes of its last frame, and no others', () => {
  const secret = webpChunk('hide', 'secret');
  const pixels = webpChunk('VP8 ', 'pixels');
  const frame = (...parts: readonly ReturnType<typeof bytesOf>[]) =>
    webpChunk('ANMF', bytesOf('sixteen of these', ...parts));
  const dirty = webp(vp8x(2, 4, 4), secret, frame(secret, pixels));
  const clean = webp(vp8x(2, 4, 4), frame(pixels));
  expect(withoutMetadata(dirty.subarray(0, -2), 'webp')).toEqual(clean.subarray(0, -2));
  const behind = webp(vp8x(2, 4, 4), frame(pixels), webpChunk('EXIF', 'secret'));
  expect(withoutMetadata(behind.subarray(0, -2), 'webp')).toEqual(clean);
});

test('a PNG with a wrong length before its end is not taken for a cut one', () => {
  const whole = png(4, 4, pngChunk('IDAT', 'pixels'), pngChunk('eXIf', 'secret'));
  const wrong = bytesOf(whole);
  wrong[33] = 1;
  expect(textOf(wrong).slice(37, 41)).toBe('IDAT');
  expect(withoutMetadata(wrong, 'png')).toBeNull();
});

test('a picture with unknown parts has no version without metadata', () => {
  const secret = bytesOf('secrets of a camera');
  expect(withoutMetadata(gif(4, 4, gifControl, secret), 'gif')).toBeNull();
  expect(withoutMetadata(png(4, 4, bytesOf(be32(4), [0, 0, 1, 1], secret)), 'png')).toBeNull();
  const small = webp(vp8x(2, 4, 4), webpChunk('ANMF', 'secret'));
  expect(withoutMetadata(small, 'webp')).toBeNull();
});

test('any bytes are followed to an end, and never grow', () => {
  const heads = [gif(4, 4).subarray(0, 25), png(4, 4).subarray(0, 33), webp(vp8x(2, 4, 4))];
  const formats = ['gif', 'png', 'webp'] as const;
  fc.assert(
    fc.property(fc.nat(2), fc.uint8Array({ maxLength: 200 }), (which, tail) => {
      const bytes = bytesOf(heads[which] ?? [], [...tail]);
      pictureHead(bytes);
      const clean = withoutMetadata(bytes, formats[which] ?? 'gif');
      expect(clean?.length ?? 0).toBeLessThanOrEqual(bytes.length + 1);
    }),
  );
});
