/**
 * `waxwing api-keys`: the API keys of an identity's address.
 */
import { type Command, Option } from 'commander';
import { ApiKeyEntitlement, USUAL_API_KEY_ENTITLEMENTS } from '../../protocol/credentials.ts';
import { inDays, readEnd } from '../arguments.ts';
import { argumentError } from '../command-error.ts';
import { addConnectionOptions, type ConnectionOptions, withIdentity } from '../connection.ts';
import { columns } from '../output.ts';
import { parseId } from '../people.ts';
import { note, oneLine, print, printJson, printNewSecret } from '../printing.ts';
import { NOTES } from '../sentences.ts';

interface CreateOptions extends ConnectionOptions {
  entitlement?: ApiKeyEntitlement[];
  /** Time of the wire, or 'never'. */
  expires?: string;
}

export function addApiKeysCommand(program: Command): void {
  const keys = program
    .command('api-keys')
    .description('create, list and revoke API keys')
    .addHelpText(
      'after',
      `
Examples:
  $ waxwing api-keys create nightly > key
  $ WAXWING_API_KEY_FILE=./key waxwing me --relay https://relay.example

This needs an identity; see waxwing init. A person's keys are in the app's API settings.`,
    );
  addConnectionOptions(
    keys
      .command('create')
      .description('create an API key; its secret is shown only now')
      .argument('<name>', 'its name in the list')
      .addOption(
        new Option(
          '--entitlement <names...>',
          `its rights; default: ${USUAL_API_KEY_ENTITLEMENTS.join(' and ')}`,
        ).choices(ApiKeyEntitlement.options),
      )
      .option(
        '--expires <time>',
        'expiry: a day as in 2027-01-31, a number of days as in 30d, or never; default 90 days',
        parseExpiry,
      ),
  )
    .addHelpText(
      'after',
      `
Examples:
  $ waxwing api-keys create nightly > key
  $ waxwing api-keys create reader --entitlement directory:read inbox:read --expires 30d
  $ waxwing api-keys create nightly --json | jq -r .secret`,
    )
    .action(createKey);
  addConnectionOptions(keys.command('list').description('list the API keys, without their secrets'))
    .addHelpText('after', '\nExamples:\n  $ waxwing api-keys list\n  $ waxwing api-keys list --json')
    .action(listKeys);
  addConnectionOptions(
    keys
      .command('revoke')
      .description('revoke an API key; its next call is refused')
      .argument('<id>', 'the id from waxwing api-keys list', parseId),
  )
    .addHelpText('after', '\nExample:\n  $ waxwing api-keys revoke "$ID"')
    .action(revokeKey);
}

async function createKey(name: string, options: CreateOptions): Promise<void> {
  await withIdentity(options, 'Creating an API key', async ({ session }) => {
    const { expires = inDays(USUAL_DAYS) } = options;
    const body = {
      name,
      ...(options.entitlement && { entitlements: [...new Set(options.entitlement)] }),
      expiresAt: expires === NEVER ? null : expires,
    };
    const key = await session.call('createApiKey', { body });
    if (options.json) return printNewSecret(JSON.stringify(key));
    const end = key.expiresAt === null ? 'forever' : `until ${key.expiresAt.slice(0, 10)}`;
    note(`API key ${key.id} for ${key.entitlements.join(', ')}, ${end}. The secret is shown this once:`);
    await printNewSecret(key.secret);
  });
}

async function listKeys(options: ConnectionOptions): Promise<void> {
  await withIdentity(options, 'Listing API keys', async ({ session }) => {
    const apiKeys = await session.apiKeys();
    if (options.json) return printJson({ apiKeys });
    if (apiKeys.length === 0) return note('There are no API keys.');
    const rows = apiKeys.map(({ id, name, prefix, entitlements, lastUsedAt, expiresAt, revokedAt }) => [
      id,
      `${prefix}…`,
      oneLine(name),
      revokedAt === null ? (expiresAt === null ? 'no expiry' : `until ${expiresAt.slice(0, 10)}`) : 'revoked',
      lastUsedAt === null ? 'never used' : `used ${lastUsedAt.slice(0, 10)}`,
      entitlements.join(','),
    ]);
    await print(columns(rows));
  });
}

async function revokeKey(id: string, options: ConnectionOptions): Promise<void> {
  await withIdentity(options, 'Revoking an API key', async ({ session, client }) => {
    const own = await client.me().then(
      ({ credential }) => credential.id,
      () => null, // the identity revokes keys also if its own does not work
    );
    await session.call('revokeApiKey', { params: { id } });
    if (id === own) note(NOTES.own_key_revoked({ file: options.identity ?? null }));
    await (options.json ? printJson({ id, revoked: true }) : print(`Revoked ${id}.`));
  });
}

const USUAL_DAYS = 90;
const NEVER = 'never';

/** A day, a time, 'never', or a number of days from now, as a time of the wire. */
function parseExpiry(text: string): string {
  const end = text === NEVER ? NEVER : readEnd(text);
  if (end === null) throw argumentError('expiry');
  return end;
}
