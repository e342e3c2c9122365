import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cleanMedia } from '../../../../../src/renderer/chat/writing/files/clean-media.ts';
import type { Bytes } from '../../../../../src/renderer/shared/pictures/bytes.ts';
import { be32, bytesOf, type Part } from './made.ts';

const filmOf = (name: string) =>
  new Uint8Array(readFileSync(new URL(`../../../../support/films/${name}`, import.meta.url)));

async function cleanBytes(bytes: Bytes): Promise<Bytes | null> {
  const clean = await cleanMedia(new Blob([bytes]));
  return clean && new Uint8Array(await clean.arrayBuffer());
}

const text = (bytes: Uint8Array | null) => Buffer.from(bytes ?? []).toString('latin1');

test.each(['matroska.mkv', 'web.webm'])(
  '%s keeps its frames, and loses place, camera and title',
  async (name) => {
    const film = filmOf(name);
    expect(text(film)).toMatch(/\+48\.8577/);
    const clean = await cleanBytes(film);
    expect(clean).toHaveLength(film.length);
    expect(text(clean)).not.toMatch(/Secret|48\.8/);
    // From the first cluster to the tables behind the last one.
    const cluster = text(film).indexOf('\x1f\x43\xb6\x75');
    const times = text(film).indexOf('\x1c\x53\xbb\x6b', cluster);
    expect(times).toBeGreaterThan(cluster);
    expect(text(clean).slice(cluster, times)).toBe(text(film).slice(cluster, times));
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
  expect(text(clean)).toContain('frames');
  expect(text(clean)).not.toContain('secret');
  expect(await cleanBytes(clean ?? dirty)).toEqual(clean);
});

test('a film of unknown length is cleaned', async () => {
  const parts = bytesOf(track(), frames, element(TAGS, 'secret'));
  const clean = text(await cleanBytes(bytesOf(element(0x1a45dfa3), idBytes(SEGMENT), [0xff], parts)));
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

test('cut and changed films are cleaned at the same length, or not at all', async () => {
  const dirty = filmOf('matroska.mkv');
  const change = fc.array(fc.tuple(fc.nat(dirty.length - 1), fc.nat(255)), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(change, fc.nat(dirty.length), async (changes, length) => {
      const copy = dirty.slice(0, changes.length % 2 === 0 ? dirty.length : length);
      for (const [at, value] of changes) if (at < copy.length) copy[at] = value;
      const clean = await cleanBytes(copy);
      expect(clean?.length ?? copy.length).toBe(copy.length);
    }),
  );
});
