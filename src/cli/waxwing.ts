#!/usr/bin/env node
/**
 * The `waxwing` command. Each command lives in a file of its own in commands/.
 */
import { readFileSync } from 'node:fs';
import completion from '@bomb.sh/tab/commander';
import { Command } from 'commander';
import { addApiKeyCommands } from './commands/api-keys.ts';
import { addDemoCommand } from './commands/demo.ts';
import { addDirectoryCommands } from './commands/directory.ts';
import { addGroupCommands } from './commands/groups.ts';
import { addInboxCommand } from './commands/inbox.ts';
import { addInitCommand } from './commands/init.ts';
import { addRelayCommand } from './commands/relay.ts';
import { addSendCommand } from './commands/send.ts';
import { addServeCommand } from './commands/serve.ts';
import { refuseSecrets } from './connection.ts';
import { codeOf, exitCodeOf, explain } from './errors.ts';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

const program = new Command('waxwing')
  .description(
    'Sealed envelopes: send and receive them, run the app as a page, run the relay they travel through.',
  )
  .version(version)
  .showHelpAfterError('Add --help to see what is possible.')
  // An option belongs to the command that it stands behind: --data to `relay`, or to `relay admin stats`.
  .enablePositionalOptions()
  .configureHelp({ sortSubcommands: false })
  // 1 is for what could not be done, 2 for what was not understood.
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2));

program.addHelpText(
  'after',
  `
Exit codes: 0 done, 1 it could not be done, 2 wrong usage, 3 the relay refused the credential, 4 the relay cannot be
reached, 5 there is no such person, group or key.

Examples:
  $ waxwing demo
  $ waxwing init --relay https://relay.example --handle build_bot
  $ waxwing send @alice "The build is green."`,
);

program.commandsGroup('Talk:');
addInitCommand(program);
addDirectoryCommands(program);
addSendCommand(program);
addInboxCommand(program);
addGroupCommands(program);
addApiKeyCommands(program);
program.commandsGroup('Run:');
addServeCommand(program, version);
addRelayCommand(program);
addDemoCommand(program);
program.commandsGroup('Besides:');
completion(program, { completionCommandName: 'completion' });

try {
  refuseSecrets(process.argv.slice(2));
  await program.parseAsync();
} catch (error) {
  const message = explain(error);
  // Whoever asked for JSON reads errors as such, too.
  const asJson = process.argv.includes('--json');
  console.error(asJson ? JSON.stringify({ error: { code: codeOf(error), message } }) : message);
  process.exitCode = exitCodeOf(error);
}
