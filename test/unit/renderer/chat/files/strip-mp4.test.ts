import { expect, test } from 'vitest';
import { boxesIn } from '../../../../../src/renderer/chat/writing/files/boxes.ts';
import { cleanMedia } from '../../../../../src/renderer/chat/writing/files/clean-media.ts';
import type { Bytes } from '../../../../../src/renderer/shared/pictures/bytes.ts';
import { CountedFile, cleanBytes, expectSameLength, filmOf, textOf } from './films.ts';
import { be16, be32, bytesOf, type Part } from './made.ts';

/** The contents of the first box with this name, wherever it is. */
function bodyOf(bytes: Bytes, name: string, length: number): Bytes {
  const at = textOf(bytes).indexOf(name) + 4;
  return bytes.subarray(at, at + length);
}
/** The bodies of all boxes with frames. */
function dataOf(bytes: Bytes): string[] {
  const data = boxesIn(bytes, 0, bytes.length).filter(({ name }) => name === 'mdat');
  return data.map(({ body, end }) => textOf(bytes.subarray(body, end)));
}

test.each([
  ['at its end, with a time code', 'index-at-end.mov'],
  ['at its front, with a time code', 'index-at-front.mp4'],
  ['in parts', 'in-parts.mp4'],
])(
  'a film with its index %s keeps its frames and rotation, and loses place, camera and times',
  async (_, name) => {
    const film = filmOf(name);
    expect(textOf(film)).toMatch(/Secret/);
    expect(textOf(film)).toMatch(/\+48\.8577|loci/);
    const clean = await cleanBytes(film);
    if (!clean) throw new Error('no clean film');
    expect(clean).toHaveLength(film.length);
    expect(textOf(clean)).not.toMatch(/Secret|48\.8|xmp|udta|loci|meta|uuid|tmcd/);
    for (const header of ['mvhd', 'tkhd', 'mdhd'])
      expect(bodyOf(clean, header, 12).subarray(4)).toEqual(new Uint8Array(8));
    expect(bodyOf(clean, 'tkhd', 84).subarray(12)).toEqual(bodyOf(film, 'tkhd', 84).subarray(12));
    const [before, after] = [dataOf(film), dataOf(clean)];
    expect(after.length).toBeGreaterThan(0);
    // The two bytes of the time code that are not zero.
    const timeCode = name === 'in-parts.mp4' ? 0 : 2;
    const count = before.reduce((sum, data, at) => sum + differences(data, after[at]), 0);
    expect(count).toBe(timeCode);
    expect(await cleanBytes(clean)).toEqual(clean);
  },
);

function differences(one: string, other = ''): number {
  return [...one].filter((letter, at) => letter !== other[at]).length;
}

const box = (name: string, ...parts: readonly Part[]) => {
  const body = bytesOf(...parts);
  return bytesOf(be32(body.length + 8), name, body);
};
const full = (name: string, ...parts: readonly Part[]) => box(name, be32(0), ...parts);
const zeros = (count: number) => Array.from({ length: count }, () => 0);

interface TrackOptions {
  kind?: string;
  coding?: string;
  inTrack?: readonly Bytes[];
  inMedia?: readonly Bytes[];
  inTable?: readonly Bytes[];
  inDescription?: readonly Bytes[];
  /** Places and sizes of the samples, each in a chunk of its own. */
  samples?: readonly (readonly [at: number, length: number])[];
  reference?: Bytes;
}

function track({ kind = 'vide', coding = 'avc1', samples = [], ...more }: TrackOptions = {}): Bytes {
  const table = box(
    'stbl',
    full(
      'stsd',
      be32(1),
      box(coding, zeros(12), 'Cam0', zeros(26), 'SecretCompressor', zeros(20), ...(more.inDescription ?? [])),
    ),
    full(
      'stsc',
      be32(samples.length > 0 ? 1 : 0),
      ...(samples.length > 0 ? [be32(1), be32(1), be32(1)] : []),
    ),
    full('stsz', be32(0), be32(samples.length), ...samples.map(([, length]) => be32(length))),
    full('stco', be32(samples.length), ...samples.map(([at]) => be32(at))),
    ...(more.inTable ?? []),
  );
  return box(
    'trak',
    full('tkhd', be32(7), be32(7), be32(1)),
    box(
      'mdia',
      full('hdlr', be32(0), kind, zeros(12), 'SecretHandler\0'),
      box('minf', box('dinf', full('dref', be32(1), more.reference ?? box('url ', be32(1)))), table),
      ...(more.inMedia ?? []),
    ),
    ...(more.inTrack ?? []),
  );
}

