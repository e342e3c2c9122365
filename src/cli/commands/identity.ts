/** `waxwing identity`: secrets in the file of an identity, and the protection of the file. */
import type { Command } from 'commander';
import { Identity } from '../../client/index.ts';
import { commandError } from '../command-error.ts';
import { identityFile, openIdentity, requireOwnFile } from '../credentials.ts';
import { isProtected, newProtection } from '../identity-protection.ts';
import { print, printJson, printSecret } from '../printing.ts';

interface Options {
  identity?: string;
  json?: true;
}

export function addIdentityCommand(program: Command): void {
  const identity = program
    .command('identity')
    .description('show the recovery phrase of an identity, or protect its file')
    .addHelpText('after', '\nExamples:\n  $ waxwing identity phrase\n  $ waxwing identity protect');
  addOptions(identity.command('phrase').description('show the recovery phrase, to write it down'))
    .addHelpText(
      'after',
      `
Example:
  $ waxwing identity phrase

Anyone who has the phrase can use your account. With it waxwing init --import makes a device of your address elsewhere.
An imported identity does not store its phrase.`,
    )
    .action(showPhrase);
  addOptions(identity.command('protect').description('seal an unprotected identity file'))
    .addHelpText(
      'after',
      `
Examples:
  $ WAXWING_PASSPHRASE_FILE=~/passphrase waxwing identity protect
  $ waxwing identity protect --identity bot.json

The file is sealed under WAXWING_PASSPHRASE, or the file in WAXWING_PASSPHRASE_FILE, otherwise by the key store of
your system. After that it opens only with it.`,
    )
    .action(protect);
}

function addOptions(command: Command): Command {
  return command
    .option('--identity <file>', 'the identity in this file, made by waxwing init')
    .option('--json', 'print JSON');
}

async function showPhrase(options: Options): Promise<void> {
  const file = identityFile(options.identity);
  const { phrase } = await openIdentity(file);
  if (phrase === null) {
    throw commandError('failed', 'no_phrase', { file });
  }
  await printSecret(options.json ? JSON.stringify({ file, phrase }) : phrase);
}

async function protect(options: Options): Promise<void> {
  const file = identityFile(options.identity);
  requireOwnFile(file);
  if (isProtected(file)) throw commandError('failed', 'protected_already', { file });
  // Opening a plain file with a protection seals it.
  Identity.open(file, await newProtection(false));
  await (options.json
    ? printJson({ file, protected: true })
    : print(`The identity in ${file} is protected now.`));
}
