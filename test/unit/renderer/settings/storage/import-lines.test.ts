/** Lines of files to import. */
import { expect, test } from 'vitest';
import { LONGEST_LINE, linesOf } from '../../../../../src/renderer/settings/storage/import-lines.ts';

async function linesIn(text: string, signal = new AbortController().signal): Promise<(string | null)[]> {
  const lines: (string | null)[] = [];
  for await (const line of linesOf(new Blob([text]).stream(), signal)) lines.push(line);
  return lines;
}

test('a file has its lines, without empty ones at its end', async () => {
  expect(await linesIn('a\n\nb\n \n\n')).toEqual(['a', '', 'b']);
  expect(await linesIn('a\nb')).toEqual(['a', 'b']);
  expect(await linesIn('\n\n')).toEqual([]);
});

test('a line that is too long is damaged, and the lines before it are read', async () => {
  expect(await linesIn(`a\nb\n${'0'.repeat(LONGEST_LINE + 1)}`)).toEqual(['a', 'b', null]);
});

test('a person can stop the reading of a file of empty lines only', async () => {
  const stopped = AbortSignal.abort(new Error('stopped'));
  await expect(linesIn('\n'.repeat(100_000), stopped)).rejects.toThrow('stopped');
});
