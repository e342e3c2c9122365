/** The commands of `waxwing`. Only those in the arguments are loaded, so that the others cost no time. */
import { readFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { CliCommand } from './command.ts';
import { EXIT_MEANINGS } from './exit-codes.ts';

/** A command in the list of the help. */
export interface Entry {
  summary: string;
  /** Loads the function that adds the command to the program. */
  load: () => Promise<(program: Command) => void>;
}

/** Commands by name, in the order of the help. */
export type Commands = Readonly<Record<string, Entry>>;

/** Commands without an interface: all of the npm package. Each has its own file in commands/. */
export const COMMANDS: Commands = {
  init: {
    summary: 'make an identity for a script or bot',
    load: async () => (await import('./commands/init.ts')).addInitCommand,
  },
  me: {
    summary: 'show your account at the relay and your rights',
    load: async () => (await import('./commands/me.ts')).addMeCommand,
  },
  resolve: {
    summary: 'show the account of a handle or an address',
    load: async () => (await import('./commands/resolve.ts')).addResolveCommand,
  },
  keys: {
    summary: 'show and verify the devices of a person',
    load: async () => (await import('./commands/keys.ts')).addKeysCommand,
  },
  send: {
    summary: 'encrypt and send a message',
    load: async () => (await import('./commands/send.ts')).addSendCommand,
  },
  react: {
    summary: 'react to a message with emoji',
    load: async () => (await import('./commands/message-actions.ts')).addReactCommand,
  },
  edit: {
    summary: 'replace the text of a message that you sent, or the caption of its files, within 24 hours',
    load: async () => (await import('./commands/message-actions.ts')).addEditCommand,
  },
  delete: {
    summary: 'delete a message for everyone',
    load: async () => (await import('./commands/message-actions.ts')).addDeleteCommand,
  },
  inbox: {
    summary: 'read the queue of your identity, or follow it',
    load: async () => (await import('./commands/inbox.ts')).addInboxCommand,
  },
  identity: {
    summary: 'show the recovery phrase of an identity, or protect its file',
    load: async () => (await import('./commands/identity.ts')).addIdentityCommand,
  },
  devices: {
    summary: 'list the devices of your address, and remove one',
    load: async () => (await import('./commands/devices.ts')).addDevicesCommand,
  },
  account: {
    summary: 'delete your account at the relay, keep it, or invite others',
    load: async () => (await import('./commands/account.ts')).addAccountCommand,
  },
  groups: {
    summary: 'find, create, join and leave groups; create tokens for bots',
    load: async () => (await import('./commands/groups.ts')).addGroupsCommand,
  },
  'api-keys': {
    summary: 'create, list and revoke API keys',
    load: async () => (await import('./commands/api-keys.ts')).addApiKeysCommand,
  },
  relay: {
    summary: 'run a relay alone, for a team or the public',
    load: async () => (await import('./commands/relay.ts')).addRelayCommand,
  },
  search: {
    summary: 'search the messages of a backup',
    load: async () => (await import('./commands/search.ts')).addSearchCommand,
  },
  export: {
    summary: 'save the chats of a backup as web pages and JSON',
    load: async () => (await import('./commands/export.ts')).addExportCommand,
  },
  backup: {
    summary: 'check a backup of the app',
    load: async () => (await import('./commands/backup.ts')).addBackupCommand,
  },
  demo: {
    summary:
      'run a demonstration: people, a group and a bot exchange sealed messages through a temporary relay',
    load: async () => (await import('./commands/demo.ts')).addDemoCommand,
  },
  completion: {
    summary: 'print the script that completes commands in your shell',
    load: async () => (await import('./commands/completion.ts')).addCompletionCommand,
  },
};

const HELP_AFTER = `
Examples:
  $ waxwing demo                                       watch an example
  $ waxwing init --relay https://relay.example         an identity of your own
  $ waxwing send @ann "The build is green."
  $ make 2>&1 | tail -5 | waxwing send @ann
  $ waxwing inbox --follow

Environment:
  WAXWING_RELAY                                        the relay's address
  WAXWING_API_KEY, WAXWING_API_KEY_FILE                a secret, or a file with it
  WAXWING_GROUP_TOKEN, WAXWING_GROUP_TOKEN_FILE
  WAXWING_BOT_KEY, WAXWING_BOT_KEY_FILE
  WAXWING_IDENTITY                                     the file of an identity
  WAXWING_MEMORY                                       memory of a secret: device lists and former members
  WAXWING_PASSPHRASE, WAXWING_PASSPHRASE_FILE          the passphrase for keys on this computer
  WAXWING_UNPROTECTED_KEY                              set: allow keys without protection
  WAXWING_LOG                                          the folder for the log of commands; off for none

Exit codes:
${Object.entries(EXIT_MEANINGS)
  .map(([code, meaning]) => `  ${code}  ${meaning}`)
  .join('\n')}`;

/**
 * The program, with the commands in the arguments; of the others only the summaries.
 * @param args the arguments of the command line
 */
export async function createProgram(args: readonly string[], commands: Commands): Promise<Command> {
  const program = new CliCommand('waxwing')
    .description('Sealed envelopes from the command line: send, receive, run a relay.')
    .version(packageVersion())
    .showHelpAfterError('Add --help for all commands and options.')
    // An option belongs to the command before it: --data to `relay`, or to `relay admin stats`.
    .enablePositionalOptions()
    .configureHelp({
      sortSubcommands: false,
      subcommandTerm: (command) =>
        [command.name(), ...(command.parent?.parent ? argumentsOf(command) : [])].join(' '),
    })
    .option('--verbose', 'print progress with times on standard error; for every command')
    .addHelpText('after', HELP_AFTER)
    .exitOverride();
  if (wantsJson(args)) program.configureOutput({ writeErr: () => undefined });
  for (const [name, { summary, load }] of Object.entries(commands)) {
    // The shell calls `complete`, which belongs to `completion`.
    if (args.includes(name) || (name === 'completion' && args.includes('complete'))) (await load())(program);
    else program.command(name).description(summary);
  }
  for (const command of program.commands) addVerboseOption(command);
  return program;
}

/** True if failures are reported as JSON: with `--json`, and by a relay with `--log json`. */
export function wantsJson(args: readonly string[]): boolean {
  if (args.includes('--json')) return true;
  return args.includes('relay') && / --log[ =]json /.test(` ${args.join(' ')} `);
}

/** Every command accepts `--verbose`; the program's help explains it once. */
function addVerboseOption(command: Command): void {
  command.addOption(new Option('--verbose').hideHelp());
  for (const inner of command.commands) addVerboseOption(inner);
}

function argumentsOf(command: Command): string[] {
  return command.registeredArguments.map((argument) =>
    argument.required ? `<${argument.name()}>` : `[${argument.name()}]`,
  );
}

function packageVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
