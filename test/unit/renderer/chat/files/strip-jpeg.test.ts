import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { withoutMetadata } from '../../../../../src/renderer/chat/writing/files/strip-metadata.ts';
import { type Bytes, u16be, u32be } from '../../../../../src/renderer/shared/pictures/bytes.ts';
import { be16, be32, bytesOf, jpegFrame, jpegSegment, le16, le32 } from './made.ts';

// Counts the numbers that are read.
vi.mock('../../../../../src/renderer/shared/pictures/bytes.ts', { spy: true });

const START = [0xff, 0xd8];
const END = [0xff, 0xd9];
const jfif = jpegSegment(0xe0, bytesOf('JFIF\0', [1, 1, 0, 0, 1, 0, 1, 0, 0]));
const profile = jpegSegment(0xe2, 'ICC_PROFILE\0\x01\x01colors');
const adobe = jpegSegment(0xee, 'Adobe transforms');
const tables = jpegSegment(0xdb, 'quantization');
/** Coded bytes with a zero after 255, and a restart. */
const scan = bytesOf(jpegSegment(0xda, 'components'), [1, 0xff, 0, 2, 0xff, 0xd3, 4]);
const shown = [profile, adobe, tables, jpegFrame(12_000, 9_000), scan, jpegSegment(0xc4, 'codes'), scan];

/** EXIF with a camera, and an orientation. @param fields the claimed number of them, of which there are two */
function exif(orientation: number, isLittle: boolean, fields = 2) {
  const [u16, u32] = isLittle ? [le16, le32] : [be16, be32];
  const make = [...u16(0x010f), ...u16(2), ...u32(7), ...u32(38)];
  const turned = [...u16(0x0112), ...u16(3), ...u32(1), ...u16(orientation), ...u16(0)];
  const head = [isLittle ? 'II' : 'MM', u16(42), u32(8)];
  return jpegSegment(0xe1, bytesOf('Exif\0\0', ...head, u16(fields), make, turned, u32(0), 'secret\0'));
}

const dirty = [
  ...[exif(1, false), jpegSegment(0xe1, 'http://ns.adobe.com/xap/1.0/\0secret')],
  ...[jpegSegment(0xe2, 'MPF\0secret'), jpegSegment(0xed, 'Photoshop 3.0\0secret')],
  ...[jpegSegment(0xe0, 'JFXX\0secret'), jpegSegment(0xfe, 'secret')],
];

test('a JPEG keeps picture and colors, and loses EXIF, XMP, comments, thumbnails and bytes behind its end', () => {
  const photo = bytesOf(START, jfif, ...dirty, ...shown, END, START, 'secret', END);
  expect(withoutMetadata(photo, 'jpeg')).toEqual(bytesOf(START, jfif, ...shown, END));
  const behindScan = bytesOf(START, jfif, ...shown, ...dirty, END);
  expect(withoutMetadata(behindScan, 'jpeg')).toEqual(bytesOf(START, jfif, ...shown, END));
});

test('a JFIF header with a thumbnail is removed', () => {
  const thumbnail = jpegSegment(0xe0, bytesOf('JFIF\0', [1, 1, 0, 0, 1, 0, 1, 1, 1], 'rgb'));
  expect(withoutMetadata(bytesOf(START, thumbnail, ...shown, END), 'jpeg')).toEqual(
    bytesOf(START, ...shown, END),
  );
});

test.for([true, false])('the orientation stays, without the camera: little-endian %s', (isLittle) => {
  const clean = withoutMetadata(bytesOf(START, exif(6, isLittle), ...shown, END), 'jpeg');
  const only = bytesOf('Exif\0\0', 'MM', be16(42), be32(8), be16(1));
  const turned = [...be16(0x0112), ...be16(3), ...be32(1), ...be16(6), ...be16(0)];
  const segment = jpegSegment(0xe1, bytesOf(only, turned, be32(0)));
  expect(clean).toEqual(bytesOf(START, segment, ...shown, END));
  expect(withoutMetadata(clean ?? bytesOf(), 'jpeg')).toEqual(clean);
});

