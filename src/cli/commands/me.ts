/**
 * `waxwing me`: introspection of the credential.
 */
import type { Command } from 'commander';
import { toChecksumAddress } from '../../protocol/address.ts';
import { addConnectionOptions, type ConnectionOptions, withClient } from '../connection.ts';
import { columns } from '../output.ts';
import { oneLine, print, printJson } from '../printing.ts';

const CREDENTIALS = { session: 'session', api_key: 'API key', group_token: 'group token' };

export function addMeCommand(program: Command): void {
  addConnectionOptions(program.command('me').description('show your account at the relay and your rights'))
    .addHelpText(
      'after',
      `
Examples:
  $ WAXWING_API_KEY_FILE=~/key waxwing me --relay https://relay.example
  $ waxwing me --identity bot.json
  $ waxwing me --json | jq -r .credential.entitlements[]`,
    )
    .action(showMe);
}

async function showMe(options: ConnectionOptions): Promise<void> {
  await withClient(options, async (client) => {
    const me = await client.me();
    if (options.json) return printJson(me);
    const { type, name, prefix, entitlements, expiresAt, groupId } = me.credential;
    const rows = [
      ['relay', client.api.baseUrl],
      ['address', toChecksumAddress(me.address)],
      ['handle', me.handle === null ? 'none' : `@${oneLine(me.handle)}`],
      ['name', me.displayName === null ? 'none' : oneLine(me.displayName)],
      ['credential', `${CREDENTIALS[type]} ${oneLine(name ?? '')} ${prefix === null ? '' : `(${prefix}…)`}`],
      ['may', entitlements.join(', ')],
      ...(me.deletesAt === null ? [] : [['deleted', `on ${me.deletesAt}; waxwing account keep cancels it`]]),
      ['until', expiresAt ?? 'it is revoked'],
      ...(groupId === undefined ? [] : [['group', groupId]]),
    ];
    await print(columns(rows));
  });
}
