/**
 * The credential of a command: a named identity, a secret of the environment, or the identity in its default place.
 */
import { chmodSync, existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { Identity } from '../client/index.ts';
import { readBotSecret } from '../protocol/bots.ts';
import { type CredentialType, credentialTypeOf } from '../protocol/credentials.ts';
import { commandError } from './command-error.ts';
import { protectionFor } from './identity-protection.ts';
import { othersMayRead, readSecretFile } from './secrets.ts';

/** A secret, and its variable. */
export interface Secret {
  value: string;
  type: CredentialType;
  variable: string;
  /** The key of the bot for a group token; null for none. */
  botKey: string | null;
}

const VARIABLES = [
  { name: 'WAXWING_API_KEY', type: 'api_key' },
  { name: 'WAXWING_GROUP_TOKEN', type: 'group_token' },
] as const;

const BOT_KEY = 'WAXWING_BOT_KEY';

/** The default place of an identity: by the XDG Base Directory Specification, or the platform's own. */
export function defaultIdentityFile(platform = process.platform, environment = process.env): string {
  if (platform === 'win32') {
    return join(environment.APPDATA || join(homedir(), 'AppData', 'Roaming'), 'waxwing', 'identity.json');
  }
  const { XDG_CONFIG_HOME: chosen = '' } = environment;
  return join(isAbsolute(chosen) ? chosen : join(homedir(), '.config'), 'waxwing', 'identity.json');
}

/**
 * The secret in the environment, if any.
 * @throws CommandError if there are two, or it is invalid
 */
export function secretOfEnvironment(environment = process.env): Secret | null {
  const secret = onlyOne(
    VARIABLES.flatMap(({ name, type }) => given(name, environment).map((each) => ({ ...each, name, type }))),
  );
  const botKey = onlyOne(given(BOT_KEY, environment));
  if (botKey && !readBotSecret(botKey.value)) throw commandError('credential', 'bot_key_malformed', botKey);
  if (botKey && secret?.type !== 'group_token') throw commandError('credential', 'bot_key_alone', botKey);
  if (!secret) return null;
  const type = credentialTypeOf(secret.value);
  if (type !== secret.type) {
    const right = VARIABLES.find((variable) => variable.type === type);
    if (right) {
      throw commandError('credential', 'secret_of_other_type', {
        variable: secret.variable,
        right: secret.variable.replace(secret.name, right.name),
      });
    }
    throw commandError('credential', 'secret_malformed', secret);
  }
  const { value, variable } = secret;
  return { value, type, variable, botKey: botKey?.value ?? null };
}

/** The value of a variable, or the contents of the file that its `_FILE` variable names. */
function given(name: string, environment: NodeJS.ProcessEnv): { variable: string; value: string }[] {
  const value = environment[name];
  const file = environment[`${name}_FILE`];
  return [
    ...(value ? [{ variable: name, value: value.trim() }] : []),
    ...(file ? [{ variable: `${name}_FILE`, value: readSecretFile(file, 'The secret').trim() }] : []),
  ];
}

/** @throws CommandError if there are two */
function onlyOne<T extends { variable: string }>([one, other]: readonly T[]): T | null {
  if (one && other) {
    throw commandError('credential', 'two_secrets', { one: one.variable, other: other.variable });
  }
  return one ?? null;
}

/**
 * The identity in a file.
 * @throws CommandError if it is missing, or readable by others; IdentityError if it is damaged
 */
export async function openIdentity(file: string, environment = process.env): Promise<Identity> {
  requireOwnFile(file);
  // It contains no key: only its permissions need a change.
  const journal = `${file}.journal`;
  if (existsSync(journal) && othersMayRead(journal) !== null) chmodSync(journal, 0o600);
  return Identity.open(file, await protectionFor(file, environment));
}

/** The file of the chosen identity: named, from the environment, or in its default place. */
export function identityFile(named: string | undefined, environment = process.env): string {
  return named ?? (environment.WAXWING_IDENTITY || defaultIdentityFile(process.platform, environment));
}

/** @throws CommandError if there is no such file, or it is readable by others */
export function requireOwnFile(file: string): void {
  if (!existsSync(file)) {
    throw commandError('credential', 'identity_missing', { file });
  }
  const mode = othersMayRead(file);
  if (mode !== null) {
    throw commandError('credential', 'identity_open', { file, mode });
  }
}

/** Authentication of a command. */
export type Means = { identity: Identity; file: string } | { secret: Secret };

/**
 * The authentication of a call for any credential.
 * @param named the file of `--identity`
 * @throws CommandError, IdentityError
 */
export async function chooseMeans(named: string | undefined, environment = process.env): Promise<Means> {
  if (named !== undefined) return { identity: await openIdentity(named, environment), file: named };
  const secret = secretOfEnvironment(environment);
  const file = environment.WAXWING_IDENTITY;
  if (secret && file) {
    throw commandError('credential', 'secret_and_identity', { variable: secret.variable });
  }
  if (secret) return { secret };
  const usual = file || defaultIdentityFile(process.platform, environment);
  if (!file && !existsSync(usual)) {
    throw commandError('credential', 'none', { file: usual });
  }
  return { identity: await openIdentity(usual, environment), file: usual };
}

/**
 * The identity for a call that API keys cannot make.
 * @param what as in 'Creating a group'
 * @throws CommandError, IdentityError
 */
export async function requireIdentity(
  named: string | undefined,
  what: string,
  environment = process.env,
): Promise<{ identity: Identity; file: string }> {
  const file = named ?? (environment.WAXWING_IDENTITY || undefined);
  if (file !== undefined) return { identity: await openIdentity(file, environment), file };
  const secret = secretOfEnvironment(environment);
  if (secret) {
    const { variable, type } = secret;
    throw commandError('credential', 'identity_needed', { what, variable, type });
  }
  const usual = defaultIdentityFile(process.platform, environment);
  return { identity: await openIdentity(usual, environment), file: usual };
}