interface FilmOptions {
  data?: string;
  tracks?: readonly Bytes[];
  inIndex?: readonly Bytes[];
  behind?: readonly Bytes[];
}

/** The first byte of the data is at 24. */
function film({ data = 'frames', tracks = [track()], inIndex = [], behind = [] }: FilmOptions = {}): Bytes {
  return bytesOf(
    box('ftyp', 'isom', be32(0)),
    box('mdat', data),
    box('moov', full('mvhd', be32(7), be32(7)), ...tracks, ...inIndex),
    ...behind,
  );
}

const SECRETS = ['udta', 'meta', 'uuid', '\xa9xyz', 'loci', 'new1'].map((name) => box(name, 'secret'));

test.each<[string, FilmOptions]>([
  ['in the file', { behind: SECRETS }],
  ['in the index', { inIndex: SECRETS }],
  ['in a track', { tracks: [track({ inTrack: SECRETS })] }],
  ['in the medium of a track', { tracks: [track({ inMedia: SECRETS })] }],
  ['in the table of a track', { tracks: [track({ inTable: SECRETS })] }],
  ['in a part of a film', { behind: [box('moof', full('mfhd', be32(1)), ...SECRETS)] }],
  ['in a track of a part', { behind: [box('moof', box('traf', full('tfhd', be32(1)), ...SECRETS))] }],
])('metadata and unknown boxes %s are emptied', async (_, options) => {
  const dirty = film(options);
  const clean = await cleanBytes(dirty);
  expect(clean).toHaveLength(dirty.length);
  expect(textOf(clean)).toContain('frames');
  expect(textOf(clean).match(/free/g)).toHaveLength(SECRETS.length);
  expect(textOf(clean)).not.toMatch(/secret|xyz|loci|new1/);
});

test('metadata beside the description of a coding is emptied, and the description stays', async () => {
  const inDescription = [box('avcC', 'needed'), box('uuid', 'secret'), box('pasp', 'needed, too'), be32(0)];
  const clean = textOf(
    await cleanBytes(
      film({ tracks: [track({ inDescription: inDescription.map((part) => bytesOf(part)) })] }),
    ),
  );
  expect(clean).toMatch(/avcCneeded.*free.*paspneeded, too/s);
  expect(clean).not.toContain('secret');
});

test('names of the coding program and of a file on the disk are emptied', async () => {
  const reference = box('alis', be32(1), 'secret');
  const clean = textOf(await cleanBytes(film({ tracks: [track({ reference })] })));
  expect(clean).toContain('avc1');
  expect(clean).not.toMatch(/secret|Secret|Cam0/);
});

test('a track of places is removed with its samples', async () => {
  const samples = [
    [24 + 1, 2],
    [24 + 6, 3],
  ] as const;
  const dirty = film({
    data: 'aGPbcdGPSef',
    tracks: [track(), track({ kind: 'meta', coding: 'gpmd', samples })],
  });
  const clean = textOf(await cleanBytes(dirty));
  expect(clean).toContain('a\0\0bcd\0\0\0ef');
  expect(clean).not.toContain('gpmd');
  expect(clean.match(/trak/g)).toHaveLength(1);
});

/** A table with the places of items. */
const ITEMS = full('meta', full('iloc', be32(0x4400), be16(1)));
const places = (samples: TrackOptions['samples']) => ({
  tracks: [track({ kind: 'meta', samples: samples ?? [] })],
});

/** A film with places at every second byte of its data. */
const scattered = (count: number) =>
  film({
    data: '.'.repeat(2 * count),
    ...places(Array.from({ length: count }, (_, at) => [24 + 2 * at, 1])),
  });

test.each<[string, Bytes]>([
  ['with subtitles', film({ tracks: [track(), track({ kind: 'text' })] })],
  ['with frames that have EXIF', film({ tracks: [track({ coding: 'mjpa' })] })],
  ['with an encrypted track', film({ tracks: [track({ coding: 'encv' })] })],
  ['with frames in another file', film({ tracks: [track({ reference: box('url ', be32(0), 'x') })] })],
  ['with a compressed index', film({ inIndex: [box('cmov', 'x')] })],
  ['with places in the data', film({ inIndex: [box('gps ', 'x')] })],
  ['with a picture or text in the data', film({ behind: [ITEMS] })],
  ['with a picture or text of the index in the data', film({ inIndex: [box('udta', ITEMS)] })],
  ['with places outside of the data', film(places([[20, 4]]))],
  ['with places behind the end', film(places([[24, 7]]))],
  ['with more than 10,000 places', scattered(10_001)],
  ['with places in its first part', film({ ...places([[24, 2]]), behind: [box('moof')] })],
  ['with places in later parts', film({ ...places([]), behind: [box('moof'), box('mdat', 'GPS')] })],
  ['with two indexes', film({ behind: [box('moov')] })],
  ['without an index', bytesOf(box('ftyp', 'isom', be32(0)), box('mdat', 'frames'))],
  ['of raw pictures', bytesOf(box('ftyp', 'crx ', be32(1)), film().subarray(16))],
  ['with an index of more than 32 MiB', film({ inIndex: [box('udta', new Uint8Array(2 ** 25))] })],
  ['with more than 20,000 boxes', film({ behind: Array.from({ length: 20_000 }, () => box('free')) })],
  [
    'with more than 10,000 boxes in one',
    film({ inIndex: Array.from({ length: 10_000 }, () => box('free')) }),
  ],
])('a film %s has no version without metadata', async (_, bytes) => {
  expect(await cleanMedia(new Blob([bytes]))).toBeNull();
});

