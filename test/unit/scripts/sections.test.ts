import { spawnSync } from 'node:child_process';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
// @ts-expect-error: a script of plain JavaScript
import { Sections } from '../../../scripts/sections.mjs';
import { temporaryFolder } from '../../support/engine.ts';

let printed: string;
beforeEach(() => {
  printed = '';
});
const put = (part: string | Buffer) => {
  printed += part.toString();
};

function sideBySide(...names: string[]) {
  const folder = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  return new Sections(names, folder.path, put);
}

/** A program of a suite, which writes to both of its outputs. */
function program(sections: ReturnType<typeof sideBySide>, name: string): void {
  const code = 'console.log("out of " + process.argv[1]); console.error("error of " + process.argv[1]);';
  spawnSync(process.execPath, ['-e', code, name], { stdio: sections.stdio(name) });
}

test('outputs of suites that run side by side are printed one after another', () => {
  const sections = sideBySide('unit', 'components');
  sections.begin('components');
  sections.begin('unit');
  program(sections, 'components');
  program(sections, 'unit');
  sections.end('components');
  expect(printed).not.toContain('components');
  sections.write('unit', 'more\n');
  sections.end('unit');
  sections.close();
  expect(printed).toBe(
    '\nunit\nout of unit\nerror of unit\nmore\n\ncomponents\nout of components\nerror of components\n',
  );
});

test('a suite that begins after a later one has ended is still printed first', () => {
  const sections = sideBySide('typecheck', 'unit', 'components');
  sections.begin('typecheck');
  sections.begin('components');
  sections.end('components');
  sections.end('typecheck');
  expect(printed).toBe('\ntypecheck\n');
  sections.begin('unit');
  sections.end('unit');
  sections.close();
  expect(printed).toBe('\ntypecheck\n\nunit\n\ncomponents\n');
});

test('an output longer than one read is printed completely', () => {
  const sections = sideBySide('unit');
  sections.begin('unit');
  const long = 'wren '.repeat(50_000);
  sections.write('unit', long);
  sections.end('unit');
  sections.close();
  expect(printed).toBe(`\nunit\n${long}`);
});

test('a stopped run prints the output so far of each suite', () => {
  const sections = sideBySide('lint', 'unit', 'components');
  sections.begin('unit');
  sections.begin('components');
  sections.close();
  expect(printed).toBe('\nunit\n\ncomponents\n');
});

test('the output of suites that run one by one is printed at once', () => {
  const sections = new Sections(['unit'], null, put);
  sections.begin('unit');
  expect(sections.stdio('unit')).toBe('inherit');
  sections.write('unit', 'a sentence\n');
  expect(printed).toBe('\nunit\na sentence\n');
});
