import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { cliPage, PAGE } from '../../../scripts/make-cli-page.ts';
import { ALL_COMMANDS, COMMAND_NAMES } from '../../../src/cli/all-commands.ts';
import { createProgram } from '../../../src/cli/program.ts';

test('an unloaded command has its own summary', async () => {
  const [summaries, commands] = [
    await createProgram([], ALL_COMMANDS),
    await createProgram(COMMAND_NAMES, ALL_COMMANDS),
  ];
  const describe = (program: Command) =>
    program.commands.map((command) => [command.name(), command.description()]);
  // The query of the shell's completion is not a command for people.
  expect(describe(summaries)).toEqual(describe(commands).filter(([name]) => name !== 'complete'));
});

test('docs/cli.md matches the commands: node scripts/make-cli-page.ts updates it', async () => {
  const page = readFileSync(PAGE, 'utf8');
  expect(await cliPage(page)).toBe(page);
});

test('docs/cli.md has a section for each command', async () => {
  const page = readFileSync(PAGE, 'utf8');
  const program = await createProgram(COMMAND_NAMES, ALL_COMMANDS);
  const pathsOf = (command: Command, before: string): string[] => {
    const path = `${before} ${command.name()}`;
    return [path, ...command.commands.flatMap((inner) => pathsOf(inner, path))];
  };
  const paths = program.commands.flatMap((command) => pathsOf(command, 'waxwing'));
  const sections = [...page.matchAll(/^### `([^`[<]+?) ?(?:[[<].*)?`$/gm)].map(([, path]) => path);
  expect(sections).toEqual(paths.filter((path) => path !== 'waxwing complete'));
});

test('help shows no current date as the default of an option', async () => {
  const program = await createProgram(COMMAND_NAMES, ALL_COMMANDS);
  const optionsOf = (command: Command): Command['options'][number][] => [
    ...command.options,
    ...command.commands.flatMap(optionsOf),
  ];
  const dated = optionsOf(program).filter(({ defaultValue }) => /^\d{4}-/.test(String(defaultValue)));
  expect(dated.map(({ defaultValueDescription }) => defaultValueDescription)).toEqual([
    'in 7 days',
    'in 7 days',
  ]);
});

test('every command accepts --verbose, explained once in the help', async () => {
  const program = await createProgram(COMMAND_NAMES, ALL_COMMANDS);
  const without = (command: Command): string[] => [
    ...(command.options.some(({ long }) => long === '--verbose') ? [] : [command.name()]),
    ...command.commands.flatMap(without),
  ];
  expect(without(program)).toEqual([]);
  expect(program.helpInformation()).toContain('--verbose');
  expect(program.commands.filter((command) => command.helpInformation().includes('--verbose'))).toEqual([]);
});
