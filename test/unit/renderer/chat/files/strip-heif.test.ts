import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { withoutMetadata } from '../../../../../src/renderer/chat/writing/files/strip-metadata.ts';
import { pictureHead } from '../../../../../src/renderer/shared/pictures/picture-head.ts';
import { be16, be32, bytesOf, type Part } from './made.ts';

/** A picture of `heif-enc`, with a thumbnail, and with EXIF and XMP of `exiftool`. */
const PHOTO = new Uint8Array(readFileSync(new URL('../../../../support/photo.heic', import.meta.url)));

const box = (name: string, ...parts: readonly Part[]) => {
  const body = bytesOf(...parts);
  return bytesOf(be32(body.length + 8), name, body);
};
const item = (id: number, type: string) => box('infe', [2, 0, 0, 0], be16(id), be16(0), type, [0]);
/** Bytes of an item in `idat`. */
const place = (id: number, offset: number, length: number) => [
  ...[...be16(id), ...be16(1), ...be16(0)],
  ...[...be16(1), ...be32(offset), ...be32(length)],
];

interface MadeOptions {
  type?: string;
  properties?: readonly ReturnType<typeof bytesOf>[];
  inMeta?: readonly ReturnType<typeof bytesOf>[];
  behind?: readonly ReturnType<typeof bytesOf>[];
}

/** A picture with its bytes, and a text, in `idat`. */
function made({ type = 'mime', properties = [], inMeta = [], behind = [] }: MadeOptions = {}) {
  const size = box('ispe', be32(0), be32(64), be32(48));
  return bytesOf(
    box('ftyp', 'heic', be32(0), 'mif1'),
    box(
      'meta',
      ...[be32(0), box('hdlr', 'pict'), box('pitm', be32(0), be16(1))],
      box('iinf', be32(0), be16(2), item(1, 'hvc1'), item(2, type)),
      box('iprp', box('ipco', size, ...properties)),
      box('idat', 'pixels', 'secret', 'loose'),
      box('iloc', [1, 0, 0, 0], be16(0x4400), be16(2), place(1, 0, 6), place(2, 6, 6)),
      ...inMeta,
    ),
    ...behind,
  );
}

const text = (bytes: Uint8Array | null) => Buffer.from(bytes ?? []).toString('latin1');

test('a HEIC photo keeps its picture, and loses EXIF, XMP and thumbnail', () => {
  expect(text(PHOTO)).toMatch(/SecretCamera.*SecretCity/s);
  const clean = withoutMetadata(PHOTO, 'heif');
  expect(clean).toHaveLength(PHOTO.length);
  expect(text(clean)).not.toMatch(/Secret|Exif|mime|thmb/);
  expect(pictureHead(new Uint8Array(clean ?? []))).toMatchObject({ format: 'heif', width: 64, height: 64 });
  const same = PHOTO.filter((byte, at) => byte === clean?.[at]).length;
  expect(same, 'the coded picture').toBeGreaterThan(PHOTO.length / 3);
  expect(withoutMetadata(clean ?? PHOTO, 'heif')).toEqual(clean);
});

test('only bytes of pictures stay in the data', () => {
  const clean = text(withoutMetadata(made(), 'heif'));
  expect(clean).toContain(`pixels${'\0'.repeat(11)}`);
});

test('private properties, unknown boxes and bytes behind the end are removed', () => {
  const secret = [box('udes', 'secret')];
  const dirty = made({
    properties: secret,
    inMeta: [box('uuid', 'secret')],
    behind: [box('mpvd', 'secret'), box('mdat', 'old secret'), box('sefd', 'secret')],
  });
  const clean = withoutMetadata(dirty, 'heif');
  expect(text(clean)).not.toContain('secret');
  expect(text(clean).match(/free/g)).toHaveLength(4);
  expect(clean?.length).toBe(dirty.length - box('sefd', 'secret').length);
});

test('a picture with a film, or with an unknown item, has no version without metadata', () => {
  expect(withoutMetadata(made({ behind: [box('moov', 'film')] }), 'heif')).toBeNull();
  expect(withoutMetadata(made({ type: 'new1' }), 'heif')).toBeNull();
});

test('an unknown property is removed', () => {
  const clean = text(withoutMetadata(made({ properties: [box('new1', 'secret')] }), 'heif'));
  expect(clean).not.toContain('secret');
  expect(clean).toContain('pixels');
});

