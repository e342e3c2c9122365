/**
 * Whom a command speaks for and to: the relay, the credential and the identity, from options, environment and files.
 * Secrets never come from arguments: other users of a machine can read those, and shells write them down.
 */
import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { Identity, RelayClient } from '../client/index.ts';
import { defaultDataFolder } from '../host/data-folder.ts';
import { type CredentialType, credentialTypeOf } from '../protocol/credentials.ts';
import { parseRelay } from './arguments.ts';
import { CommandError, UsageError } from './errors.ts';

export interface ConnectionOptions {
  relay?: string;
  identity?: string;
  json?: true;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** What every command has that speaks to a relay. */
export const CONNECTION_HELP = `
The relay is --relay, WAXWING_RELAY, or the one that the identity belongs to. The credential is WAXWING_API_KEY or
WAXWING_GROUP_TOKEN, a file named by WAXWING_API_KEY_FILE or WAXWING_GROUP_TOKEN_FILE, or the identity's own.`;

export function addConnectionOptions(command: Command): Command {
  return command
    .option('--relay <url>', 'the relay to speak to', parseRelay)
    .option('--identity <file>', 'an identity that `waxwing init` made', (file) => resolve(file))
    .option('--json', 'print the result as JSON');
}

/** Where an identity is kept unless a command is told otherwise. */
export function defaultIdentityFile(environment: Environment = process.env): string {
  const chosen = environment.WAXWING_IDENTITY;
  return chosen ? resolve(chosen) : join(defaultDataFolder(), 'identity.json');
}

/**
 * The text of a secret, from the environment or from a file that the environment names.
 * @throws CommandError if the file cannot be read
 */
function readSecret(name: string, environment: Environment): string | null {
  const direct = environment[name]?.trim();
  if (direct) return direct;
  const file = environment[`${name}_FILE`];
  if (!file) return null;
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError(`The file that ${name}_FILE names cannot be read: ${reason}`);
  }
}

function findCredential(environment: Environment): { secret: string; type: CredentialType } | null {
  const found = (['WAXWING_API_KEY', 'WAXWING_GROUP_TOKEN'] as const).flatMap((name) => {
    const secret = readSecret(name, environment);
    return secret === null ? [] : [{ name, secret }];
  });
  const [first, second] = found;
  if (!first) return null;
  if (second) {
    throw new CommandError(
      'Both WAXWING_API_KEY and WAXWING_GROUP_TOKEN are set. Unset the one that is not meant.',
    );
  }
  const type = credentialTypeOf(first.secret);
  const wanted = first.name === 'WAXWING_API_KEY' ? 'api_key' : 'group_token';
  if (type !== wanted) {
    const form = wanted === 'api_key' ? 'sk_live_' : 'gtk_live_';
    throw new CommandError(
      `${first.name} is not whole: it has to be ${form} and 43 characters. Copy it again.`,
    );
  }
  return { secret: first.secret, type };
}

/**
 * The identity that a command was given, or null if there is none.
 * @throws CommandError, IdentityError if it cannot be used
 */
export function findIdentity(
  options: ConnectionOptions,
  environment: Environment = process.env,
): Identity | null {
  const file = options.identity ?? defaultIdentityFile(environment);
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats) {
    if (options.identity !== undefined || environment.WAXWING_IDENTITY) {
      throw new CommandError(`There is no identity in ${file}. Make one with: waxwing init`);
    }
    return null;
  }
  if (process.platform !== 'win32' && (stats.mode & 0o077) !== 0) {
    throw new CommandError(
      `Others can read ${file}, which holds secrets. Mend that first: chmod 600 ${file}`,
    );
  }
  return Identity.open(file);
}

/**
 * An identity, for what only a session may do or only a device can open.
 * @throws CommandError that says what it is needed for
 */
export function requireIdentity(options: ConnectionOptions, purpose: string): Identity {
  const identity = findIdentity(options);
  if (identity) return identity;
  throw new CommandError(`${purpose} needs an identity. Make one with: waxwing init --relay URL`);
}

export interface Connection {
  client: RelayClient;
  identity: Identity | null;
  type: CredentialType;
}

/**
 * A client for the credential that a command was given. Beside a key or token of the environment, an identity counts
 * only where it is named: it would sign in another name.
 * @throws CommandError that says what is missing
 */
export function connect(options: ConnectionOptions, environment: Environment = process.env): Connection {
  const credential = findCredential(environment);
  const isNamed = options.identity !== undefined || Boolean(environment.WAXWING_IDENTITY);
  const identity = credential && !isNamed ? null : findIdentity(options, environment);
  const relay = options.relay ?? (environment.WAXWING_RELAY && relayOf(environment.WAXWING_RELAY));
  if (credential) {
    const url = relay || identity?.relay;
    if (!url) throw new CommandError('Which relay? Set WAXWING_RELAY, or give --relay URL.');
    const { secret, type } = credential;
    const client = new RelayClient({ relay: url, secret, ...(identity && { identity }) });
    return { client, identity, type };
  }
  if (!identity) {
    throw new CommandError(
      'There is no credential. Set WAXWING_API_KEY or WAXWING_GROUP_TOKEN, or make an identity with: waxwing init',
    );
  }
  return { client: new RelayClient({ identity, ...(relay && { relay }) }), identity, type: 'api_key' };
}

/** The relay of the environment or an option, for a command that has nothing else to take it from. */
export function requireRelay(options: ConnectionOptions, environment: Environment = process.env): string {
  const relay = options.relay ?? (environment.WAXWING_RELAY && relayOf(environment.WAXWING_RELAY));
  if (!relay) throw new CommandError('Which relay? Give --relay URL, or set WAXWING_RELAY.');
  return relay;
}

function relayOf(text: string): string {
  try {
    return parseRelay(text);
  } catch (error) {
    throw new CommandError(`WAXWING_RELAY is no relay: ${error instanceof Error ? error.message : error}`);
  }
}

const SECRET = /(?:^|=)(?:sk_live_|gtk_live_|ses_)[\w-]{8,}/;

/**
 * Refuses secrets among the arguments.
 * @throws UsageError that says where they belong
 */
export function refuseSecrets(args: readonly string[]): void {
  if (!args.some((arg) => SECRET.test(arg))) return;
  throw new UsageError(
    'Secrets do not belong in arguments: others on this machine can read them there, and your shell has written this one into its history. Revoke it, make another, and set WAXWING_API_KEY or WAXWING_GROUP_TOKEN, or name a file with WAXWING_API_KEY_FILE.',
  );
}
