/**
 * `waxwing init`: an identity for a script.
 */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Command } from 'commander';
import { Identity, walletFromPhrase } from '../../client/index.ts';
import { EngineFailure } from '../../engine/failure.ts';
import { walletFromSecret } from '../../engine/identity/secret.ts';
import { toChecksumAddress } from '../../protocol/address.ts';
import { generatePhrase, type Wallet } from '../../protocol/wallet.ts';
import {
  addConnectionOptions,
  type ConnectionOptions,
  defaultIdentityFile,
  requireRelay,
} from '../connection.ts';
import { CommandError } from '../errors.ts';
import { show } from '../output.ts';

interface InitOptions extends ConnectionOptions {
  handle?: string;
  name?: string;
  import?: string;
  showPhrase?: true;
}

export function addInitCommand(program: Command): void {
  addConnectionOptions(program.command('init'))
    .description('make an identity for a script: an address, a device and an API key, in one file')
    .option('--handle <name>', 'claim this handle')
    .option('--name <text>', 'the name that others see beside it')
    .option('--import <file>', 'take the recovery phrase or private key in this file; - for standard input')
    .option('--show-phrase', 'print the recovery phrase also where nobody may be looking')
    .addHelpText(
      'after',
      `
The file is ${defaultIdentityFile()}, or what --identity or WAXWING_IDENTITY names. Whoever has it can act in its name.

Examples:
  $ waxwing init --relay https://relay.example --handle build_bot
  $ waxwing init --relay http://127.0.0.1:8787 --identity ./bot.json
  $ waxwing init --relay https://relay.example --import phrase.txt`,
    )
    .action(init);
}

async function init(options: InitOptions): Promise<void> {
  const relay = requireRelay(options);
  const file = options.identity ?? defaultIdentityFile();
  const { identity, phrase } = openOrCreate(file, options.import);
  if (identity.relay !== null) {
    throw new CommandError(
      `There is an identity in ${file} already: ${toChecksumAddress(identity.address)} at ${identity.relay}. Name another file with --identity.`,
    );
  }
  await identity.register(relay, {
    keyName: 'waxwing init',
    ...(options.handle !== undefined && { handle: options.handle.replace(/^@/, '') }),
    ...(options.name !== undefined && { displayName: options.name }),
  });
  const address = toChecksumAddress(identity.address);
  const { handle } = await identity.account().me();
  const shown = phrase !== null && (options.showPhrase || (process.stdout.isTTY && !options.json));
  show(options, { address, handle, relay, file, ...(shown && { phrase }) }, () =>
    [
      `${address}${handle === null ? '' : ` is @${handle}`} at ${relay}`,
      `Its keys are in ${file}, readable by you alone.`,
      ...(shown ? ['', 'Recovery phrase, shown this once. Write it down:', `  ${phrase}`] : []),
      '',
      'Now try: waxwing me',
    ].join('\n'),
  );
}

/** One that was begun, and could not be registered then, is gone on with. */
function openOrCreate(
  file: string,
  source: string | undefined,
): { identity: Identity; phrase: string | null } {
  if (existsSync(file)) return { identity: Identity.open(file), phrase: null };
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  if (source !== undefined)
    return { identity: Identity.create({ file, wallet: readWallet(source) }), phrase: null };
  const phrase = generatePhrase();
  return { identity: Identity.create({ file, wallet: walletFromPhrase(phrase) }), phrase };
}

/** @throws CommandError, EngineFailure if it is neither a phrase nor a key */
function readWallet(source: string): Wallet {
  try {
    return walletFromSecret(readFileSync(source === '-' ? 0 : source, 'utf8')).wallet;
  } catch (error) {
    if (error instanceof EngineFailure) throw error;
    throw new CommandError(`${source} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}