test('a HEIF with a JPEG that is no thumbnail has no version without metadata', () => {
  expect(withoutMetadata(made({ type: 'jpeg' }), 'heif')).toBeNull();
  const thumbnail = box('iref', be32(0), box('thmb', be16(2), be16(1), be16(1)));
  const clean = text(withoutMetadata(made({ type: 'jpeg', inMeta: [thumbnail] }), 'heif'));
  expect(clean).toContain('pixels');
  expect(clean).not.toContain('secret');
});

test('a second box of items or references has no version without metadata', () => {
  expect(withoutMetadata(made({ inMeta: [box('idat', 'secret')] }), 'heif')).toBeNull();
  const references = box('iref', be32(0));
  expect(withoutMetadata(made({ inMeta: [references] }), 'heif')).not.toBeNull();
  expect(withoutMetadata(made({ inMeta: [references, references] }), 'heif')).toBeNull();
});

test('extents that overlap, in any order, stay whole', () => {
  const extents: [number, number][] = [
    [4, 3],
    [0, 2],
    [1, 4],
    [4, 3],
    [9, 1],
    [5, 1],
  ];
  const places = extents.flatMap(([offset, length]) => [...be32(offset), ...be32(length)]);
  const meta = (base: number) =>
    box(
      'meta',
      ...[be32(0), box('iinf', be32(0), be16(1), item(1, 'hvc1')), box('iprp', box('ipco'))],
      box('iloc', be32(0), be16(0x4440), be16(1), be16(1), be16(0), be32(base), be16(extents.length), places),
    );
  const whole = bytesOf(meta(meta(0).length + 8), box('mdat', 'pixels!89A'));
  expect(text(withoutMetadata(whole, 'heif'))).toBe(text(whole).replace('!89', '!\0\0'));
});

/** A picture of 64 KiB with this number of extents, each of the whole picture. */
function repeated(count: number) {
  const data = box('mdat', new Uint8Array(65_536).fill(7));
  const meta = (start: number) =>
    box(
      'meta',
      ...[be32(0), box('iinf', be32(0), be16(1), item(1, 'hvc1')), box('iprp', box('ipco'))],
      box(
        'iloc',
        ...[be32(0), be16(0x4400), be16(1), be16(1), be16(0), be16(count)],
        Array.from({ length: count }, () => [...be32(start), ...be32(65_536)]).flat(),
      ),
    );
  return bytesOf(meta(meta(0).length + 8), data);
}

test('extents that overlap are copied once', () => {
  const whole = repeated(1_000);
  const set = vi.spyOn(Object.getPrototypeOf(Uint8Array.prototype), 'set');
  const clean = withoutMetadata(whole, 'heif');
  const copied = set.mock.calls.reduce((sum, [bytes]) => sum + (bytes as Uint8Array).length, 0);
  set.mockRestore();
  expect(copied).toBe(65_536);
  expect(clean).toEqual(whole);
});

test('a picture of more than 10,000 extents has no version without metadata', () => {
  expect(withoutMetadata(repeated(10_000), 'heif')).not.toBeNull();
  expect(withoutMetadata(repeated(10_001), 'heif')).toBeNull();
});

test('a picture that is cut in its data is cleaned, and another cut one is not', () => {
  const data = text(PHOTO).lastIndexOf('mdat') + 4;
  for (let length = 0; length < PHOTO.length; length++) {
    const clean = withoutMetadata(PHOTO.subarray(0, length), 'heif');
    const expected = length < data ? null : withoutMetadata(PHOTO, 'heif')?.subarray(0, length);
    expect(clean, `${length}`).toEqual(expected);
  }
  const whole = made();
  for (let length = 0; length < whole.length; length++)
    expect(withoutMetadata(whole.subarray(0, length), 'heif'), `${length}`).toBeNull();
});

test('reading a picture with changed bytes ends, and adds no bytes', () => {
  const whole = [PHOTO, made()];
  const change = fc.tuple(fc.nat(PHOTO.length), fc.nat(255));
  fc.assert(
    fc.property(fc.nat(1), fc.array(change, { maxLength: 8 }), (which, changes) => {
      const bytes = (whole[which] ?? PHOTO).slice();
      for (const [at, value] of changes) bytes[at % bytes.length] = value;
      expect(withoutMetadata(bytes, 'heif')?.length ?? 0).toBeLessThanOrEqual(bytes.length);
    }),
  );
});
