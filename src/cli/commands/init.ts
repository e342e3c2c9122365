/**
 * `waxwing init`: an identity for a script.
 */

import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Command } from 'commander';
import { sentenceOf } from '../../base/failure.ts';
import { checkRelay } from '../../client/check.ts';
import { Identity, RelayClient, type Wallet, walletFromKey, walletFromPhrase } from '../../client/index.ts';
import { toChecksumAddress } from '../../protocol/address.ts';
import { isPhrase, isPrivateKey } from '../../protocol/wallet.ts';
import { parseHandle, parseName } from '../arguments.ts';
import { argumentError, commandError } from '../command-error.ts';
import { explained, relayOption } from '../connection.ts';
import { defaultIdentityFile, openIdentity } from '../credentials.ts';
import { requireFolder } from '../folder.ts';
import { newProtection } from '../identity-protection.ts';
import { columns } from '../output.ts';
import { mayBeUnprotected } from '../passphrase.ts';
import { note, print, printJson } from '../printing.ts';
import { readSecretFile, readStandardInput } from '../secrets.ts';

interface Options {
  relay?: string;
  identity?: string;
  handle?: string;
  name?: string;
  invitation?: string;
  import?: string;
  showPhrase?: true;
  renew?: true;
  unprotectedKey?: true;
  json?: true;
}

export function addInitCommand(program: Command): void {
  program
    .command('init')
    .description('make an identity for a script or bot')
    .addOption(relayOption())
    .option(
      '--file, --identity <file>',
      'store the identity here, instead of in WAXWING_IDENTITY or the usual place',
    )
    .option('--handle <name>', 'claim this handle', parseNewHandle)
    .option('--name <text>', 'the display name beside the handle', parseName)
    .option('--invitation <code>', 'an invitation code, if the relay requires one')
    .option(
      '--import <file>',
      'the recovery phrase or private key of an existing address; - for standard input',
    )
    .option('--show-phrase', 'show the new recovery phrase without a terminal')
    .option('--renew', 'make a new API key for the identity if its own no longer works')
    .option(
      '--unprotected-key',
      'store the keys without key store or passphrase, in a file that only your account can read',
    )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Examples:
  $ waxwing init --relay https://relay.example --handle build_bot
  $ waxwing init --relay https://relay.example --file ./bot.json
  $ waxwing init --relay https://relay.example --invitation "$CODE"
  $ waxwing init --relay https://relay.example --import phrase.txt

The identity is a device of an address: it receives messages, and signs those that it sends. Its file holds the wallet's key, the
device's keys and an API key, and is readable by you alone. It is sealed under WAXWING_PASSPHRASE, or the file that
WAXWING_PASSPHRASE_FILE names, otherwise by the key store of your system. Default place:
$XDG_CONFIG_HOME/waxwing/identity.json.
If someone else opens that file, they have the wallet, and removing the device does not end that: only a new identity does.
WAXWING_WALLET can hold the phrase or key to import. When the relay cannot be reached meanwhile, the same command again
takes up where it stopped. An identity that is complete is never overwritten.`,
    )
    .action(initialise);
}

async function initialise(options: Options): Promise<void> {
  const file = options.identity ?? (process.env.WAXWING_IDENTITY || defaultIdentityFile());
  const existing = existsSync(file) ? await openIdentity(file) : null;
  if (existing && existing.apiKey !== null && !options.renew) {
    throw commandError('failed', 'identity_exists', { file });
  }
  if (options.renew && !existing) throw commandError('credential', 'identity_not_renewable', { file });
  const relay = options.relay ?? existing?.relay ?? null;
  if (relay === null) throw commandError('usage', 'relay_missing');
  const { ok, problem } = await checkRelay(relay);
  if (!ok)
    throw commandError('unreachable', 'relay_unfit', { problem: problem ? sentenceOf(problem) : '', relay });

  const identity = existing ?? (await makeIdentity(file, options));
  const shows = !existing && (options.showPhrase || (process.stdout.isTTY && !options.json));
  const phrase = shows ? identity.phrase : null;
  if (phrase !== null && !options.json) await print(PHRASE_TEXT(phrase));
  const profile = {
    ...(options.handle !== undefined && { handle: options.handle }),
    ...(options.name !== undefined && { displayName: options.name }),
  };
  try {
    await explained(
      identity.register(relay, { ...profile, invitation: options.invitation, keyName: 'waxwing init' }),
      relay,
      null,
    );
  } catch (error) {
    note(
      `The identity is in ${file}, but its registration at the relay is not complete. Correct the error below, then run the command again:`,
    );
    throw error;
  }
  await printIdentity(identity, file, relay, phrase, options);
}

const PHRASE_TEXT = (
  phrase: string,
) => `Your recovery phrase. Write it down. Anyone who has it can use your account:

    ${phrase}
`;

async function makeIdentity(file: string, options: Options): Promise<Identity> {
  const wallet = await importedWallet(options);
  requireFolder(dirname(file), 'identity_folder_unusable');
  const own = [options.handle, options.name].filter((name) => name !== undefined);
  const protection = await newProtection(mayBeUnprotected(options.unprotectedKey), own);
  return Identity.create({ file, protection, ...(wallet && { wallet }) });
}

async function importedWallet(options: Options): Promise<Wallet | null> {
  const variable = process.env.WAXWING_WALLET;
  if (options.import === undefined && !variable) return null;
  // The phrase or key itself in place of a file. The error does not repeat it, unlike the name of a missing file.
  if (
    options.import !== undefined &&
    /^\s*\w+(?:\s+\w+){2,}\s*$|^(?:0x)?[0-9a-f]{64}$/i.test(options.import)
  ) {
    throw commandError('usage', 'secret_in_arguments', { option: 'phrase' });
  }
  const text = options.import === undefined ? (variable ?? '') : await readWallet(options.import);
  const words = text.trim().toLowerCase().split(/\s+/).join(' ');
  if (isPhrase(words)) return walletFromPhrase(words);
  const hex = /^(?:0x)?([0-9a-f]{64})$/.exec(words)?.[1];
  const key = hex === undefined ? null : Uint8Array.from(Buffer.from(hex, 'hex'));
  if (key && isPrivateKey(key)) return walletFromKey(key);
  throw commandError('usage', 'wallet_malformed', {
    source: options.import === undefined ? 'WAXWING_WALLET' : '--import',
  });
}

/** The phrase or key in a file that only its owner can read, or on standard input. */
function readWallet(source: string): Promise<string> | string {
  return source === '-' ? readStandardInput('The wallet') : readSecretFile(source, 'The wallet');
}

async function printIdentity(
  identity: Identity,
  file: string,
  relay: string,
  phrase: string | null,
  options: Options,
) {
  const me = await explained(new RelayClient({ identity }).me(), relay, { identity, file });
  if (options.json) {
    return printJson({ ...me, file, relay, ...(options.showPhrase && { phrase }) });
  }
  await print(
    columns([
      ['address', toChecksumAddress(me.address)],
      ['handle', me.handle === null ? 'none' : `@${me.handle}`],
      ['relay', relay],
      ['file', file],
    ]),
  );
  const named = options.identity === undefined ? '' : ` --identity ${file}`;
  if (phrase === null && identity.phrase !== null) {
    await print(`\nThe recovery phrase is in the file. To write it down: waxwing identity phrase${named}`);
  }
  await print(`\nTry: waxwing me${named}`);
}

function parseNewHandle(text: string): string {
  if (text.startsWith('0x')) throw argumentError('handle_is_address');
  return parseHandle(text);
}
