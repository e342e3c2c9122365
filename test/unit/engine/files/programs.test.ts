/** Files that are not opened in other programs. */
import { expect, test } from 'vitest';
import { isProgram } from '../../../../src/engine/files/message-files.ts';
import type { AttachedFile } from '../../../../src/protocol/blob/file.ts';

const isRun = (name: string, mediaType: string | null = null) =>
  isProgram({ name } as AttachedFile, { mediaType } as never);

test.each([
  ...[
    'setup.exe',
    'setup.EXE',
    'setup.exe. .',
    'setup.ex\u200be',
    'photo.png.bat',
    'a.scr',
    'a.lnk',
    'a.url',
    'a.ps1',
    'a.jar',
  ],
  // Places on a network that macOS connects to, and queries that a spreadsheet runs.
  ...[
    'a.inetloc',
    'a.afploc',
    'a.vncloc',
    'a.terminal',
    'a.scptd',
    'a.desktop',
    'a.flatpakrepo',
    'a.iqy',
    'a.xlsb',
  ],
  ...['a.settingcontent-ms', 'a.appcontent-ms', 'a.svg', 'a.html'],
])('%j is a program', (name) => {
  expect(isRun(name)).toBe(true);
});

test('documents, pictures and archives are not programs, unless their first bytes are those of one', () => {
  expect(
    ['a.pdf', 'a.txt', 'a.jpg', 'a.zip', 'a.docx', 'exe', 'a.exe.pdf'].filter((name) => isRun(name)),
  ).toEqual([]);
  expect(isRun('a.pdf', 'application/x-executable')).toBe(true);
});
