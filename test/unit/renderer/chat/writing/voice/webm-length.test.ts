import { expect, test } from 'vitest';
import { withLength } from '../../../../../../src/renderer/chat/writing/voice/webm-length.ts';

/** The beginning of a recording by Chromium, with a length of one millisecond. */
const BEGIN =
  '1a45dfa39f4286810142f7810142f2810442f381084282847765626d428781044285810218538067' +
  '01ffffffffffffff1549a966a02ad7b1830f4240';
const END = '4d80864368726f6d655741864368726f6d651654ae6b';

const blob = (hex: string) => new Blob([Buffer.from(hex, 'hex')], { type: 'audio/webm' });
const hexOf = async (file: Blob) => Buffer.from(await file.arrayBuffer()).toString('hex');

test.each([
  ['four', '4489843f800000', '448984451c4000'],
  ['eight', '4489883ff0000000000000', '44898840a3880000000000'],
])('a length of %s bytes in a recording is replaced', async (_, before, after) => {
  const rest = END + '00'.repeat(2_000);
  const written = await withLength(blob(BEGIN + before + rest), 2_500);
  expect(await hexOf(written)).toBe(BEGIN + after + rest);
  expect(written.type).toBe('audio/webm');
});

test.each([
  ['no length', BEGIN + END],
  ['a length of an unknown size', `${BEGIN}4489853f80000000${END}`],
  ['a length that is cut', `${BEGIN}4489843f80`],
  ['another container', `00000020667479704489843f800000${END}`],
  ['no bytes', ''],
])('a recording with %s stays as it is', async (_, hex) => {
  expect(await hexOf(await withLength(blob(hex), 2_500))).toBe(hex);
});