test.for([0, 9, 0xffff])('an orientation of %d is removed', (orientation) => {
  const photo = bytesOf(START, exif(orientation, false), ...shown, END);
  expect(withoutMetadata(photo, 'jpeg')).toEqual(bytesOf(START, ...shown, END));
});

test('an orientation behind the fields of EXIF is removed', () => {
  const photo = bytesOf(START, exif(6, false, 1), ...shown, END);
  expect(withoutMetadata(photo, 'jpeg')).toEqual(bytesOf(START, ...shown, END));
});

test('EXIF with fields behind its end is not read further', () => {
  const numbers = [u16be, u32be].map((each) => vi.mocked(each));
  const count = (photo: Bytes) => {
    for (const each of numbers) each.mockClear();
    withoutMetadata(photo, 'jpeg');
    return numbers.reduce((sum, { mock }) => sum + mock.calls.length, 0);
  };
  const known = count(bytesOf(START, exif(1, false), ...shown, END));
  const behind = jpegSegment(0xe1, bytesOf('Exif\0\0MM', be16(42), be32(8), be16(0xffff), be16(0x010f)));
  expect(count(bytesOf(START, behind, ...shown, END))).toBeLessThanOrEqual(known);
  const outside = jpegSegment(0xe1, bytesOf('Exif\0\0MM', be16(42), be32(0xffff_0000)));
  expect(count(bytesOf(START, outside, ...shown, END))).toBeLessThanOrEqual(known);
});

test('a JPEG with thousands of segments has no version without metadata', () => {
  const empty = new Uint8Array(4 * 20_000).map((_, at) => [0xff, 0xdb, 0, 2][at % 4] ?? 0);
  expect(withoutMetadata(bytesOf(START, empty, ...shown, END), 'jpeg')).toBeNull();
});

test('a JPEG that is cut anywhere loses its metadata, and keeps its complete segments and coded bytes', () => {
  const parts = [jfif, exif(1, true), ...dirty, ...shown, ...dirty, scan];
  const whole = bytesOf(START, ...parts);
  for (let length = 2; length < whole.length; length++) {
    const clean = withoutMetadata(whole.subarray(0, length), 'jpeg');
    const cleanText = Buffer.from(clean ?? []).toString('latin1');
    expect(clean, `${length}`).not.toBeNull();
    expect(cleanText).not.toMatch(/secret|Exif/);
    if (length > whole.length - 4)
      expect(clean).toEqual(bytesOf(START, jfif, ...shown, scan.slice(0, length - whole.length)));
  }
});

test('a cut JPEG keeps its orientation', () => {
  const clean = withoutMetadata(bytesOf(START, exif(6, true), ...shown), 'jpeg');
  expect(Buffer.from(clean ?? []).toString('latin1')).toContain('Exif');
  expect(clean).toEqual(withoutMetadata(bytesOf(START, exif(6, false), ...shown), 'jpeg'));
});

test('bytes behind fill bytes and an end are removed', () => {
  const clean = withoutMetadata(bytesOf(START, ...shown, tables, [0xff], END, 'secret'), 'jpeg');
  expect(clean).toEqual(bytesOf(START, ...shown, tables, END));
});

test('a JPEG with other bytes between its segments has no version without metadata', () => {
  for (const other of [
    'secret',
    [0xff, 0x02, 0, 4, 1, 1],
    [0xff, 0xd8, 0, 4, 1, 1],
    [0xff, 0xc4, 0, 1, 1, 1],
  ])
    expect(withoutMetadata(bytesOf(START, jfif, other, ...shown, END), 'jpeg')).toBeNull();
});

test('reading any bytes ends, and adds no bytes', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...dirty, ...shown)), fc.uint8Array(), (parts, tail) => {
      const bytes = bytesOf(START, ...parts, [...tail], END);
      expect(withoutMetadata(bytes, 'jpeg')?.length ?? 0).toBeLessThanOrEqual(bytes.length);
    }),
  );
});
