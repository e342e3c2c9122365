/** Names of received files on all systems. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutFileName, extensionOf, toFileName } from '../../../src/protocol/blob/file-name.ts';
import { FILE_NAMES } from '../../support/hostile-attachments.ts';

test.each([
  ['Report 2026.pdf', 'Report 2026.pdf'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\Windows\\system32\\calc.exe', 'calc.exe'],
  ['con', '_con'],
  ['CON.txt', '_CON.txt'],
  ['com¹.log', '_com¹.log'],
  ['LPT9', '_LPT9'],
  ['con .txt', '_con .txt'],
  ['console.txt', 'console.txt'],
  ['photo\u202egnp.exe', 'photognp.exe'],
  ['photo\u200b.exe', 'photo.exe'],
  ['a:b|c?.txt', 'a_b_c_.txt'],
  ['name. . .', 'name'],
  ['.htaccess', 'htaccess'],
  ['two\nlines.txt', 'two lines.txt'],
  ['Föhn 🏔️.jpg', 'Föhn 🏔️.jpg'],
  ['', 'file'],
  ['..', 'file'],
  ['/', 'file'],
])('%j becomes %j', (claimed, name) => {
  expect(toFileName(claimed)).toBe(name);
});

test('a long name is cut within 255 bytes, and keeps its extension and its characters', () => {
  const name = toFileName(`${'ü'.repeat(300)}.pdf`);
  expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
  expect(name).toMatch(/^ü+\.pdf$/);
});

test('a name that was cut does not end with the extension of a program, or with a dot', () => {
  for (const extension of ['.bat', '.bat.', '.bat. .', '.exe'])
    for (let length = 240; length < 256; length++) {
      const name = toFileName(`${'x'.repeat(length)}${extension}${'y'.repeat(40)}.${'z'.repeat(40)}`);
      expect(extensionOf(name), name).toBe('');
      expect(name).toMatch(/[^. ]$/);
    }
});

test.each([
  ['photo.jpg', 'photo (2).jpg'],
  ['Makefile', 'Makefile (2)'],
  [`${'x'.repeat(251)}.jpg`, `${'x'.repeat(247)} (2).jpg`],
  [`a.${'b'.repeat(253)}`, `a_${'b'.repeat(249)} (2)`],
])('%j with a number is %j', (name, numbered) => {
  expect(cutFileName(name, 255, ' (2)')).toBe(numbered);
});

function isSafe(name: string): boolean {
  return (
    name.length > 0 &&
    Buffer.byteLength(name) <= 255 &&
    name.isWellFormed() &&
    !/[/\\<>:"|?*\p{Cc}\u200b\u202a-\u202e]/u.test(name) &&
    !/^[\s.]|[\s.]$/.test(name) &&
    !/^(?:con|prn|aux|nul|conin\$|conout\$|clock\$|(?:com|lpt)[0-9¹²³])\s*(?:$|\.)/i.test(name)
  );
}

test('every name is safe on all systems', () => {
  for (const name of FILE_NAMES) expect(isSafe(toFileName(name)), JSON.stringify(name)).toBe(true);
  const parts = fc.constantFrom(...FILE_NAMES, '.', ' ', '/', '\\', '\ud800', 'é'.repeat(200));
  const names = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(parts).map((all) => all.join('')),
  );
  fc.assert(
    fc.property(names, (name) => isSafe(toFileName(name))),
    { numRuns: 2_000 },
  );
});

test('an extension is in lower case, without its dot', () => {
  expect(['a.PDF', 'a.tar.gz', 'a', 'a.', 'a.b c'].map(extensionOf)).toEqual(['pdf', 'gz', '', '', '']);
});
