/** `waxwing groups token`: bots that post into a group, with their tokens and signing keys. */
import type { Command } from 'commander';
import { botsWithoutToken, isSignedToken } from '../../messaging/groups/bots.ts';
import { addConnectionOptions, type ConnectionOptions, withIdentity } from '../connection.ts';
import { columns } from '../output.ts';
import { parseId } from '../people.ts';
import { note, oneLine, print, printJson, printNewSecret } from '../printing.ts';

export function addTokenCommands(groups: Command): void {
  const token = groups
    .command('token')
    .description('create and revoke the tokens of bots; for the owner of a group')
    .addHelpText(
      'after',
      `
Examples:
  $ waxwing groups token create "$GROUP" ci > bot.env
  $ waxwing groups token revoke "$GROUP" "$TOKEN_ID"`,
    );
  addConnectionOptions(
    token
      .command('create')
      .description('create a token and a signing key; both are shown only now')
      .argument('<group>', 'id of the group', parseId)
      .argument('<name>', 'name of the bot')
      .option('--alone', 'a token without a key: the group then allows unsigned posts'),
  )
    .addHelpText(
      'after',
      `
Examples:
  $ waxwing groups token create "$GROUP" ci > bot.env
  $ (set -a; . ./bot.env; waxwing send "The build is green.")
  $ waxwing groups token create "$GROUP" ci --alone > token
  $ WAXWING_GROUP_TOKEN_FILE=./token waxwing send "The build is green."

WAXWING_GROUP_TOKEN allows the bot to post, WAXWING_BOT_KEY signs its posts and is sent to no relay. Members see the bot by
its name. A post with a token alone is shown as yours, marked as a bot's: a relay could invent it.`,
    )
    .action(createToken);
  addConnectionOptions(
    token
      .command('list')
      .description('list the tokens of a group, without their secrets')
      .argument('<group>', 'id of the group', parseId),
  )
    .addHelpText('after', '\nExample:\n  $ waxwing groups token list "$GROUP"')
    .action(listTokens);
  addConnectionOptions(
    token
      .command('revoke')
      .description('revoke a token and its key; its next call is refused')
      .argument('<group>', 'id of the group', parseId)
      .argument(
        '<token>',
        'id of the token from waxwing groups token list; or of a bot without one',
        parseId,
      ),
  )
    .addHelpText('after', '\nExample:\n  $ waxwing groups token revoke "$GROUP" "$TOKEN_ID"')
    .action(revokeToken);
  addConnectionOptions(
    token
      .command('unsigned')
      .description('allow or forbid posts with a token alone')
      .argument('<group>', 'id of the group', parseId)
      .option('--forbid', 'forbid them'),
  )
    .addHelpText(
      'after',
      `
Examples:
  $ waxwing groups token unsigned "$GROUP"
  $ waxwing groups token unsigned "$GROUP" --forbid

A relay can invent unsigned posts. waxwing groups token create --alone allows it, and the last such token forbids it
when it is revoked.`,
    )
    .action(allowUnsigned);
}

async function createToken(
  id: string,
  name: string,
  { alone = false, ...options }: ConnectionOptions & { alone?: boolean },
): Promise<void> {
  await withIdentity(options, 'Creating a group token', async ({ client }) => {
    const bot = await client.createBot(id, name, { alone });
    if (options.json) return printNewSecret(JSON.stringify(bot));
    if (bot.botKey === null) {
      note(`Token ${bot.id} for group ${id}. The secret is shown this once:`);
      return printNewSecret(bot.secret);
    }
    note(`Token ${bot.id} for group ${id}, and the key of its bot. Both are shown this once:`);
    await printNewSecret(`WAXWING_GROUP_TOKEN=${bot.secret}`);
    await printNewSecret(`WAXWING_BOT_KEY=${bot.botKey}`);
  });
}

async function listTokens(id: string, options: ConnectionOptions): Promise<void> {
  await withIdentity(options, 'Listing group tokens', async ({ client }) => {
    const { botTokens = [], bots, unsignedBots } = await client.group(id);
    if (options.json) return printJson({ botTokens, bots, unsignedBots });
    const lost = botsWithoutToken({ bots }, botTokens);
    if (botTokens.length + lost.length === 0) {
      return note('There are no tokens, or you may not see them.');
    }
    const rows = botTokens.map((token) => {
      const { id: tokenId, name, prefix, lastUsedAt, revokedAt } = token;
      return [
        tokenId,
        `${prefix}…`,
        oneLine(name),
        revokedAt === null ? 'no expiry' : 'revoked',
        isSignedToken({ bots }, token) ? 'signs' : '',
        lastUsedAt === null ? 'never used' : `used ${lastUsedAt.slice(0, 10)}`,
      ];
    });
    const others = lost.map(({ key, name }) => [key, '', oneLine(name), 'no token', 'signs', '']);
    await print(columns([...rows, ...others]));
  });
}

async function revokeToken(id: string, tokenId: string, options: ConnectionOptions): Promise<void> {
  await withIdentity(options, 'Revoking a group token', async ({ client }) => {
    await client.revokeBot(id, tokenId);
    await (options.json ? printJson({ id: tokenId, revoked: true }) : print(`Revoked ${tokenId}.`));
  });
}

async function allowUnsigned(id: string, options: ConnectionOptions & { forbid?: true }): Promise<void> {
  await withIdentity(options, 'Changing a group', async ({ client }) => {
    const { unsignedBots } = await client.changeGroup(id, { unsignedBots: options.forbid !== true });
    if (options.json) return printJson({ id, unsignedBots });
    const does = unsignedBots ? 'see' : 'no longer see';
    await print(`Members ${does} posts with a token alone.`);
  });
}