test('a film with 10,000 places is cleaned', async () => {
  expect(await cleanMedia(new Blob([scattered(10_000)]))).not.toBeNull();
});

test('the frames of a film of 2 GB are not read', async () => {
  const mebibyte = new Blob([new Uint8Array(2 ** 20)]);
  const frames = Array.from({ length: 2_000 }, () => mebibyte);
  const rest = film({ behind: [box('uuid', 'secret')] });
  const head = bytesOf(be32(8 + 2_000 * 2 ** 20), 'mdat');
  const file = new CountedFile([rest.subarray(0, 16), head, ...frames, rest.subarray(16)]);
  const clean = await cleanMedia(file);
  expect(clean?.size).toBe(file.size);
  expect(await clean?.slice(-rest.length).text()).toContain('free');
  expect(await clean?.slice(-rest.length).text()).not.toContain('secret');
  expect(file.read).toBeLessThan(100_000);
});

test('20,000 small boxes side by side are read in blocks', async () => {
  const bytes = film({ behind: Array.from({ length: 19_990 }, () => box('free', 'secret')) });
  const file = new CountedFile([bytes]);
  const clean = await cleanMedia(file);
  expect(textOf(new Uint8Array((await clean?.arrayBuffer()) ?? []))).not.toContain('secret');
  expect(file.reads).toBeLessThan(10);
});

test('bytes behind the last box become zeros', async () => {
  for (const trailer of ['secret trailer of a camera', 'secret', [0, 0, 0, 1, ...bytesOf('secret')]]) {
    const clean = await cleanBytes(bytesOf(film(), trailer));
    expect(clean?.subarray(0, -bytesOf(trailer).length)).toEqual(await cleanBytes(film()));
    expect(textOf(clean)).not.toContain('secret');
  }
});

test.each(['index-at-front.mp4', 'in-parts.mp4'])(
  'the cut film %s is cleaned once its index is there',
  async (name) => {
    const whole = filmOf(name);
    const end = textOf(whole).indexOf('mdat') + 4;
    for (let length = end; length < whole.length; length += 97) {
      const clean = await cleanBytes(whole.subarray(0, length));
      expect(clean).toHaveLength(length);
      expect(textOf(clean)).not.toMatch(/Secret|48\.8|xmp|udta|loci|uuid/);
    }
    expect(await cleanBytes(whole.subarray(0, textOf(whole).indexOf('moov') + 40))).toBeNull();
  },
);

test('samples of a place track behind the end of a cut film are no error', async () => {
  const tracks = [
    track(),
    track({
      kind: 'meta',
      coding: 'mebx',
      samples: [
        [32, 2],
        [34, 400],
      ],
    }),
  ];
  const index = box('moov', ...tracks);
  const data = bytesOf(box('ftyp', 'isom', be32(0)), be32(600), 'mdat', 'secret secret');
  expect(await cleanBytes(bytesOf(data, index))).toBeNull();
  const front = [box('ftyp', 'isom', be32(0)), index];
  const at = bytesOf(...front).length + 8;
  const moved = box(
    'moov',
    track(),
    track({
      kind: 'meta',
      coding: 'mebx',
      samples: [
        [at, 2],
        [at + 2, 400],
      ],
    }),
  );
  const cut = bytesOf(front[0] ?? [], moved, be32(600), 'mdat', 'secret secret');
  const clean = await cleanBytes(cut);
  expect(clean).toHaveLength(cut.length);
  expect(textOf(clean)).not.toContain('secret');
});

test('cut and changed films are cleaned at the same length, or not at all', () =>
  expectSameLength(filmOf('index-at-end.mov')));

test('other files are not films', async () => {
  for (const content of ['', 'PDF', be16(7), zeros(64)])
    expect(await cleanBytes(bytesOf(content))).toBeNull();
});
