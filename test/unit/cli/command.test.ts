/**
 * Ids that begin with a dash (one in 64), given as an argument.
 */
import type { Command, CommanderError } from 'commander';
import { describe, expect, test } from 'vitest';
import { ALL_COMMANDS, COMMAND_NAMES } from '../../../src/cli/all-commands.ts';
import { CliCommand } from '../../../src/cli/command.ts';
import { createProgram } from '../../../src/cli/program.ts';

const DASH = '-KulWpNQ1988ePvfdQqSww';
const TWO_DASHES = '--ulWpNQ1988ePvfdQqSww';
const ALL_DASHES = `${'-'.repeat(21)}w`;

interface Parsed {
  args: string[];
  options: Record<string, unknown>;
}

/** The input of a subcommand with two arguments and three options. */
async function parse(...args: string[]): Promise<Parsed> {
  let parsed: Parsed | null = null;
  const program = new CliCommand('program').enablePositionalOptions().exitOverride();
  program.configureOutput({ writeErr: () => undefined, writeOut: () => undefined });
  program
    .command('outer')
    .command('inner')
    .argument('<one>')
    .argument('[two]')
    .option('--identity <file>')
    .option('--json')
    .option('--many <values...>')
    .action((_one: string, _two: string | undefined, options: Record<string, unknown>, inner: Command) => {
      parsed = { args: inner.args, options };
    });
  await program.parseAsync(['outer', 'inner', ...args], { from: 'user' });
  if (!parsed) throw new Error('the command did not run');
  return parsed;
}

describe.each([DASH, TWO_DASHES, ALL_DASHES])('the id %s', (id) => {
  test.each<[string[], Parsed]>([
    [[id], { args: [id], options: {} }],
    [[id, id], { args: [id, id], options: {} }],
    [[id, '--identity', 'file'], { args: [id], options: { identity: 'file' } }],
    [['--identity', 'file', '--json', id], { args: [id], options: { identity: 'file', json: true } }],
    [
      [id, '--json', 'two', '--identity=file'],
      { args: [id, 'two'], options: { identity: 'file', json: true } },
    ],
    [['one', id, '--json'], { args: ['one', id], options: { json: true } }],
    [['--many', 'a', 'b', id], { args: [id], options: { many: ['a', 'b'] } }],
    [['--', id], { args: [id], options: {} }],
    [[id, '--', '--json'], { args: [id, '--json'], options: {} }],
    [[id, '--', '--'], { args: [id, '--'], options: {} }],
    [[id, '-'], { args: [id, '-'], options: {} }],
  ])('is an argument in %j', async (args, parsed) => {
    expect(await parse(...args)).toEqual(parsed);
  });

  test('is the value of an option before it', async () => {
    expect(await parse('one', '--identity', id)).toEqual({ args: ['one'], options: { identity: id } });
  });

  test('allows --help after it', async () => {
    await expect(parse(id, '--help')).rejects.toMatchObject({ code: 'commander.helpDisplayed' });
  });

  test.each([
    [['--identiy', 'file', id], "error: unknown option '--identiy'\n(Did you mean --identity?)"],
    [[id, '--identiy', 'file'], "error: unknown option '--identiy'\n(Did you mean --identity?)"],
    [[id, '-x'], "error: unknown option '-x'"],
    [[id, '-x', '--', 'two'], "error: unknown option '-x'"],
    [[`${id}A`], `error: unknown option '${id}A'`],
    [
      [id, id, id],
      `error: too many arguments for 'inner'. Expected 2 arguments but got 3: ${id}, ${id}, ${id}.`,
    ],
  ])('refuses the fault in %j', async (args, message) => {
    await expect(parse(...args)).rejects.toMatchObject({ message } satisfies Partial<CommanderError>);
  });
});

test('an option that looks like an id stays an option', () => {
  const option = `--${'o'.repeat(19)}g`;
  const command = new CliCommand().argument('<id>').option(option);
  expect(command.parseOptions([option, DASH])).toEqual({ operands: [DASH], unknown: [] });
});

describe('of waxwing', async () => {
  const program = await createProgram(COMMAND_NAMES, ALL_COMMANDS);
  const leavesOf = (command: Command, path: string): [string, Command][] =>
    command.commands.length === 0
      ? [[path, command]]
      : command.commands.flatMap((inner) => leavesOf(inner, `${path} ${inner.name()}`));
  const leaves = leavesOf(program, 'waxwing');

  const taking = leaves.filter(([, command]) => command.registeredArguments.length > 0);
  test.each(taking)('%s accepts an id with a leading dash as its argument', (_path, command) => {
    for (const id of [DASH, TWO_DASHES]) {
      expect(command.parseOptions([id, '--verbose'])).toEqual({ operands: [id], unknown: [] });
    }
  });

  test('no command reads the beginning of an id as a short option', () => {
    expect(taking.filter(([, command]) => command.options.some(({ short }) => short))).toEqual([]);
  });

  test('no option has an optional value, which a following id could not be', () => {
    expect(leaves.filter(([, command]) => command.options.some(({ optional }) => optional))).toEqual([]);
  });
});
