import { expect, test } from 'vitest';
import { type Box, boxesIn } from '../../../../../src/renderer/chat/writing/files/boxes.ts';
import type { Bytes } from '../../../../../src/renderer/shared/pictures/bytes.ts';
import { cleanBytes, expectSameLength, filmOf, textOf } from './films.ts';
import { be32, bytesOf } from './made.ts';

const SONG = 'song.m4a';

/** The values of tags by their names. */
function tagsOf(bytes: Bytes): Record<string, string> {
  const inside = ({ body, end }: Pick<Box, 'body' | 'end'>, name: string, head = 0): Box => {
    const found = boxesIn(bytes, body + head, end).find((each) => each.name === name);
    if (!found) throw new Error(`no ${name}`);
    return found;
  };
  const index = inside({ body: 0, end: bytes.length }, 'moov');
  const list = inside(inside(inside(index, 'udta'), 'meta'), 'ilst', 4);
  return Object.fromEntries(
    boxesIn(bytes, list.body, list.end).map(({ name, body, end }) => [
      name,
      name === 'free' ? '' : textOf(bytes.subarray(body + 16, end)),
    ]),
  );
}

test('a song keeps title, artist, album, number, year and cover, and loses place, comment, buyer and program', async () => {
  const song = filmOf(SONG);
  expect(textOf(song)).toMatch(/SecretCamera.*SecretBuyer/s);
  const clean = await cleanBytes(song);
  if (!clean) throw new Error('no clean song');
  expect(clean).toHaveLength(song.length);
  expect(textOf(clean)).not.toMatch(/Secret|Lavf|apID|purd|Handler/);
  const { covr: cover, ...tags } = tagsOf(clean);
  expect(tags).toEqual({
    '©nam': 'Song',
    '©ART': 'Artist',
    aART: 'All',
    '©alb': 'Album',
    '©gen': 'Folk',
    '©day': '2011',
    trkn: '\0\0\0\x03\0\x09\0\0',
    free: '',
  });
  expect(cover).toMatch(/^\xff\xd8.*\xff\xd9\0+$/s);
  expect(cover).not.toContain('Exif');
  expect(await cleanBytes(clean)).toEqual(clean);
});

test('a recording has no artist or album, and loses its title, which may be a place', async () => {
  const memo = filmOf('voice-memo.m4a');
  expect(textOf(memo)).toContain('Secret Street');
  const clean = await cleanBytes(memo);
  expect(clean).toHaveLength(memo.length);
  expect(textOf(clean)).not.toMatch(/Secret|2026|ilst/);
});

/** The song with one text instead of another of the same length. */
function songWith(before: string, after: string): Bytes {
  const text = textOf(filmOf(SONG));
  expect(text).toContain(before);
  return bytesOf(text.replaceAll(before, after));
}

test.each([
  ['a date instead of a year', '2011', '2-11', /2-11/],
  ['a cover of an unknown format', '\xff\xd8\xff', '\xff\xd9\xff', /covr|SecretCamera/],
  ['an artist without a value', '\0\0\0\x16data', '\0\0\0\x16dada', /dada/],
])('a song with %s loses this tag', async (_, before, after, removed) => {
  const clean = await cleanBytes(songWith(before, after));
  expect(tagsOf(clean ?? bytesOf())).toMatchObject({ '©nam': 'Song', '©alb': 'Album' });
  expect(textOf(clean)).not.toMatch(removed);
});

test.each([
  ['tags of another kind', 'mdirappl', 'mdtaappl'],
  ['tags whose lengths do not match', textOf(bytesOf(be32(28), '©nam')), textOf(bytesOf(be32(29), '©nam'))],
])('a sound with %s loses all', async (_, before, after) => {
  const clean = await cleanBytes(songWith(before, after));
  expect(textOf(clean)).toContain('moov');
  expect(textOf(clean)).not.toMatch(/udta|Song|Secret/);
});

test('cut and changed sounds are cleaned at the same length, or not at all', () =>
  expectSameLength(filmOf(SONG)));
