import { expect, test } from 'vitest';
import { cleanMedia } from '../../../../../src/renderer/chat/writing/files/clean-media.ts';
import type { Bytes } from '../../../../../src/renderer/shared/pictures/bytes.ts';
import { CountedFile, cleanBytes, expectSameLength, filmOf, textOf } from './films.ts';
import { be32, bytesOf, type Part } from './made.ts';

test.each(['matroska.mkv', 'web.webm'])(
  '%s keeps its frames, and loses place, camera and title',
  async (name) => {
    const film = filmOf(name);
    expect(textOf(film)).toMatch(/\+48\.8577/);
    const clean = await cleanBytes(film);
    expect(clean).toHaveLength(film.length);
    expect(textOf(clean)).not.toMatch(/Secret|48\.8/);
    // From the first cluster to the tables behind the last one.
    const cluster = textOf(film).indexOf('\x1f\x43\xb6\x75');
    const times = textOf(film).indexOf('\x1c\x53\xbb\x6b', cluster);
    expect(times).toBeGreaterThan(cluster);
    expect(textOf(clean).slice(cluster, times)).toBe(textOf(film).slice(cluster, times));
    expect(await cleanBytes(clean ?? film)).toEqual(clean);
  },
);

const [SEGMENT, INFO, TRACKS, TAGS] = [0x18538067, 0x1549a966, 0x1654ae6b, 0x1254c367];
const CLUSTER = 0x1f43b675;

const idBytes = (id: number) => be32(id).slice(be32(id).findIndex((byte) => byte !== 0));
/** An element with a length of four bytes. */
const element = (id: number, ...parts: readonly Part[]) => {
  const body = bytesOf(...parts);
  return bytesOf(idBytes(id), be32(0x10000000 + body.length), body);
};
const film = (...parts: readonly Bytes[]) => bytesOf(element(0x1a45dfa3), element(SEGMENT, ...parts));
const track = (...parts: readonly Bytes[]) => element(TRACKS, element(0xae, element(0x83, [1]), ...parts));
const frames = element(CLUSTER, 'frames');

test('titles, dates, names of programs and tracks, checksums and void parts are emptied', async () => {
  const dirty = film(
    element(0xec, 'secret'),
    element(INFO, element(0x7ba9, 'secret'), element(0x4d80, 'secret'), element(0x4461, 'secret')),
    track(...[0x536e, 0xbf, 0xec, 0x3a9697].map((id) => element(id, 'secret'))),
    frames,
    element(TAGS, 'secret'.repeat(50)),
  );
  const clean = await cleanBytes(dirty);
  expect(clean).toHaveLength(dirty.length);
  expect(textOf(clean)).toContain('frames');
  expect(textOf(clean)).not.toContain('secret');
  expect(await cleanBytes(clean ?? dirty)).toEqual(clean);
});

test('a film of unknown length is cleaned', async () => {
  const parts = bytesOf(track(), frames, element(TAGS, 'secret'));
  const clean = textOf(await cleanBytes(bytesOf(element(0x1a45dfa3), idBytes(SEGMENT), [0xff], parts)));
  expect(clean).toContain('frames');
  expect(clean).not.toContain('secret');
});

test.each([
  ['with attached files', film(track(), element(0x1941a469, 'x'))],
  ['with subtitles', film(element(TRACKS, element(0xae, element(0x83, [0x11]))))],
  ['with frames that have EXIF', film(track(element(0x86, 'V_MJPEG')))],
  ['with a cluster of unknown length', film(track(), bytesOf(idBytes(CLUSTER), [0xff], 'frames'))],
  ['with a second segment', bytesOf(film(track()), element(SEGMENT))],
  [
    'with descriptions of more than 1 MiB',
    film(track(), element(INFO, element(0xec, new Uint8Array(2 ** 20)))),
  ],
  ['with more than 20,000 elements', film(...Array.from({ length: 20_001 }, () => element(0xec)))],
])('a film %s has no version without metadata', async (_, bytes) => {
  expect(await cleanMedia(new Blob([bytes]))).toBeNull();
});

test('20,000 small elements side by side are read in blocks', async () => {
  const file = new CountedFile([film(track(), ...Array.from({ length: 19_990 }, () => element(0xec, 'x')))]);
  expect(await cleanMedia(file)).not.toBeNull();
  expect(file.reads).toBeLessThan(10);
});

test('a film that is cut anywhere behind its tracks is cleaned', async () => {
  const whole = film(track(), frames, element(TAGS, 'secret'.repeat(50)), frames);
  for (let length = textOf(whole).indexOf('frames'); length < whole.length; length++) {
    const clean = await cleanBytes(whole.subarray(0, length));
    expect(clean, `${length}`).toHaveLength(length);
    expect(textOf(clean)).not.toContain('secret');
  }
});

test('cut and changed films are cleaned at the same length, or not at all', () =>
  expectSameLength(filmOf('matroska.mkv')));
