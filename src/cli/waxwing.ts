#!/usr/bin/env node
/**
 * The `waxwing` command. Each command lives in a file of its own in commands/.
 */
import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { addDemoCommand } from './commands/demo.ts';
import { addRelayCommand } from './commands/relay.ts';
import { addServeCommand } from './commands/serve.ts';
import { explain } from './errors.ts';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

const program = new Command('waxwing')
  .description(
    'Sealed envelopes: the app as a page, the relay they travel through, and a demonstration of both.',
  )
  .version(version)
  .showHelpAfterError('Add --help to see what is possible.')
  // An option belongs to the command that it stands behind: --data to `relay`, or to `relay admin stats`.
  .enablePositionalOptions()
  .configureHelp({ sortSubcommands: false })
  // 1 is for what could not be done, 2 for what was not understood.
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2));

addServeCommand(program, version);
addRelayCommand(program);
addDemoCommand(program);

try {
  await program.parseAsync();
} catch (error) {
  console.error(explain(error));
  process.exitCode = 1;
}
