/**
 * `waxwing groups token`: tokens with which bots post into a group.
 */
import type { Command } from 'commander';
import { addConnectionOptions, type ConnectionOptions, withIdentity } from '../connection.ts';
import { columns } from '../output.ts';
import { parseId } from '../people.ts';
import { note, oneLine, print, printJson, printSecret } from '../printing.ts';

export function addTokenCommands(groups: Command): void {
  const token = groups
    .command('token')
    .description('mint and revoke the tokens of bots; for the creator of a group')
    .addHelpText(
      'after',
      `
Examples:
  $ waxwing groups token create "$GROUP" ci > token
  $ waxwing groups token revoke "$GROUP" "$TOKEN_ID"`,
    );
  addConnectionOptions(
    token
      .command('create')
      .description('mint a token; its secret is shown this once')
      .argument('<group>', 'id of the group', parseId)
      .argument('<name>', 'what it is called in the list'),
  )
    .addHelpText(
      'after',
      `
Examples:
  $ waxwing groups token create "$GROUP" ci > token
  $ WAXWING_GROUP_TOKEN_FILE=./token waxwing send "The build is green."

What is posted with it comes from you, marked as a bot's. Your device list is signed again, if it does not allow that yet.`,
    )
    .action(createToken);
  addConnectionOptions(
    token
      .command('list')
      .description('the tokens of a group, without their secrets')
      .argument('<group>', 'id of the group', parseId),
  )
    .addHelpText('after', '\nExample:\n  $ waxwing groups token list "$GROUP"')
    .action(listTokens);
  addConnectionOptions(
    token
      .command('revoke')
      .description('end a token; its next call is refused')
      .argument('<group>', 'id of the group', parseId)
      .argument('<token>', 'id of the token, as waxwing groups token list tells it', parseId),
  )
    .addHelpText('after', '\nExample:\n  $ waxwing groups token revoke "$GROUP" "$TOKEN_ID"')
    .action(revokeToken);
}

async function createToken(id: string, name: string, options: ConnectionOptions): Promise<void> {
  await withIdentity(options, 'Minting a group token', async ({ session, identity }) => {
    const minted = await session.call('createToken', { params: { id }, body: { name } });
    // Recipients drop what bots post in the name of someone whose list does not allow it.
    await identity.registration(session).ensure(['bots']);
    if (options.json) return printSecret(JSON.stringify(minted));
    note(`Token ${minted.id} for group ${id}. The secret is shown this once:`);
    await printSecret(minted.secret);
  });
}

async function listTokens(id: string, options: ConnectionOptions): Promise<void> {
  await withIdentity(options, 'Listing group tokens', async ({ session }) => {
    const { botTokens = [] } = await session.group(id);
    if (options.json) return printJson({ botTokens });
    if (botTokens.length === 0) return note('There are no tokens, or they are not for you to see.');
    const rows = botTokens.map(({ id: tokenId, name, prefix, lastUsedAt, revokedAt }) => [
      tokenId,
      `${prefix}…`,
      oneLine(name),
      revokedAt === null ? 'in force' : 'revoked',
      lastUsedAt === null ? 'never used' : `used ${lastUsedAt.slice(0, 10)}`,
    ]);
    await print(columns(rows));
  });
}

async function revokeToken(id: string, tokenId: string, options: ConnectionOptions): Promise<void> {
  await withIdentity(options, 'Revoking a group token', async ({ session }) => {
    await session.call('deleteToken', { params: { id, tokenId } });
    await (options.json ? printJson({ id: tokenId, revoked: true }) : print(`Revoked ${tokenId}.`));
  });
}
